import {
  EXHAUSTIVE_CASES,
  EXHAUSTIVE_IDS,
  type ExhaustiveCase,
  faultsOf,
  MOST_STATES,
} from "../../check/exhaustive/cases.ts";
import { type ExploreOptions, explore } from "../../check/exhaustive/explore.ts";
import { DEFAULT_PLAN, defaultPreemptMs, settingsOf } from "../../simulation/plan.ts";
import type { SmallRing } from "./totals.ts";

/** @returns the numbers of the cases with at most so many stations, the longest first */
export function casesUpTo(stations: number): number[] {
  return [...EXHAUSTIVE_CASES.keys()].filter((i) => (EXHAUSTIVE_CASES[i]?.stations ?? 0) <= stations);
}

/** @returns what the search of a case is told */
export function exploreOptions({ stations, election, start, budget }: ExhaustiveCase): ExploreOptions {
  const ids = [...(EXHAUSTIVE_IDS[stations] as readonly number[])];
  const preemptMs = defaultPreemptMs(election);
  const settings = settingsOf({ ...DEFAULT_PLAN, ids, election, preemptMs });
  return { ids, settings, budget, formed: start === "formed", mostStates: MOST_STATES };
}

/** Searches the ring of a case exhaustively. @param onStates is told now and then how many states there are so far */
export function smallRing(number: number, onStates: (states: number) => void = () => {}): SmallRing {
  const { states, complete, violation } = explore({ ...exploreOptions(caseOf(number)), onStates });
  return { ...smallRingSoFar(number, states), complete, stopped: false, violation };
}

/** @returns the ring of a case whose search was stopped after so many states */
export function smallRingSoFar(number: number, states: number): SmallRing {
  const small = caseOf(number);
  const { stations, election, start } = small;
  const faults = faultsOf(small);
  return { stations, election, start, faults, states, complete: false, stopped: true, violation: null };
}

function caseOf(number: number): ExhaustiveCase {
  const small = EXHAUSTIVE_CASES[number];
  if (!small) throw new Error(`there is no exhaustive case ${number}`);
  return small;
}
