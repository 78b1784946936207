/** `ringlab export`: a run's file in the format of another program. */
import { statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type Command, Option } from "commander";
import { UsageError } from "../../errors.ts";
import type { Exporter } from "../../log/export/exporter.ts";
import { FORMATS as LOG_FORMATS } from "../../log/export/formats.ts";
import { guardOutputs } from "../../log/file/overwrite.ts";
import { FileSource, type RunSource, windowOf } from "../../log/file/source.ts";
import { html } from "../../page/html.ts";
import { timeOption } from "../../simulation/option-values.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { oneOf } from "../options.ts";
import { Progress } from "../progress.ts";
import { complain, print, printJson } from "../terminal.ts";
import { writeOutput } from "../whole-output.ts";

interface ExportOptions {
  to: string;
  out?: string;
  from?: number;
  until?: number;
  json?: boolean;
}

/** The page, a layer above the log, has a format as well. */
const FORMATS: readonly Exporter[] = [...LOG_FORMATS, html];

const NAMES = FORMATS.map(({ name }) => name);

const EXAMPLES = `
Formats:
${FORMATS.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join("\n")}

Examples:
  ringlab export ring.ndjson --to pcapng
  ringlab export ring.ndjson --to vcd --from 2s --until 2100ms --out election.vcd
  ringlab export ring.ndjson --to mermaid --from 4s --until 6s --out -

A VCD says in its first line at which baud rate its tx lanes run. sigrok turns idle
time into samples: give it a long VCD with -I vcd:compress=100000.`;

export function register(program: Command): void {
  program
    .command("export")
    .description("write a run's file in the format of another program")
    .argument("<file>", "a file that run --log wrote")
    .addOption(new Option("--to <format>", `one of ${NAMES.join(", ")}`).makeOptionMandatory())
    .option("--out <path>", "where to write; - is stdout (default: beside FILE, with the format's ending)")
    .option("--from <time>", "only what happened from this time of the run on, e.g. 2s", timeOption("--from"))
    .option("--until <time>", "only what happened up to this time", timeOption("--until"))
    .option("--json", "one JSON object on stdout that says what was written")
    .addHelpText("after", EXAMPLES)
    .action(exportRun);
}

async function exportRun(file: string, options: ExportOptions): Promise<void> {
  const format = FORMATS.find(({ name }) => name === oneOf("--to", options.to, NAMES)) as Exporter;
  const progress = new Progress(`exporting ${file}`);
  const source = new FileSource(file, (part) => progress.show(part));
  const part = partOf(source, format, options);
  const out = options.out ?? join(dirname(file), `${basename(file, extname(file))}${format.ending}`);
  if (out !== "-")
    guardOutputs([{ option: "--out", path: out, kind: format }], [{ what: "run itself", path: file }]);
  const ending = interruptible();
  if (!(await writeOutput(out, format.pieces(part), ending))) {
    progress.done();
    if (ending.interrupted) process.exitCode = INTERRUPTED;
    return;
  }
  progress.done();
  const { warnings } = source;
  if (options.json) {
    const bytes = out === "-" ? undefined : statSync(out).size;
    printJson({ format: format.name, out, bytes, warnings }, out === "-" ? process.stderr : process.stdout);
  } else if (out !== "-") print(`wrote ${out}: ${format.about}\n`);
  for (const warning of warnings) complain(warning);
}

/** The part of the run between `--from` and `--until`. */
function partOf(source: FileSource, format: Exporter, options: ExportOptions): RunSource {
  const { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = options;
  if (from > until) throw new UsageError("--from is later than --until");
  if (options.from === undefined && options.until === undefined) return source;
  if (format.whole)
    throw new UsageError(
      `--to ${format.name} takes the whole run (${format.whole}): leave out --from and --until`,
    );
  return windowOf(source, from, until);
}
