/** `ringlab page`: a page where a ring runs, is broken and understood. */
import { once } from "node:events";
import { createReadStream, readFileSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { guardOutputs } from "../../log/file/overwrite.ts";
import { FileSource } from "../../log/file/source.ts";
import { html as exportHtml } from "../../page/html.ts";
import type { Routes } from "../../page/server/page-server.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { openBrowser } from "../open-browser.ts";
import { wholeNumber } from "../options.ts";
import { stories } from "../script-file.ts";
import { print } from "../terminal.ts";
import { writeOutput } from "../whole-output.ts";

interface PageOptions {
  out?: string;
  port: number;
  open: boolean;
}

const EXAMPLES = `
Examples:
  ringlab page                        a simulated ring, in the browser
  ringlab page ring.ndjson            the log of a run
  ringlab page --out ringlab.html     the page as a file, to hand to a class

The page listens on 127.0.0.1 only; Ctrl-C ends it.`;

export function register(program: Command): void {
  program
    .command("page")
    .description("a page where the ring runs, is broken, is understood")
    .argument("[log]", "a file that run --log wrote")
    .option("--out <file>", "write the page to a file, which needs no other file and no network")
    .option(
      "--port <n>",
      "serve it on this port (default: any that is free)",
      wholeNumber("--port", 0, 65_535),
      0,
    )
    .option("--no-open", "only print the address")
    .addHelpText("after", EXAMPLES)
    .action(page);
}

/** Script files of the stories, by name. */
export function storyTexts(): { [name: string]: string } {
  return Object.fromEntries([...stories()].map(([name, path]) => [name, readFileSync(path, "utf8")]));
}

async function page(log: string | undefined, options: PageOptions): Promise<void> {
  if (options.out !== undefined) {
    if (log !== undefined)
      throw new UsageError(`a page with a log in it is made by "ringlab export ${log} --to html"`);
    await write(options.out);
    return;
  }
  const { buildPage, contentPolicy } = await import("../../page/build.ts");
  const { PageServer } = await import("../../page/server/page-server.ts");
  const served = log === undefined ? undefined : basename(log);
  // A file that is no log is refused here, in one line, and not in the browser.
  if (log !== undefined) new FileSource(log);
  const html = buildPage({ stories: storyTexts(), ...(served !== undefined && { served }) });
  const routes: Routes =
    log === undefined ? {} : { "GET /log": ({ response }) => pipeline(createReadStream(log), response) };
  const policy = contentPolicy(log !== undefined);
  const server = await PageServer.open({ html, policy, routes, port: options.port });
  const { signal } = interruptible();
  print(`The page is at ${server.address} (Ctrl-C ends it)\n`);
  if (options.open) openBrowser(server.address);
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
}

async function write(path: string): Promise<void> {
  const { buildPage } = await import("../../page/build.ts");
  guardOutputs([{ option: "--out", path, kind: exportHtml }]);
  if (await writeOutput(path, [buildPage({ stories: storyTexts() })], interruptible()))
    print(`wrote ${path}: open it in any browser\n`);
  else process.exitCode = INTERRUPTED;
}
