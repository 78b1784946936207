import { faultsOf } from "../../simulation/link-faults-of.ts";
import { trialOf } from "../../simulation/search/random-trial.ts";
import { runTrial } from "../../simulation/search/trial.ts";
import type { TrialOutcome } from "./totals.ts";

/** @returns how the trial of a seed ended */
export function outcomeOf(seed: number): TrialOutcome {
  const { violation, recoveryMs, boundMs, records } = runTrial(trialOf(seed));
  return { seed, claim: violation?.claim ?? "", recoveryMs, boundMs, faults: faultsOf(records) };
}
