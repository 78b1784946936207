/** Serves the page until Ctrl-C. */
import { once } from "node:events";
import { createReadStream, readFileSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { FileSource } from "../log/file/source.ts";
import { addressOf, type SetUp } from "../page/model/set-up.ts";
import type { Routes } from "../page/server/page-server.ts";
import { interruptible } from "./ending.ts";
import { openBrowser } from "./open-browser.ts";
import { stories } from "./script-file.ts";
import { print } from "./terminal.ts";

export interface ServedPage extends Partial<SetUp> {
  /** Path of a log that the page shows. */
  log?: string;
  /** 0: any that is free. */
  port?: number;
  /** Show it in the browser. */
  open: boolean;
}

/** Script files of the stories, by name. */
export function storyTexts(): { [name: string]: string } {
  return Object.fromEntries([...stories()].map(([name, path]) => [name, readFileSync(path, "utf8")]));
}

/** @throws UsageError for a log that is none, or a port that cannot be had */
export async function servePage({
  log,
  port = 0,
  open,
  words = [],
  actions = [],
}: ServedPage): Promise<void> {
  const { buildPage, contentPolicy } = await import("../page/build.ts");
  const { PageServer } = await import("../page/server/page-server.ts");
  // A file that is no log is refused here, in one line, and not in the browser.
  if (log !== undefined) new FileSource(log);
  const html = buildPage({ stories: storyTexts(), ...(log !== undefined && { served: basename(log) }) });
  const routes: Routes =
    log === undefined ? {} : { "GET /log": ({ response }) => pipeline(createReadStream(log), response) };
  const server = await PageServer.open({ html, policy: contentPolicy(log !== undefined), routes, port });
  const setUp = addressOf({ words, actions });
  const address = setUp && log === undefined ? `${server.address.split("#")[0]}#${setUp}` : server.address;
  const { signal } = interruptible();
  print(`The page is at ${address} (Ctrl-C ends it)\n`);
  if (open) openBrowser(address);
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
}
