import type { Mistake } from "./explain.ts";

/** A station as far as the order of the ring goes. */
export interface Placed {
  id: number;
  successor?: number | undefined;
}

/** An entry of the list of stations as messages name it. */
export function entry(index: number, id: number): string {
  return `stations[${index}] (id ${id})`;
}

/**
 * The successor of each station: the one its entry names, or where no entry names one, the next in the list.
 *
 * @param stations with ids that differ
 * @returns the successors' ids in the order of the list, or the first way in which they form no single ring
 */
export function successorsOf(stations: readonly Placed[]): number[] | Mistake {
  const without = stations.findIndex(({ successor }) => successor === undefined);
  const withOne = stations.findIndex(({ successor }) => successor !== undefined);
  if (withOne < 0) return stations.map((_, index) => idAt(stations, (index + 1) % stations.length));
  if (without >= 0) {
    return {
      path: `stations[${without}]`,
      message:
        `${entry(without, idAt(stations, without))} has no successor but ` +
        `${entry(withOne, idAt(stations, withOne))} has: give one to every station or to none`,
    };
  }
  const successors = stations.map(({ successor }) => successor as number);
  return checkTargets(stations, successors) ?? checkOneRing(stations, successors) ?? successors;
}

/** Every successor must be there, and be the successor of one station only. */
function checkTargets(stations: readonly Placed[], successors: readonly number[]): Mistake | undefined {
  const indexOf = new Map(stations.map(({ id }, index) => [id, index]));
  const predecessor = new Map<number, number>();
  for (const [index, successor] of successors.entries()) {
    const me = entry(index, idAt(stations, index));
    const path = `stations[${index}].successor`;
    if (!indexOf.has(successor)) {
      const ids = [...indexOf.keys()].sort((a, b) => a - b).join(", ");
      return {
        path,
        message: `${me} has successor ${successor}, but no station has that id: there are ${ids}`,
      };
    }
    const other = predecessor.get(successor);
    if (other !== undefined) {
      return {
        path,
        message: `${entry(other, idAt(stations, other))} and ${me} both have successor ${successor}`,
      };
    }
    predecessor.set(successor, index);
  }
  return undefined;
}

/** Successors that are a permutation still may form several rings. */
function checkOneRing(stations: readonly Placed[], successors: readonly number[]): Mistake | undefined {
  const successorOf = new Map(stations.map(({ id }, index) => [id, successors[index] as number]));
  const first = idAt(stations, 0);
  const ring = roundFrom(first, successorOf);
  if (ring.length === stations.length) return undefined;
  const outside = stations.findIndex(({ id }) => !ring.includes(id));
  const other = roundFrom(idAt(stations, outside), successorOf);
  return {
    path: `stations[${outside}].successor`,
    message:
      `successors form more than one ring: ${round(ring)} from ${entry(0, first)} ` +
      `and ${round(other)} from ${entry(outside, idAt(stations, outside))}`,
  };
}

function roundFrom(start: number, successorOf: ReadonlyMap<number, number>): number[] {
  const ids = [start];
  for (let id = successorOf.get(start); id !== undefined && id !== start; id = successorOf.get(id))
    ids.push(id);
  return ids;
}

const LONGEST_ROUND = 8;

function round(ids: readonly number[]): string {
  const shown = ids.length > LONGEST_ROUND ? [...ids.slice(0, LONGEST_ROUND), "..."] : ids;
  return [...shown, ids[0]].join(" -> ");
}

function idAt(stations: readonly Placed[], index: number): number {
  return (stations[index] as Placed).id;
}
