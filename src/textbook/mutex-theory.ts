/**
 * What mutual exclusion costs by the textbook, for a batch of stations that ask at the same instant.
 * Sources: Tanenbaum and Van Steen, Distributed Systems, "Mutual exclusion", and the papers named in algorithms.ts.
 */
import { coordinatorsOf } from "../../firmware/mutex/decentralised.js";
import { quorumOf } from "../../firmware/mutex/maekawa.js";
import { quote, UsageError } from "../errors.ts";
import { type Bounds, exactly } from "./bounds.ts";
import { heapDiameter } from "./heap-tree.ts";

export interface MutexCase {
  /** Ids in ring order. */
  ids: readonly number[];
  /** Ids that ask at the same instant, each once. */
  contenders: readonly number[];
  /** The elected station; the centralised lock is there. */
  coordinator: number;
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
  centralised: ({ contenders, coordinator }) =>
    exactly(
      3 * contenders.filter((id) => id !== coordinator).length,
      "3 an entry (REQUEST, GRANT, RELEASE), none for the coordinator itself",
    ),
  decentralised: ({ ids, contenders }) => {
    const coordinators = coordinatorsOf(ascending(ids));
    const least = sum(contenders, (id) => 3 * coordinators.filter((other) => other !== id).length);
    const formula = "2mk + m an entry with m coordinators asked and k tries, those at one's own station free";
    return contenders.length === 1 ? exactly(least, formula) : { least, most: Infinity, formula };
  },
  lamport: ({ ids, contenders }) =>
    exactly(3 * (ids.length - 1) * contenders.length, "3(N-1) an entry (REQUEST, REPLY, RELEASE)"),
  "ricart-agrawala": ({ ids, contenders }) =>
    exactly(2 * (ids.length - 1) * contenders.length, "2(N-1) an entry (REQUEST, REPLY)"),
  "ricart-agrawala-implicit": ({ ids, contenders }) => {
    const n = ids.length;
    const k = contenders.length;
    return exactly(
      k * (n - 1) + (k * (k - 1)) / 2 + k * (n - k),
      "k(N-1) REQUEST, k(k-1)/2 REPLY between the k that ask, k(N-k) from the others",
    );
  },
  maekawa: ({ ids, contenders }) => {
    const members = ascending(ids);
    const asked = sum(contenders, (id) => quorumOf(members, id).length - 1);
    const formula = "3(K-1) an entry with a quorum of K, about 2 sqrt(N)-1; up to 6(K-1) when others ask too";
    return contenders.length === 1
      ? exactly(3 * asked, formula)
      : { least: 3 * asked, most: 6 * asked, formula };
  },
  "suzuki-kasami": ({ ids, contenders, holder }) =>
    exactly(
      ids.length * contenders.filter((id) => id !== holder).length,
      "N an entry (N-1 REQUEST, 1 TOKEN), 0 for the one that has the token",
    ),
  raymond: ({ ids, contenders }) => ({
    least: 0,
    most: 2 * heapDiameter(ids.length) * contenders.length,
    formula: "at most 2 times the diameter of the tree an entry",
  }),
};

/**
 * @returns the messages that the batch costs, all kinds together
 * @throws UsageError for an algorithm that has no theory
 */
export function mutexTheory(algorithm: string, run: MutexCase): Bounds {
  const theory = THEORY[algorithm];
  if (!Object.hasOwn(THEORY, algorithm) || !theory) {
    throw new UsageError(`${quote(algorithm)} has no formula: use one of ${Object.keys(THEORY).join(", ")}`);
  }
  return theory(run);
}

function ascending(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b);
}

function sum(ids: readonly number[], of: (id: number) => number): number {
  return ids.reduce((total, id) => total + of(id), 0);
}
