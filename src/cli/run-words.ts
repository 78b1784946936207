/** What `run` says before the first event and after the last. */
import { bounds } from "../check/bounds.ts";
import type { Tally } from "../log/summary/tally.ts";
import { limitsOf, type Plan } from "../simulation/plan.ts";
import { idWords, rows } from "./words.ts";

/** @returns the ring, its time limits and how long each recovery takes at the most, all in ms */
export function opening(plan: Plan): string {
  const limits = limitsOf(plan);
  const number = (ms: number) => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(1));
  const shown = Object.entries(limits).map(([name, ms]) => `${name} ${number(ms)}`);
  return [
    `Ring of stations ${idWords(plan.ids, " → ")} → (${plan.wiring}, ${plan.baud} baud, election ${plan.election}, seed ${plan.seed})`,
    `Limits in ms: ${shown.join(", ")}`,
    "Recovery in ms at the most:",
    ...bounds({ ...plan, limits }).map(
      ({ fault, from, formula, ms }) =>
        `  ${fault.padEnd(20)}${number(ms).padStart(8)}  from ${from}: ${formula}`,
    ),
    "",
  ].join("\n");
}

export interface RunResult {
  stations: number;
  hops: number;
  entries: number;
  coordinator: number;
  epoch: number;
  violations: number;
  log: string | null;
}

/** @param micros how long the ring ran */
export function closing(result: RunResult, tally: Tally, micros: number): string {
  const counts = (of: { [name: string]: number }) =>
    Object.entries(of)
      .map(([name, n]) => `${name} ${n}`)
      .join(", ") || "none";
  return `\n${rows([
    ["ring time", `${(micros / 1e6).toFixed(3)} s`],
    ["stations", String(result.stations)],
    ["hops", `${result.hops} (${counts(tally.hopsByType)})`],
    ["entries", String(result.entries)],
    ["messages", counts(tally.messages)],
    ["coordinator", result.coordinator < 0 ? "none yet" : String(result.coordinator)],
    ["epoch", String(result.epoch)],
    ["tokens lost, made", `${tally.count("lost")}, ${tally.count("regenerated")}`],
    ...writeRows(tally),
    ["frames dropped, refused", `${tally.count("dropped")}, ${tally.count("bad")}`],
    ["log", result.log ?? "none (--log FILE keeps one)"],
  ])}`;
}

/** Only a ring with leases has a resource that is written to. */
function writeRows({ writes }: Tally): [string, string][] {
  const { accepted, refused } = writes;
  return accepted + refused ? [["writes accepted, refused", `${accepted}, ${refused}`]] : [];
}
