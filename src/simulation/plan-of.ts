/** A simulated ring as options describe it: those of the command line, of a script's first line, of the page's address. */
import { LEAST_ROTATIONS } from "../../firmware/limits.js";
import { ELECTIONS, MUTEXES } from "../../firmware/protocols.js";
import { quote, UsageError } from "../errors.ts";
import { consecutiveIds, DEFAULT_PLAN, type Plan } from "./plan.ts";
import { parseTime } from "./script/arguments.ts";

export const ELECTION_NAMES: readonly string[] = ELECTIONS.map((protocol) => protocol.name);

export const MUTEX_NAMES: readonly string[] = MUTEXES.map((protocol) => protocol.name);

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
