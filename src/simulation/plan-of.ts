/** A simulated ring as options describe it: those of the command line, of a script's first line, of the page's address. */
import { LEAST_ROTATIONS } from "../../firmware/limits.js";
import { quote, UsageError } from "../errors.ts";
import { electionNames, mutexNames } from "../protocols/registry.ts";
import { timeOption } from "./option-values.ts";
import { consecutiveIds, DEFAULT_PLAN, defaultPreemptMs, type Plan, type Wiring } from "./plan.ts";

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
  if (options.wiring !== undefined) plan.wiring = wiringOf(options.wiring);
  if (options.baud !== undefined) plan.baud = options.baud;
  if (options.seed !== undefined) plan.seed = options.seed;
  if (options.election !== undefined) plan.election = oneOf("--election", options.election, electionNames());
  if (options.mutex !== undefined) plan.mutex = oneOf("--mutex", options.mutex, mutexNames());
  plan.preemptMs = defaultPreemptMs(plan.election);
  return withTimes(plan, options);
}

/** @throws UsageError */
export function wiringOf(text: string): Wiring {
  if (text !== "hub" && text !== "wired")
    throw new UsageError(`--wiring must be hub or wired, not ${quote(text)}`);
  return text;
}

/** @returns the plan with the times and limits of the options in the place of its own @throws UsageError */
export function withTimes(plan: Plan, { hold, critical, lease, preempt, limit }: RingOptions): Plan {
  const limits = { ...plan.limits };
  for (const text of limit ?? []) {
    const [, name = "", ms = ""] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    if (!Object.hasOwn(LEAST_ROTATIONS, name)) {
      throw new UsageError(
        `--limit ${quote(text)}: write NAME=MS, NAME one of ${Object.keys(LEAST_ROTATIONS).join(", ")}`,
      );
    }
    limits[name as keyof typeof LEAST_ROTATIONS] = Number(ms);
  }
  return {
    ...plan,
    holdMs: millis("--hold", hold) ?? plan.holdMs,
    criticalMs: millis("--critical", critical) ?? plan.criticalMs,
    leaseMs: millis("--lease", lease) ?? plan.leaseMs,
    preemptMs: preempt === "never" ? -1 : (millis("--preempt", preempt) ?? plan.preemptMs),
    limits,
  };
}

/** @throws UsageError naming the option */
function millis(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : timeOption(option)(text) / 1000;
}

/** @throws UsageError naming the option and what it may be */
export function oneOf(option: string, text: string, names: readonly string[]): string {
  if (!names.includes(text))
    throw new UsageError(`${option} must be one of ${names.join(", ")}, not ${quote(text)}`);
  return text;
}
