/** What `run` says before the first event and after the last. */
import { bounds, serviceBound } from "../check/bounds.ts";
import { escapeControls } from "../errors.ts";
import { answerMs } from "../host/ring/silence-watch.ts";
import { formatTime } from "../log/format.ts";
import { gapText, requestsText } from "../log/summary/summary-text.ts";
import type { Tally } from "../log/summary/tally.ts";
import type { TokenTimes } from "../log/summary/token-times.ts";
import { limitsOf, type Plan } from "../simulation/plan.ts";
import { idWords, rows } from "./words.ts";

/**
 * @param boards the ring is one of boards, whose hub expects an answer to each frame
 * @returns the ring, its time limits and how long each recovery takes at the most, all in ms
 */
export function opening(plan: Plan, boards: boolean): string {
  const limits = limitsOf(plan);
  const answer = boards && plan.wiring === "hub" ? { answerMs: answerMs(limits) } : {};
  const number = (ms: number) => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(1));
  const named = Object.entries(limits).concat(Object.values(answer).map((ms) => ["answer", ms]));
  const shown = named.map(([name, ms]) => `${name} ${number(ms)}`);
  return [
    `Ring of stations ${idWords(plan.ids, " → ")} → (${plan.wiring}, ${plan.baud} baud, election ${plan.election}, seed ${plan.seed})`,
    `Limits in ms: ${shown.join(", ")}`,
    "Recovery in ms at the most:",
    ...[...bounds({ ...plan, limits, ...answer }), serviceBound({ ...plan, limits })].map(
      ({ fault, from, formula, ms }) =>
        `  ${fault.padEnd(22)}${number(ms).padStart(8)}  from ${from}: ${formula}`,
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
    ["requests", requestsText(tally.requests.counts())],
    ["messages", counts(tally.messages)],
    ["coordinator", result.coordinator < 0 ? "none yet" : String(result.coordinator)],
    ["epoch", String(result.epoch)],
    ...tokenRows(tally.token.result(micros)),
    ...writeRows(tally),
    ["frames dropped, refused", `${tally.count("dropped")}, ${tally.count("bad")}`],
    ["log", result.log ?? "none (--log FILE keeps one)"],
  ])}`;
}

/** So many outages are told; the log has all. */
const OUTAGES = 5;

/** Not every algorithm has a token. */
function tokenRows({ first, made, lost, gap, outages, outageList }: TokenTimes): [string, string][] {
  if (first === null) return [["tokens", "none"]];
  const rows: [string, string][] = [["tokens made, lost", `${made}, ${lost}`]];
  if (gap) rows.push(["largest gap", gapText(gap)]);
  for (const { from, to, took, cause, open } of outageList.slice(0, OUTAGES)) {
    const end = open ? "the end" : `${formatTime(to)} s`;
    rows.push([
      "no token",
      `for ${(took / 1000).toFixed(3)} ms, ${formatTime(from)} to ${end}: ${escapeControls(cause)}`,
    ]);
  }
  if (outages > OUTAGES)
    rows.push(["", `and ${outages - OUTAGES} more times (log --summary of a log has them)`]);
  return rows;
}

/** Only a ring with leases has a resource that is written to. */
function writeRows({ writes }: Tally): [string, string][] {
  const { accepted, refused } = writes;
  return accepted + refused ? [["writes accepted, refused", `${accepted}, ${refused}`]] : [];
}
