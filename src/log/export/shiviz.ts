/**
 * ShiViz: every event of every station with its vector clock. The first line is the expression by which ShiViz reads
 * the others, the second, empty, its delimiter of runs; ShiViz takes both from a file that is opened in it.
 *
 * ShiViz wants the own entry of a station to grow by exactly one from line to line. So a part of a run cannot be
 * exported, and what host and medium do, which has no clock, is left out; a lost frame is a send that nobody receives.
 */

import type { RunSource } from "../file/source.ts";
import { formatRecord } from "../format.ts";
import { isFrameRecord } from "../records.ts";
import { EarlySendFinder, type StampedEvent, stampedEvents } from "../summary/clocks.ts";
import { byStation } from "../summary/stamp-text.ts";
import { type Exporter, gathered } from "./exporter.ts";

const PARSER = String.raw`(?<date>\d+) (?<host>\S+) (?<clock>\{.*?\}) \[(?<type>[^\]]*)\] (?<event>.*)`;

function* lines(source: RunSource): Generator<string, void, void> {
  yield `${PARSER}\n\n`;
  const finder = new EarlySendFinder();
  for (const columns of source.blocks()) {
    finder.write(columns);
    yield "";
  }
  for (const event of stampedEvents(source, finder.found)) yield line(event);
}

function line(event: StampedEvent): string {
  const { station, kind, record } = event;
  const clock = Object.entries(byStation(event)).map(([id, count]) => `"${host(id)}":${count}`);
  // A time before the start of the run has a sign, which the expression does not know.
  const t = Math.max(0, kind === "send" && isFrameRecord(record) ? record.t - record.took : record.t);
  return `${t} ${host(station)} {${clock.join(",")}} [${kind}] ${words(event)}\n`;
}

function host(id: number | string): string {
  return `S${id}`;
}

function words({ kind, record }: StampedEvent): string {
  const { what } = formatRecord(record);
  if (!isFrameRecord(record)) return what;
  return kind === "send" ? `${what}, to ${record.to}` : `${what}, from ${record.from}`;
}

export const shiviz: Exporter = {
  name: "shiviz",
  ending: ".shiviz",
  begins: "(?<date>",
  about: "ShiViz, space-time diagrams in the browser",
  whole: "ShiViz wants every event of a station",
  pieces: (source) => gathered(lines(source)),
};
