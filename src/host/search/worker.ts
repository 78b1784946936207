/** A process of the search: it is told ranges of seeds, runs their trials and tells how they ended. */
import { outcomeOf } from "./outcome.ts";
import type { TrialOutcome } from "./totals.ts";

/** Seeds from `seed`, so many. */
export interface Batch {
  seed: number;
  count: number;
}

/** How the trials of a batch ended, or which one the program itself broke on. */
export type Answer = TrialOutcome[] | { error: string };

function answer({ seed, count }: Batch): Answer {
  const outcomes: TrialOutcome[] = [];
  for (let i = 0; i < count; i++) {
    try {
      outcomes.push(outcomeOf(seed + i));
    } catch (error) {
      return { error: `seed ${seed + i}: ${(error as Error).stack ?? error}` };
    }
  }
  return outcomes;
}

// The parent decides when Ctrl-C ends the search.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());
process.on("message", (batch: Batch) => void process.send?.(answer(batch)));
