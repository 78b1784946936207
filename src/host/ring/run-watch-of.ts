import { boundOf, SEVERAL } from "../../check/bounds.ts";
import { RunWatch } from "../../check/run-watch.ts";
import { limitsOf, type Plan, settingsOf } from "../../simulation/plan.ts";

/**
 * Checks the invariants of a ring whose records are handed on in batches.
 * @param ordered false where records of different stations may stand in another order than that of the events
 */
export function watchOf(plan: Plan, ordered: boolean): RunWatch {
  const { step } = settingsOf(plan);
  const bound = boundOf({ ...plan, limits: limitsOf(plan) }, SEVERAL);
  return new RunWatch({ ...plan, step }, { recoveryMicros: bound.ms * 1000, ordered });
}
