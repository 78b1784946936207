/** What `check` says: the summary of a search, and how a violation came about. */

import type { SmallRingsSoFar } from "../host/search/search.ts";
import { part, type SmallRing, type Totals, type Worst } from "../host/search/totals.ts";
import { DEFAULT_PLAN } from "../simulation/plan.ts";
import type { RingChoice } from "../simulation/search/ring-draw.ts";
import { shrink } from "../simulation/search/shrink.ts";
import { traceOf } from "../simulation/search/trace.ts";
import { runTrial, type Trial } from "../simulation/search/trial.ts";
import { rows } from "./words.ts";

/** Claims about how a run ends, which are made only where all faults have ended. */
const AT_THE_END = new Set(["liveness", "bound"]);

const number = (ms: number) => ms.toFixed(1);

/** @param first the first seed */
export function summaryText(totals: Totals, first: number): string {
  const { runs, violations, failed, faults, longest, nearest } = totals;
  const kinds = Object.entries(byName(faults));
  const all = kinds.reduce((sum, [, n]) => sum + n, 0);
  const beside = (worst: Worst) =>
    worst.seed < 0
      ? "none"
      : `${number(worst.recoveryMs)} ms, its bound ${number(worst.boundMs)} ms (${percent(worst)}, seed ${worst.seed})`;
  const summary = rows([
    ["runs", `${runs}, seeds from ${first}`],
    ["violations", violations ? `${violations}: seeds ${failed.join(", ")}` : "none"],
    ["faults injected", `${all}${all ? ` (${kinds.map(([kind, n]) => `${kind} ${n}`).join(", ")})` : ""}`],
    [
      "recovery p50, p99",
      runs ? `${number(totals.recovery(0.5))} ms, ${number(totals.recovery(0.99))} ms` : "none",
    ],
    ["longest recovery", beside(longest)],
    ["nearest to its bound", beside(nearest)],
  ]);
  if (totals.smallRings.length === 0) return summary;
  const left = totals.smallRingsLeft > 0 ? `Stopped before ${totals.smallRingsLeft} more small rings.\n` : "";
  return `${summary}\nEvery order of events in small rings:\n${rows(totals.smallRings.map(smallRingRow))}${left}`;
}

/** @returns what the line of progress says of the small rings; "" when there are none, or all are done */
export function smallRingsSoFar({ done, all, states }: SmallRingsSoFar): string {
  return done < all ? `, small rings ${done} of ${all}, ${states} states` : "";
}

function smallRingRow(ring: SmallRing): [string, string] {
  const { stations, election, start, faults, states, complete, stopped, violation } = ring;
  const how = violation
    ? "VIOLATED"
    : complete
      ? "complete"
      : stopped
        ? "stopped, not complete"
        : "NOT COMPLETE";
  return [`${stations} stations, ${election}, ${start}`, `${states} states, ${how} (${faults})`];
}

/** @returns how a small ring violates a claim, step by step; or that nobody knows whether it does */
export function smallRingText({ stations, election, start, states, violation }: SmallRing): string {
  const cut = `not searched to the end, it has more than ${states} states`;
  const lines = [
    `${stations} stations, ${election}, ${start}: ${violation?.text ?? cut}`,
    ...(violation?.trace ?? []),
  ];
  return `${lines.join("\n")}\n`;
}

/** In an order that does not depend on which trial ended first. */
function byName(faults: Totals["faults"]): Totals["faults"] {
  return Object.fromEntries(Object.entries(faults).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function percent(worst: Worst): string {
  return `${(100 * part(worst)).toFixed(1)} %`;
}

/** @param seed the first one @returns the object of --json; times in milliseconds */
export function summaryJson(totals: Totals, seed: number): object {
  const { runs, violations, failed, faults, longest, nearest } = totals;
  const recoveryMs = {
    p50: totals.recovery(0.5),
    p99: totals.recovery(0.99),
    max: longest.recoveryMs,
    bound: longest.boundMs,
    worstPart: part(nearest),
    worstSeed: nearest.seed,
  };
  const exhaustive = totals.smallRings;
  const all = violations + exhaustive.filter((ring) => ring.violation).length;
  return { runs, violations: all, failed, faults: byName(faults), recoveryMs, seed, exhaustive };
}

/** @returns how the trial of a seed violates what claim; "" when it does not */
export function violationText(seed: number, trial: Trial, choice: RingChoice): string {
  const { violation, records } = runTrial(trial);
  if (!violation) return "";
  const { claim, text, t } = violation;
  const chosen = Object.entries(choice)
    .map(([name, value]) => ` --${name} ${value}`)
    .join("");
  return [
    `Seed ${seed}: ${claim} does not hold at ${t / 1e6} s: ${text}`,
    ...traceOf(records, violation),
    `Repeat it: npm run -s ringlab -- check --only ${seed}${chosen}`,
    "",
  ].join("\n");
}

/** @returns the shortest script that still shows it, as `run --script` reads it */
export function scenarioText(trial: Trial, claim: string): string {
  const small = shrink(trial, claim);
  const { plan, script } = small;
  const seconds = Math.ceil((runTrial(small).violation?.t ?? 0) / 1e6);
  const { boardMicros, hostMicros } = DEFAULT_PLAN;
  return [
    `# ${claim} does not hold in this run: save these lines as FILE, then`,
    `# ringlab run ${runOptions(small).join(" ")} --duration ${seconds}s --script FILE`,
    ...(AT_THE_END.has(claim)
      ? ["# run shows what happens; that the end is wrong, only check can say."]
      : []),
    ...(plan.boardMicros === boardMicros && plan.hostMicros === hostMicros
      ? []
      : [
          `# The search had boards that take ${plan.boardMicros} µs for a frame, and a hub that takes ${plan.hostMicros} µs.`,
        ]),
    ...script,
    "",
  ].join("\n");
}

function runOptions({ plan }: Trial): string[] {
  const options: [name: string, value: string][] = [
    ["ids", plan.ids.join()],
    ["wiring", plan.wiring],
    ["baud", String(plan.baud)],
    ["seed", String(plan.seed)],
    ["election", plan.election],
    ["mutex", plan.mutex],
    ["hold", `${plan.holdMs}ms`],
    ["critical", `${plan.criticalMs}ms`],
    ["lease", `${plan.leaseMs}ms`],
    ["preempt", plan.preemptMs < 0 ? "never" : `${plan.preemptMs}ms`],
  ];
  return options.map(([name, value]) => `--${name} ${value}`);
}
