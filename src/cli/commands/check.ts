/** `ringlab check`: seeded runs of rings with faults, in search of one that breaks a claim. */
import { type Command, Option } from "commander";
import { UsageError } from "../../errors.ts";
import { outcomeOf } from "../../host/search/outcome.ts";
import { search } from "../../host/search/search.ts";
import { Totals } from "../../host/search/totals.ts";
import { trialOf } from "../../simulation/search/random-trial.ts";
import { runTrial } from "../../simulation/search/trial.ts";
import {
  scenarioText,
  smallRingsSoFar,
  smallRingText,
  summaryJson,
  summaryText,
  violationText,
} from "../check-words.ts";
import { interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { Progress } from "../progress.ts";
import { print, printJson } from "../terminal.ts";

interface CheckOptions {
  runs: number;
  seed: number;
  only?: number;
  exhaustive: number;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab check
  ringlab check --runs 20000 --seed 5000
  ringlab check --runs 2000 --seed 1 --json
  ringlab check --runs 200 --exhaustive 4
  ringlab check --only 1234

Each seed makes a ring (size, ids, wiring, speed, election, leases) and faults that
happen to it; an observer that reads only records checks every claim after every
record, and once the faults are over, that the ring recovers within its bound.
Beside these, rings of 2 and 3 stations (4 by --exhaustive) are searched exhaustively: every order in which
frames arrive and limits run out, with a crash and a loss at every moment.
The exit code is 1 when a claim does not hold, or when a small ring has more states than
fit; Ctrl-C ends with the summary so far.`;

const LAST_SEED = 2 ** 53 - 1;
const upToFour = wholeNumber("--exhaustive", 0, 4);

function sizeOfRings(text: string): number {
  const n = upToFour(text);
  if (n === 1)
    throw new UsageError('--exhaustive "1": a ring has two stations or more; write 2, 3 or 4, or 0 for none');
  return n;
}

const MOST_RUNS = 1_000_000_000;

export function register(program: Command): void {
  program
    .command("check")
    .description("search for faults that break a ring")
    .option("--runs <n>", "number of runs", wholeNumber("--runs", 1, MOST_RUNS), 2000)
    .option(
      "--seed <n>",
      "seed of the first run; the next have the next",
      wholeNumber("--seed", 0, LAST_SEED - MOST_RUNS),
      1,
    )
    .addOption(
      new Option("--only <seed>", "one run, that of this seed")
        .argParser(wholeNumber("--only", 0, LAST_SEED))
        .conflicts(["runs", "seed", "exhaustive"]),
    )
    .option(
      "--exhaustive <n>",
      "search rings of up to so many stations exhaustively: 2 to 4, which takes a minute more; 0: none",
      sizeOfRings,
      3,
    )
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(check);
}

async function check(options: CheckOptions): Promise<void> {
  const { only, json } = options;
  const totals = only === undefined ? await searchAll(options) : one(only);
  report(totals, only ?? options.seed, json);
}

/** Says how a search ended, and sets the exit code. @param seed the first one */
export function report(totals: Totals, seed: number, json = false): void {
  if (json) printJson(summaryJson(totals, seed));
  else print(summaryText(totals, seed));
  // Beside the object of --json there is nothing else on stdout.
  const out = json ? process.stderr : process.stdout;
  const [failed] = totals.failed;
  for (const ring of totals.smallRings) {
    if (!ring.violation && (ring.complete || ring.stopped)) continue;
    process.exitCode = 1;
    print(`\n${smallRingText(ring)}`, out);
  }
  if (failed === undefined) return;
  process.exitCode = 1;
  const trial = trialOf(failed);
  print(`\n${violationText(failed, trial)}`, out);
  print(`\n${scenarioText(trial, runTrial(trial).violation?.claim ?? "")}`, out);
}

function one(seed: number): Totals {
  const totals = new Totals();
  totals.add(outcomeOf(seed));
  return totals;
}

async function searchAll({ runs, seed, exhaustive }: CheckOptions): Promise<Totals> {
  const ending = interruptible();
  const progress = new Progress(`checking ${runs} runs`);
  try {
    return await search({
      seed,
      runs,
      exhaustive,
      signal: ending.signal,
      onProgress: (totals, rings) => progress.show(totals.runs / runs, smallRingsSoFar(rings)),
    });
  } finally {
    progress.done();
    // What shortens a script is too busy to look at signals.
    ending.release();
  }
}
