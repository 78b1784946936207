/** The page with the log of a run in it: for a report, a mail, a hand-in. */

import { type Exporter, gathered } from "../log/export/exporter.ts";
import { plainJson } from "../log/file/json-text.ts";
import { recordJson } from "../log/file/lines.ts";
import type { RunSource } from "../log/file/source.ts";
import { inert, logBlock, pageHead, pageTail } from "./build.ts";

function* logLines(source: RunSource): Generator<string, void, void> {
  let records = 0;
  yield `${plainJson(source.header)}\n`;
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) yield `${plainJson(recordJson(columns.get(i)))}\n`;
    records += columns.length;
    yield "";
  }
  yield `${plainJson({ records, counts: {}, verdict: "exported" })}\n`;
}

function* inPage(source: RunSource): Generator<string, void, void> {
  const { before, after } = logBlock("the log in this page");
  yield pageHead({ stories: {} });
  yield before;
  for (const text of logLines(source)) yield inert(text);
  yield after;
  yield pageTail();
}

export const html: Exporter = {
  name: "html",
  ending: ".html",
  begins: "<!doctype html>",
  about: "the page with this run in it, for any browser, without a network",
  pieces: (source) => gathered(inPage(source)),
};
