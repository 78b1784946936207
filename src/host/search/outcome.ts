import { trialOf } from "../../simulation/fault-plan.ts";
import { faultsOf } from "../../simulation/faults-of.ts";
import { runTrial } from "../../simulation/trial.ts";
import type { TrialOutcome } from "./totals.ts";

/** @returns how the trial of a seed ended */
export function outcomeOf(seed: number): TrialOutcome {
  const { violation, recoveryMs, boundMs, records } = runTrial(trialOf(seed));
  return { seed, claim: violation?.claim ?? "", recoveryMs, boundMs, faults: faultsOf(records) };
}
