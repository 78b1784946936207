/**
 * What elections cost by the textbook: Tanenbaum and Van Steen, Distributed Systems, "Election algorithms";
 * Chang and Roberts 1979 for the variant that forwards only a greater id.
 */
import { type Bounds, exactly } from "./bounds.ts";

export interface ElectionCase {
  /** Ids in ring order. */
  ids: readonly number[];
  down: readonly number[];
  starters: readonly number[];
}

/** @returns the messages of an election, all kinds together */
export function electionTheory(algorithm: string, run: ElectionCase): Bounds {
  if (algorithm === "bully") return bullyTheory(run);
  return algorithm === "ring" ? ringTheory(run) : changRobertsTheory(run);
}

/**
 * Each live station from the lowest starter up holds one election: ELECTION to every higher id, dead or alive,
 * an OK from each that lives; at last COORDINATOR to every lower id.
 */
function bullyTheory({ ids, down, starters }: ElectionCase): Bounds {
  const live = ids.filter((id) => !down.includes(id));
  const first = Math.min(...starters);
  const winner = Math.max(...live);
  const holders = live.filter((id) => id >= first);
  const election = sum(holders, (holder) => ids.filter((id) => id > holder).length);
  const ok = (holders.length * (holders.length - 1)) / 2;
  const coordinator = ids.filter((id) => id < winner).length;
  const formula =
    "one election per live station from the starter up: ELECTION to all higher, OK from the live, COORDINATOR to all lower";
  const total = election + ok + coordinator;
  // While the highest of all is dead its absence takes a rotation to show, and every ELECTION arrives before that.
  // Alive, it announces itself at once: an ELECTION still under way may then start another round.
  const overtaken = winner === Math.max(...ids) && first !== winner;
  if (starters.length === 1) {
    return overtaken
      ? { least: total, most: Infinity, formula: `${formula}; more where COORDINATOR overtakes an ELECTION` }
      : exactly(total, formula);
  }
  // One that starts when the highest has announced itself already makes it announce itself again.
  const asked = sum(starters, (starter) => ids.filter((id) => id > starter).length);
  return { least: asked + coordinator, most: Infinity, formula: `${formula}; more where starters overlap` };
}

/** Every list, and every result, goes once round the live stations. */
function ringTheory({ ids, down, starters }: ElectionCase): Bounds {
  const live = ids.length - down.length;
  const formula = "2m for m live stations and each starter: ELECTION once round, COORDINATOR once round";
  return exactly(2 * live * starters.length, formula);
}

/** An id travels until a greater one stops it; the greatest travels once round, and so does the result. */
function changRobertsTheory({ ids, down, starters }: ElectionCase): Bounds {
  const live = ids.filter((id) => !down.includes(id));
  const m = live.length;
  const highest = live.indexOf(Math.max(...live));
  if (starters.length === 1) {
    const start = live.indexOf(starters[0] as number);
    // A station on the way puts its own id in the place of a lesser one: the way to the highest is gone once.
    const toHighest = (highest - start + m) % m;
    return exactly(toHighest + 2 * m, "hops to the highest id, then N ELECTION and N ELECTED");
  }
  if (starters.length === m) {
    const election = sum(live, (id, i) => {
      let hops = 1;
      while (hops < m && (live[(i + hops) % m] as number) < id) hops++;
      return hops;
    });
    return exactly(
      election + m,
      "each id travels to the next greater one, the highest and ELECTED once round",
    );
  }
  return { least: 2 * m, most: (m * (m + 1)) / 2 + m, formula: "2N to N(N+1)/2 + N" };
}

function sum(ids: readonly number[], of: (id: number, i: number) => number): number {
  return ids.reduce((total, id, i) => total + of(id, i), 0);
}
