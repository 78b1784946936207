import { boundOf, SEVERAL, serviceBound } from "../../check/bounds.ts";
import { RunWatch } from "../../check/run-watch.ts";
import { limitsOf, type Plan, settingsOf } from "../../simulation/plan.ts";

/**
 * Checks the invariants of a ring whose records are handed on in batches.
 * @param ordered false where records of different stations may stand in another order than that of the events
 */
export function watchOf(plan: Plan, ordered: boolean): RunWatch {
  const { step } = settingsOf(plan);
  const ring = { ...plan, limits: limitsOf(plan) };
  const recoveryMicros = boundOf(ring, SEVERAL).ms * 1000;
  // Boards may stand still for a while without a record of it.
  const serviceMicros = serviceBound(ring).ms * 1000 + (ordered ? 0 : recoveryMicros);
  const service = { serviceMicros, recoveryMicros, manual: plan.criticalMs < 0 };
  return new RunWatch({ ...plan, step }, { recoveryMicros, ordered, service });
}
