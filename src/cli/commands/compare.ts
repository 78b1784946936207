/** `ringlab compare`: the textbook's tables, measured. */
import type { Command } from "commander";
import { type Bench, loadBench } from "../../bench-file/load-bench.ts";
import { UsageError } from "../../errors.ts";
import { benchRunner, HOLD_MS } from "../../host/bench/bench-runner.ts";
import { svg } from "../../log/export/svg.ts";
import { guardOutputs } from "../../log/file/overwrite.ts";
import { mutexNames } from "../../protocols/registry.ts";
import { comparedAlgorithms } from "../../textbook/algorithms.ts";
import { compare, compareOn, defaultTask } from "../../textbook/compare.ts";
import type { Comparison } from "../../textbook/comparison.ts";
import { comparisonChart } from "../../textbook/comparison-chart.ts";
import { comparisonCsv } from "../../textbook/comparison-csv.ts";
import { comparisonText } from "../compare-text.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { draw, print, printJson } from "../terminal.ts";
import { writeOutput } from "../whole-output.ts";

interface CompareOptions {
  stations?: number[];
  algorithms?: string[];
  contenders: number;
  seed: number;
  bench?: string;
  json?: boolean;
  csv?: boolean;
  svg?: string;
}

/** More stations than this take minutes. */
const MOST_STATIONS = 250;

/** The list of algorithms, and examples. */
function details(): string {
  const algorithms = comparedAlgorithms();
  const width = Math.max(...algorithms.map(({ name }) => name.length)) + 2;
  const list = algorithms.map(
    ({ name, messages, source }) => `  ${name.padEnd(width)}${messages}\n${" ".repeat(width + 2)}${source}`,
  );
  return `
Algorithms:
${list.join("\n")}

Examples:
  ringlab compare
  ringlab compare --stations 9,25 --algorithms maekawa,raymond --contenders 9
  ringlab compare --json
  ringlab compare --csv > tables.csv
  ringlab compare --svg messages.svg
  ringlab compare --bench emulated-5 --algorithms token-ring,centralised,ricart-agrawala

A message is one send from a station to a station; a hop is the passage of a frame over one link of the ring.`;
}

export function register(program: Command): void {
  const usual = defaultTask();
  program
    .command("compare")
    .description("measure the textbook's tables: what each algorithm costs, beside what the book says")
    .option(
      "--stations <list>",
      `sizes of the rings, with commas (default: ${usual.stations.join(",")})`,
      (text) => text.split(",").map(wholeNumber("--stations", 2, MOST_STATIONS)),
    )
    .option("--algorithms <list>", "some of the algorithms below, with commas (default: all)", (text) =>
      text.split(","),
    )
    .option(
      "--contenders <k>",
      "stations that ask at the same instant in the second table",
      wholeNumber("--contenders", 1, MOST_STATIONS),
      usual.contenders,
    )
    .option("--seed <n>", "seed of everything random", wholeNumber("--seed", 0, 2 ** 53 - 1), usual.seed)
    .option(
      "--bench <file>",
      "measure on the boards of a bench file, or of a ready one: a ring of its own size",
    )
    .option("--json", "one JSON object on stdout")
    .option("--csv", "one CSV table on stdout")
    .option("--svg <file>", "write a chart of messages against stations as well")
    .addHelpText("after", details())
    .action(run);
}

async function run(options: CompareOptions): Promise<void> {
  if (options.json && options.csv) throw new UsageError("--json and --csv: choose one of them");
  const { stations, algorithms } = defaultTask();
  const { contenders, seed } = options;
  const task = {
    stations: options.stations ?? stations,
    algorithms: options.algorithms ?? algorithms,
    contenders,
    seed,
  };
  const bench = options.bench === undefined ? undefined : loadBench(options.bench);
  if (bench && options.stations)
    throw new UsageError("--stations: a bench has the size that it has; leave it out");
  if (options.svg !== undefined)
    guardOutputs(
      [{ option: "--svg", path: options.svg, kind: svg }],
      options.bench === undefined ? [] : [{ what: "bench file", path: options.bench }],
    );
  const comparison = bench
    ? await compareBench(bench, options)
    : await compare(task, undefined, showProgress);
  showProgress("");
  if (!comparison) return;
  if (options.svg !== undefined) {
    const ending = interruptible();
    if (!(await writeOutput(options.svg, [comparisonChart(comparison.perEntry)], ending))) {
      process.exitCode = INTERRUPTED;
      return;
    }
  }
  if (options.json) printJson(bench ? { bench: bench.title, ...comparison } : comparison);
  else if (options.csv) print(comparisonCsv(comparison));
  else print((bench ? heading(bench) : "") + comparisonText(comparison));
  if (!comparison.matches) process.exitCode = 1;
}

/** @returns the tables that a bench allows, the others empty; null when it was interrupted */
async function compareBench(bench: Bench, options: CompareOptions): Promise<Comparison | null> {
  const { algorithms = mutexNames(), contenders, seed } = options;
  const ids = bench.stations.map(({ id }) => id);
  const task = { ids, algorithms, contenders, seed };
  const { signal } = interruptible();
  const tables = await compareOn(task, benchRunner(bench, signal), showProgress).catch((error) => {
    if (error !== signal.reason) throw error;
    process.exitCode = INTERRUPTED;
  });
  if (!tables) return null;
  const matches = [...tables.perEntry, ...tables.simultaneous].every((row) => row.matches);
  return { ...tables, contended: [], elections: [], matches };
}

function heading({ title, wiring, stations }: Bench): string {
  return `${title}: measured on its ${stations.length} stations (${wiring})
(limited to what fits: this one size, no contended trace, no elections)
(ms of the token ring: an idle station keeps the token ${HOLD_MS} ms, so that it is known where it is)

`;
}

/** What is measured now, on a terminal only. */
function showProgress(what: string): void {
  if (process.stderr.isTTY) draw(`\r\x1b[K${what}`, process.stderr);
}
