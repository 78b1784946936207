/** One state of a small ring: what every station knows, what is under way, which faults are still to come. */

import type { Frame, Station } from "../../../firmware/types.d.ts";
import { ownerOf } from "./station-parts.ts";

export interface Budget {
  /** Faults and requests that may still happen, anywhere and at any time. */
  crashes: number;
  restarts: number;
  losses: number;
  requests: number;
}

export interface Node {
  /** By position; null: dead, and bypassed. Stations, frames and lists are never changed once they are in a node. */
  stations: (Station | null)[];
  /** What of each station enters the key of the node; null: not computed yet. */
  digests: ({ high: number; low: number } | null)[];
  /** Frames on the link from each position, first in, first out. */
  links: (readonly Frame[])[];
  /** Timers that are armed at each position, as bits. */
  timers: number[];
  /** The last election whose result each station took, and its result. */
  results: (readonly [election: number, coordinator: number])[];
  /** The highest epoch that the host has seen: it tells a station that starts again. */
  hostEpoch: number;
  left: Budget;
}

/**
 * Names of the parts of a station's state that a step may change. The others, of elections that are not in use and of
 * beacons, are frozen, so that a change would not pass unseen.
 */
const CHANGING = new Map<object, readonly string[]>();

/** @returns a new station, ready to be copied */
export function prepared(s: Station): Station {
  const parts = Object.keys(s).filter((key) => key !== "settings" && typeof s[key] === "object");
  const { election } = s.settings;
  const changing = parts.filter((part) => part !== "beacon" && (ownerOf(part) ?? election) === election);
  for (const part of parts) if (!changing.includes(part)) Object.freeze(s[part]);
  CHANGING.set(s.settings, changing);
  return s;
}

/** @returns a station with the same state */
export function copyStation(s: Station): Station {
  const copy: Station = { ...s };
  for (const part of CHANGING.get(s.settings) as readonly string[]) {
    const value = s[part] as object;
    copy[part] = Array.isArray(value) ? value.slice() : { ...value };
  }
  return copy;
}

/** @returns the next position whose station is alive; the own one when all others are dead */
export function successor(node: Node, position: number): number {
  const n = node.stations.length;
  let p = position;
  do p = (p + 1) % n;
  while (p !== position && !node.stations[p]);
  return p;
}

/** @returns the position before this one whose station is alive; the own one when all others are dead */
export function predecessor(node: Node, position: number): number {
  const n = node.stations.length;
  let p = position;
  do p = (p + n - 1) % n;
  while (p !== position && !node.stations[p]);
  return p;
}
