/** A process of the search: it is told ranges of seeds, or a small ring, and tells how they ended. */
import { loadSources } from "../../protocols/load.ts";
import type { ProtocolSource } from "../../protocols/registry.ts";
import type { RingChoice } from "../../simulation/search/ring-draw.ts";
import { outcomeOf } from "./outcome.ts";
import { smallRing } from "./small-ring.ts";
import type { SmallRing, TrialOutcome } from "./totals.ts";

/** Seeds from `seed`, so many. */
export interface Batch {
  seed: number;
  count: number;
  /** What is the same in all rings. */
  choice: RingChoice;
}

/** The number of an exhaustive case. */
export interface SmallRingTask {
  smallRing: number;
}

export type Task = Batch | SmallRingTask;

/** How the trials of a batch, or a small ring, ended; or what the program itself broke on. */
export type Answer = TrialOutcome[] | { number: number; ring: SmallRing } | { error: string };

/** Sent in the middle of a small ring: so many states so far. */
export interface SoFar {
  number: number;
  states: number;
}

function answer(task: Task): Answer {
  if (!("smallRing" in task)) return trials(task);
  try {
    const number = task.smallRing;
    return { number, ring: smallRing(number, (states) => tell({ number, states })) };
  } catch (error) {
    return { error: `exhaustive case ${task.smallRing}: ${(error as Error).stack ?? error}` };
  }
}

function trials({ seed, count, choice }: Batch): Answer {
  const outcomes: TrialOutcome[] = [];
  for (let i = 0; i < count; i++) {
    try {
      outcomes.push(outcomeOf(seed + i, choice));
    } catch (error) {
      return { error: `seed ${seed + i}: ${(error as Error).stack ?? error}` };
    }
  }
  return outcomes;
}

/** A parent that has gone meanwhile wants no answer. */
function tell(message: Answer | SoFar): void {
  process.send?.(message, () => {});
}

// The parent decides when Ctrl-C ends the search.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit());
// What the parent has added to the protocols is its first argument.
const ready = loadSources(JSON.parse(process.argv[2] ?? "[]") as ProtocolSource[]);
process.on("message", (task: Task) => {
  ready.then(
    () => tell(answer(task)),
    (error: Error) => tell({ error: error.message }),
  );
});
