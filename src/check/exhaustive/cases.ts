/** The small rings that are searched exhaustively, and what may happen in each. */
import { ELECTIONS } from "../../../firmware/protocols.js";
import type { Budget } from "./node.ts";

export interface ExhaustiveCase {
  stations: number;
  election: string;
  /** formed: the token goes round already; cold: all stations have just powered up. */
  start: "formed" | "cold";
  budget: Budget;
}

function cases(stations: number, start: "formed" | "cold", budget: Partial<Budget>): ExhaustiveCase[] {
  const full: Budget = { crashes: 0, restarts: 0, losses: 0, requests: 0, ...budget };
  return ELECTIONS.map(({ name }) => ({ stations, election: name, start, budget: full }));
}

/** The largest first: they take the longest. */
export const EXHAUSTIVE_CASES: readonly ExhaustiveCase[] = [
  ...cases(4, "formed", { crashes: 1, losses: 1 }),
  ...cases(2, "formed", { crashes: 1, restarts: 1, losses: 1, requests: 2 }),
  ...cases(3, "cold", { losses: 1 }),
  ...cases(3, "formed", { crashes: 1, losses: 1, requests: 2 }),
  ...cases(2, "cold", { crashes: 1, losses: 1, requests: 1 }),
];

/** A search that comes to more states than this ends incomplete. */
export const MOST_STATES = 3_000_000;

/** Ids in ring order: the order of the ids is not that of the ring. */
export const EXHAUSTIVE_IDS: { readonly [stations: number]: readonly number[] } = {
  2: [1, 2],
  3: [1, 3, 2],
  4: [1, 3, 2, 4],
};

/** @returns what may happen in a case, in words */
export function faultsOf({ budget }: ExhaustiveCase): string {
  const parts: string[] = [];
  const say = (n: number, one: string, many: string) => {
    if (n > 0) parts.push(`${n} ${n === 1 ? one : many}`);
  };
  say(budget.crashes, "crash", "crashes");
  say(budget.restarts, "restart", "restarts");
  say(budget.losses, "loss", "losses");
  say(budget.requests, "request", "requests");
  return parts.join(", ");
}
