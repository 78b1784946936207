/** What several commands read from their options in the same way. */
import type { Command } from "commander";
import { LEAST_ROTATIONS } from "../../firmware/limits.js";
import { ELECTIONS, MUTEXES } from "../../firmware/protocols.js";
import { parseIds } from "../bench-file/id.ts";
import { quote, UsageError } from "../errors.ts";
import { consecutiveIds, DEFAULT_PLAN, type Plan } from "../simulation/plan.ts";
import { parseTime } from "../simulation/script/script.ts";

const MOST_STATIONS = 100_000;
const LEAST_PACE = 0.0001;
const MOST_PACE = 1_000_000;

export const ELECTION_NAMES: readonly string[] = ELECTIONS.map((protocol) => protocol.name);

export const MUTEX_NAMES: readonly string[] = MUTEXES.map((protocol) => protocol.name);

/** Gathers a repeatable option. */
export function repeated(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** @throws UsageError naming the option */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const n = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(n >= least && n <= most)) {
      throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${quote(text)}`);
    }
    return n;
  };
}

/** @returns a parser of numbers with commas between, whose errors name the option */
export function wholeNumbers(option: string, least: number, most: number): (text: string) => number[] {
  return (text) => text.split(",").map(wholeNumber(option, least, most));
}

/** @returns a parser of ids, each once: `3`, `1,4,7` or `0-7`, whose errors name the option */
export function idList(option: string): (text: string) => number[] {
  return (text) => parseIds(text, option);
}

/** Adds the options that describe a simulated ring. */
export function ringOptions(command: Command): Command {
  return command
    .option(
      "--stations <n>",
      "number of stations, with ids from 1",
      wholeNumber("--stations", 1, MOST_STATIONS),
    )
    .option("--ids <ids>", "ids in ring order, e.g. 0-7 or 4,2,9", idList("--ids"))
    .option("--wiring <kind>", "hub (star, the host carries frames) or wired (a chain of UARTs)")
    .option("--baud <n>", "bits per second of a link", wholeNumber("--baud", 300, 10_000_000))
    .option("--seed <n>", "seed of everything random", wholeNumber("--seed", 0, 2 ** 53 - 1));
}

/** Adds the options that change a ring's times. */
export function timeOptions(command: Command): Command {
  return command
    .option("--hold <time>", "an idle station keeps the token so long, e.g. 100ms")
    .option("--critical <time>", "how long a critical section lasts, e.g. 20ms")
    .option("--lease <time>", "longest entry before it is given up for lost (default: none)")
    .option("--preempt <time>", "a higher id waits so long before it takes over; never: it does not")
    .option(
      "--limit <name=ms>",
      `replaces a time limit (${Object.keys(LEAST_ROTATIONS).join(", ")}); repeatable`,
      repeated,
    );
}

/** Adds every option of a simulated ring: its stations, protocols and times. */
export function planOptions(command: Command): Command {
  command
    .option("--election <name>", "bully, ring or chang-roberts")
    .option("--mutex <name>", `mutual exclusion of a simulated ring, one of ${MUTEX_NAMES.join(", ")}`);
  return timeOptions(ringOptions(command));
}

export interface RingOptions {
  stations?: number;
  ids?: number[];
  wiring?: string;
  baud?: number;
  seed?: number;
  election?: string;
  mutex?: string;
  hold?: string;
  critical?: string;
  lease?: string;
  preempt?: string;
  limit?: string[];
}

/** @returns the plan of the ring that the options describe @throws UsageError */
export function planOf(options: RingOptions): Plan {
  const plan: Plan = { ...DEFAULT_PLAN, limits: {} };
  if (options.ids && options.stations !== undefined && options.ids.length !== options.stations) {
    throw new UsageError(
      `--ids names ${options.ids.length} stations and --stations says ${options.stations}: leave one out`,
    );
  }
  if (options.ids) plan.ids = options.ids;
  else if (options.stations !== undefined) plan.ids = consecutiveIds(options.stations);
  if (options.wiring !== undefined) {
    if (options.wiring !== "hub" && options.wiring !== "wired") {
      throw new UsageError(`--wiring must be hub or wired, not ${quote(options.wiring)}`);
    }
    plan.wiring = options.wiring;
  }
  if (options.baud !== undefined) plan.baud = options.baud;
  if (options.seed !== undefined) plan.seed = options.seed;
  if (options.election !== undefined) plan.election = oneOf("--election", options.election, ELECTION_NAMES);
  if (options.mutex !== undefined) plan.mutex = oneOf("--mutex", options.mutex, MUTEX_NAMES);
  // The Ring elections do not take over from a lower coordinator unless asked to.
  plan.preemptMs = plan.election === "bully" ? plan.preemptMs : -1;
  if (options.hold !== undefined) plan.holdMs = parseTime(options.hold) / 1000;
  if (options.critical !== undefined) plan.criticalMs = parseTime(options.critical) / 1000;
  if (options.lease !== undefined) plan.leaseMs = parseTime(options.lease) / 1000;
  if (options.preempt !== undefined)
    plan.preemptMs = options.preempt === "never" ? -1 : parseTime(options.preempt) / 1000;
  for (const text of options.limit ?? []) {
    const [, name = "", ms = ""] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    if (!Object.hasOwn(LEAST_ROTATIONS, name)) {
      throw new UsageError(
        `--limit ${quote(text)}: write NAME=MS, NAME one of ${Object.keys(LEAST_ROTATIONS).join(", ")}`,
      );
    }
    plan.limits[name as keyof typeof LEAST_ROTATIONS] = Number(ms);
  }
  return plan;
}

/** @throws UsageError naming the option and what it may be */
export function oneOf(option: string, text: string, names: readonly string[]): string {
  if (!names.includes(text))
    throw new UsageError(`${option} must be one of ${names.join(", ")}, not ${quote(text)}`);
  return text;
}

/** @returns virtual seconds per second: `max`, `realtime` or a factor */
export function parsePace(text: string): number {
  if (text === "max") return Infinity;
  if (text === "realtime") return 1;
  const pace = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  if (!(pace >= LEAST_PACE && pace <= MOST_PACE)) {
    throw new UsageError(
      `--pace must be max, realtime or a factor from ${LEAST_PACE} to ${MOST_PACE} like 0.1, not ${quote(text)}`,
    );
  }
  return pace;
}
