/** What several commands read from their options in the same way. */
import type { Command } from "commander";
import { LEAST_ROTATIONS } from "../../firmware/limits.js";
import { quote, UsageError } from "../errors.ts";
import { electionNames, mutexNames } from "../protocols/registry.ts";
import { idList, MOST_STATIONS, wholeNumber } from "../simulation/option-values.ts";

const LEAST_PACE = 0.0001;
const MOST_PACE = 1_000_000;

export { idList, wholeNumber, wholeNumbers } from "../simulation/option-values.ts";
export { oneOf, planOf, type RingOptions } from "../simulation/plan-of.ts";

/** Gathers a repeatable option. */
export function repeated(value: string, before: string[] = []): string[] {
  return [...before, value];
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
    .option(
      "--baud <n>",
      "bits per second of a link: of boards their consoles on a hub, their UARTs if wired",
      wholeNumber("--baud", 300, 10_000_000),
    )
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
    .option("--election <name>", `one of ${electionNames().join(", ")}`)
    .option("--mutex <name>", `mutual exclusion of a simulated ring, one of ${mutexNames().join(", ")}`);
  return timeOptions(ringOptions(command));
}

/** @throws UsageError for lines that nobody would see beside the one object of --json */
export function oneForm({ hops, json }: { hops?: boolean; json?: boolean }): void {
  if (hops && json) throw new UsageError("--hops and --json: choose one of them (--log has every hop)");
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
