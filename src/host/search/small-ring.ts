import { EXHAUSTIVE_CASES, EXHAUSTIVE_IDS, faultsOf, MOST_STATES } from "../../check/exhaustive/cases.ts";
import { explore } from "../../check/exhaustive/explore.ts";
import { DEFAULT_PLAN, settingsOf } from "../../simulation/plan.ts";
import type { SmallRing } from "./totals.ts";

/** @returns the numbers of the cases with at most so many stations, the longest first */
export function casesUpTo(stations: number): number[] {
  return [...EXHAUSTIVE_CASES.keys()].filter((i) => (EXHAUSTIVE_CASES[i]?.stations ?? 0) <= stations);
}

/** Searches the ring of a case exhaustively. */
export function smallRing(number: number): SmallRing {
  const small = EXHAUSTIVE_CASES[number];
  if (!small) throw new Error(`there is no exhaustive case ${number}`);
  const { stations, election, start, budget } = small;
  const ids = [...(EXHAUSTIVE_IDS[stations] as readonly number[])];
  // As the command line has it: only Bully takes over from a lower coordinator.
  const preemptMs = election === "bully" ? 0 : -1;
  const settings = settingsOf({ ...DEFAULT_PLAN, ids, election, preemptMs });
  const { states, complete, violation } = explore({
    ids,
    settings,
    budget,
    formed: start === "formed",
    mostStates: MOST_STATES,
  });
  return { stations, election, start, faults: faultsOf(small), states, complete, violation };
}
