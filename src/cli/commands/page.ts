/** `ringlab page`: a page where a ring runs, is broken and understood. */
import type { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { guardOutputs } from "../../log/file/overwrite.ts";
import { html as exportHtml } from "../../page/html.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { servePage, storyTexts } from "../serve-page.ts";
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

async function page(log: string | undefined, options: PageOptions): Promise<void> {
  if (options.out !== undefined) {
    if (log !== undefined)
      throw new UsageError(`a page with a log in it is made by "ringlab export ${log} --to html"`);
    await write(options.out);
    return;
  }
  const { port, open } = options;
  await servePage({ port, open, ...(log !== undefined && { log }) });
}

async function write(path: string): Promise<void> {
  const { buildPage } = await import("../../page/build.ts");
  guardOutputs([{ option: "--out", path, kind: exportHtml }]);
  if (await writeOutput(path, [buildPage({ stories: storyTexts() })], interruptible()))
    print(`wrote ${path}: open it in any browser\n`);
  else process.exitCode = INTERRUPTED;
}
