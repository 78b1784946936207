import { faultsOf } from "../../simulation/link-faults-of.ts";
import { trialOf } from "../../simulation/search/random-trial.ts";
import type { RingChoice } from "../../simulation/search/ring-draw.ts";
import { runTrial } from "../../simulation/search/trial.ts";
import type { TrialOutcome } from "./totals.ts";

/** @returns how the trial of a seed ended @param choice what is the same in all rings */
export function outcomeOf(seed: number, choice: RingChoice = {}): TrialOutcome {
  const { violation, recoveryMs, boundMs, records } = runTrial(trialOf(seed, choice));
  return { seed, claim: violation?.claim ?? "", recoveryMs, boundMs, faults: faultsOf(records) };
}
