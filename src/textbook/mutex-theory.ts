/** What mutual exclusion costs by the textbook, for a batch of stations that ask at the same instant. */
import { type Bounds, exactly } from "./bounds.ts";

export interface MutexCase {
  /** Ids in ring order. */
  ids: readonly number[];
  /** Ids that ask at the same instant, each once. */
  contenders: readonly number[];
  /** Station that holds the token then; -1 where the algorithm has none. */
  holder: number;
}

const THEORY: { [algorithm: string]: (run: MutexCase) => Bounds } = {
  "token-ring": ({ ids, contenders, holder }) => {
    const n = ids.length;
    const at = ids.indexOf(holder);
    const hops = contenders.map((id) => (ids.indexOf(id) - at + n) % n);
    return exactly(
      Math.max(0, ...hops),
      "hops of the token to the last that asked: 0 to N-1 for one, about 1 an entry when all ask",
    );
  },
};

/** @returns the messages that the batch costs, all kinds together */
export function mutexTheory(algorithm: string, run: MutexCase): Bounds {
  const theory = THEORY[algorithm];
  if (!theory) throw new Error(`no theory of ${algorithm}`);
  return theory(run);
}
