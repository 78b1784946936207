/** `ringlab check`: seeded runs of rings with faults, in search of one that breaks a claim. */

import { type Command, Option } from "commander";
import { UsageError } from "../../errors.ts";
import { outcomeOf } from "../../host/search/outcome.ts";
import { search } from "../../host/search/search.ts";
import { Totals } from "../../host/search/totals.ts";
import { electionNames, mutexNames } from "../../protocols/registry.ts";
import type { Wiring } from "../../simulation/plan.ts";
import { trialOf } from "../../simulation/search/random-trial.ts";
import type { RingChoice } from "../../simulation/search/ring-draw.ts";
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
import { oneOf, wholeNumber } from "../options.ts";
import { Progress } from "../progress.ts";
import { print, printJson } from "../terminal.ts";

interface CheckOptions {
  runs: number;
  seed: number;
  only?: number;
  exhaustive: number;
  stations?: number;
  wiring?: Wiring;
  election?: string;
  mutex?: string;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab check
  ringlab check --runs 20000 --seed 5000
  ringlab check --runs 2000 --seed 1 --json
  ringlab check --runs 200 --exhaustive 4
  ringlab check --only 1234
  ringlab check --mutex maekawa --wiring wired --exhaustive 0

Each seed makes a ring (size, ids, wiring, speed, election, leases) and faults that
happen to it, and in every fifth stations ask at any time from power-up, by any mutual exclusion. Those other than the
token ring rest on every station being there: in their rings nobody is lost. An observer that reads only records checks every claim after every
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

const WIRINGS: readonly string[] = ["hub", "wired"];
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
    .option("--stations <n>", "all rings of the runs have so many stations", wholeNumber("--stations", 2, 50))
    .option("--wiring <kind>", "all are wired so: hub or wired", (text) => oneOf("--wiring", text, WIRINGS))
    .option("--election <name>", `all use this election, one of ${electionNames().join(", ")}`, (text) =>
      oneOf("--election", text, electionNames()),
    )
    .option("--mutex <name>", `all use this mutual exclusion, one of ${mutexNames().join(", ")}`, (text) =>
      oneOf("--mutex", text, mutexNames()),
    )
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(check);
}

async function check(options: CheckOptions): Promise<void> {
  const { only, json } = options;
  const { stations, wiring, election, mutex } = options;
  const choice = given({ stations, wiring, election, mutex });
  const totals = only === undefined ? await searchAll(options, choice) : one(only, choice);
  report(totals, only ?? options.seed, choice, json);
}

/** Says how a search ended, and sets the exit code. @param seed the first one */
export function report(totals: Totals, seed: number, choice: RingChoice = {}, json = false): void {
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
  const trial = trialOf(failed, choice);
  print(`\n${violationText(failed, trial, choice)}`, out);
  print(`\n${scenarioText(trial, runTrial(trial).violation?.claim ?? "")}`, out);
}

/** @returns the choice without what nobody has chosen */
function given(choice: { [name in keyof RingChoice]: RingChoice[name] | undefined }): RingChoice {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

function one(seed: number, choice: RingChoice): Totals {
  const totals = new Totals();
  totals.add(outcomeOf(seed, choice));
  return totals;
}

async function searchAll({ runs, seed, exhaustive }: CheckOptions, choice: RingChoice): Promise<Totals> {
  const ending = interruptible();
  const progress = new Progress(`checking ${runs} runs`);
  try {
    return await search({
      seed,
      runs,
      choice,
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
