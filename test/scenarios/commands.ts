/** The commands of scenarios: one function each, in one table. */
import { Command } from "commander";
import { planOf, ringOptions, timeOptions } from "../../src/cli/options.ts";
import { quote, UsageError } from "../../src/errors.ts";
import { limitsOf } from "../../src/simulation/plan.ts";
import { parseAction, parseTime, schedule, VERBS } from "../../src/simulation/script/script.ts";
import { ASSERTIONS } from "./assertions.ts";
import { showRecord, showStations } from "./show.ts";
import { fits, Stage } from "./stage.ts";

/** What one command says; null stands for the ring before there is one. */
type Act = (stage: Stage | null, words: readonly string[]) => { stage: Stage; says: string[] };

/** A run to an event gives up after so long. */
const PATIENCE = parseTime("600s");

/** An assertion that does not hold. It fails the test also when expected parts are being rewritten. */
export class NotSo extends Error {}

/** Words of the form NAME=VALUE, with the names that are allowed. */
function named(words: readonly string[], allowed: readonly string[]): Map<string, string> {
  return new Map(
    words.map((word) => {
      const at = word.indexOf("=");
      if (at < 0 || !allowed.includes(word.slice(0, at)))
        throw new UsageError(
          `${quote(word)} does not fit: write one of ${allowed.map((n) => `${n}=...`).join(", ")}`,
        );
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** `ring stations=5 election=bully`: powers up a ring; the words are the options of `ringlab run`. */
function ring(words: readonly string[]): Stage {
  const options = timeOptions(ringOptions(new Command())).option("--election <name>");
  options.exitOverride().configureOutput({ writeErr: () => {} });
  options.parse(
    words.flatMap((word) => {
      const at = word.indexOf("=");
      return [`--${word.slice(0, at)}`, word.slice(at + 1)];
    }),
    { from: "user" },
  );
  return new Stage(planOf(options.opts()));
}

/** `run for=2s`, `run until=5s`, `run to=enter@3`, and what to show of it: `show=enter,exit`. */
function run(stage: Stage, words: readonly string[]): string[] {
  const options = named(words, ["for", "until", "to", "show"]);
  const { sim } = stage;
  const to = options.get("to");
  const duration = options.get("for");
  if (to !== undefined) runTo(stage, to);
  else
    sim.runUntil(
      duration === undefined ? parseTime(options.get("until") ?? "") : sim.clock.now + parseTime(duration),
    );
  const shown = options.get("show")?.split(",") ?? [];
  return stage
    .unseen()
    .filter((record) => shown.some((pattern) => fits(record, pattern)))
    .map(showRecord);
}

function runTo(stage: Stage, pattern: string): void {
  const { sim } = stage;
  const last = sim.clock.now + PATIENCE;
  for (;;) {
    const seen = stage.length;
    if (sim.clock.peek() > last || !sim.step())
      throw new UsageError(`no ${pattern} within ${PATIENCE / 1e6} s`);
    if (stage.from(seen).some((record) => fits(record, pattern))) return;
  }
}

function assert(stage: Stage, [name = "", ...words]: readonly string[]): void {
  const assertion = Object.hasOwn(ASSERTIONS, name) ? ASSERTIONS[name] : undefined;
  if (!assertion)
    throw new UsageError(`${quote(name)} is no assertion: use one of ${Object.keys(ASSERTIONS).join(", ")}`);
  const wrong = assertion(stage, words);
  if (wrong) throw new NotSo(`assert ${[name, ...words].join(" ")}: ${wrong}`);
}

/** `limits`: every time limit of the ring. */
function limits(stage: Stage): string[] {
  return Object.entries(limitsOf(stage.sim.plan)).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
}

/** An action of a script: at once, or `at 5s crash 3`. */
function action(stage: Stage, at: string | null, line: string): void {
  const { sim } = stage;
  const parsed = parseAction(`${at ?? `${sim.clock.now}us`} ${line}`);
  schedule(sim, [parsed]);
  if (at === null) sim.runUntil(sim.clock.now);
}

/** A command that needs a ring, and says nothing unless its function does. */
const onRing =
  (act: (stage: Stage, words: readonly string[]) => string[] | void): Act =>
  (stage, words) => {
    if (!stage) throw new UsageError("there is no ring yet: begin with ring stations=5");
    return { stage, says: act(stage, words) ?? [] };
  };

const COMMANDS: { [name: string]: Act } = {
  ring: (_, words) => ({ stage: ring(words), says: [] }),
  run: onRing(run),
  at: onRing((stage, [time = "", ...words]) => action(stage, time, words.join(" "))),
  mark: onRing((stage) => stage.mark()),
  assert: onRing(assert),
  stations: onRing(({ sim }) => showStations(sim)),
  limits: onRing(limits),
};

/** Carries out one line. @throws UsageError, or NotSo where an assertion does not hold */
export function perform(stage: Stage | null, line: string): { stage: Stage; says: string[] } {
  const [name = "", ...words] = line.split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command(stage, words);
  if (Object.hasOwn(VERBS, name)) return onRing((ring) => action(ring, null, line))(stage, words);
  throw new UsageError(
    `${quote(name)} is no command: use one of ${[...Object.keys(COMMANDS), ...Object.keys(VERBS)].join(", ")}`,
  );
}
