/**
 * What must be so once no more faults happen: one coordinator on whom all agree, one token, every request served, and no
 * frame that goes round for ever. A wired ring that is still broken cannot have these: there the beacon must name the place.
 */

import { EVERY, NEIGHBOUR } from "../../firmware/frame.js";
import { EVENT_CODE } from "../log/records.ts";
import { circulates } from "../protocols/registry.ts";
import { type RingView, type StationView, UP } from "./ring-view.ts";

export interface LivenessOptions {
  /** Microseconds in which the token must be seen to move. */
  tokenMicros: number;
  /** Microseconds after which a request must have been served. */
  serviceMicros: number;
  /** Microseconds of some rotations, in which a frame may pass a link once or twice but not more. */
  orphanMicros: number;
}

/** An orphan is removed when it passes its monitor the second time. */
const MOST_PASSES = 3;

/** @returns what is wrong at the end of a run, in words; empty when all is well */
export function judge(view: RingView, now: number, options: LivenessOptions): string[] {
  const live = view.live();
  if (live.length === 0) return [];
  const gap = breaks(view);
  if (gap.length > 0) return beacons(view, gap);
  return [
    ...coordinators(live),
    ...(circulates(view.ring.mutex) ? tokens(view, live, now - options.tokenMicros) : []),
    ...unserved(live, now - options.serviceMicros),
    ...orphans(view, now - options.orphanMicros),
  ];
}

function coordinators(live: readonly StationView[]): string[] {
  const problems: string[] = [];
  const first = live[0] as StationView;
  const other = live.find((s) => s.coordinator !== first.coordinator);
  if (other) {
    problems.push(
      `station ${first.id} takes ${name(first.coordinator)} for the coordinator, and ${other.id} ${name(other.coordinator)}`,
    );
  } else if (!live.some((s) => s.id === first.coordinator)) {
    problems.push(`all take ${name(first.coordinator)} for the coordinator, which is not there`);
  }
  const duty = live.filter((s) => s.duty).map((s) => s.id);
  if (duty.length !== 1) {
    problems.push(
      duty.length ? `stations ${duty.join(" and ")} all act as the monitor` : "nobody acts as the monitor",
    );
  }
  return problems;
}

function name(id: number): string {
  return id < 0 ? "nobody" : String(id);
}

/** One token: every hop of it since `from` goes on from the one before. */
function tokens(view: RingView, live: readonly StationView[], from: number): string[] {
  const { records } = view;
  let last: number[] | null = null;
  for (let i = firstSince(view, from); i < records.length; i++) {
    if (records.event[i] !== EVENT_CODE.hop || records.frameTypes[records.type[i] as number] !== "TOK")
      continue;
    const [epoch, hop] = records.frame(i).args as [number, number];
    if (last && (epoch !== last[0] || hop !== (last[1] as number) + 1)) {
      return [`token (${epoch}, hop ${hop}) goes round beside (${last[0]}, hop ${last[1]})`];
    }
    last = [epoch, hop];
  }
  if (last || live.some((s) => s.inside)) return [];
  return ["the token does not move, and nobody is inside"];
}

function unserved(live: readonly StationView[], before: number): string[] {
  return live
    .filter((s) => s.requestedAt >= 0 && s.requestedAt < before)
    .map(
      (s) => `station ${s.id} has asked for the critical section since ${(s.requestedAt / 1e6).toFixed(6)} s`,
    );
}

/** Frames that are not consumed by the next station, and pass the same link again and again. */
function orphans(view: RingView, from: number): string[] {
  const { records } = view;
  const passes = new Map<string, number>();
  for (let i = firstSince(view, from); i < records.length; i++) {
    if (records.event[i] !== EVENT_CODE.hop) continue;
    const frame = records.frame(i);
    if (frame.dst === NEIGHBOUR) continue;
    const key = `${frame.type},${frame.src},${frame.dst},${frame.args.join()} ${records.station[i]}`;
    const count = (passes.get(key) ?? 0) + 1;
    passes.set(key, count);
    if (count > MOST_PASSES) {
      const to = frame.dst === EVERY ? "all" : frame.dst;
      return [`${frame.type} from ${frame.src} to ${to} goes round and round`];
    }
  }
  return [];
}

/** Places at which a wired ring is broken: the station behind which nothing comes. */
export function breaks(view: RingView): StationView[] {
  if (view.ring.wiring !== "wired") return [];
  return view.stations.filter((s) => s.inserted && (s.power !== UP || !s.linked));
}

/** The station after a break says whom it does not hear. */
function beacons(view: RingView, gap: readonly StationView[]): string[] {
  const { records } = view;
  const problems: string[] = [];
  for (const s of gap) {
    const successor = after(view, s);
    if (!successor || successor.power !== UP || !successor.linked) continue;
    let heard = false;
    for (let i = records.length - 1; i >= 0 && !heard; i--) {
      heard = records.event[i] === EVENT_CODE.beacon && records.station[i] === successor.id;
    }
    if (!heard) problems.push(`station ${successor.id} does not say that it hears nothing from ${s.id}`);
  }
  return problems;
}

function after(view: RingView, s: StationView): StationView | undefined {
  const { stations } = view;
  const at = stations.indexOf(s);
  for (let k = 1; k < stations.length; k++) {
    const next = stations[(at + k) % stations.length] as StationView;
    if (next.inserted) return next;
  }
  return undefined;
}

/** @returns the first record at or after a time */
function firstSince(view: RingView, time: number): number {
  const { records } = view;
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records.t[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
