/**
 * What the records say of a ring, up to the last one read: which stations have power and are inserted, whom each takes
 * for the coordinator, who is inside. Made from records alone, so that it serves simulations and boards alike.
 */
import type { RecordColumns } from "../log/columns.ts";
import { EVENT_CODE } from "../log/records.ts";

/** What an observer must know of a ring beside its records. */
export interface ObservedRing {
  /** Ids in ring order, each once. */
  ids: readonly number[];
  wiring: string;
  /** Name of the mutual exclusion protocol. */
  mutex: string;
  /** Name of the election protocol. */
  election: string;
  /** Numbers of elections and epochs are round * step + id. */
  step: number;
  /** 0: no leases. */
  leaseMs: number;
}

export const UP = 0;
export const DOWN = 1;
/** Powered, but standing still. */
export const STILL = 2;

export interface StationView {
  id: number;
  power: number;
  inserted: boolean;
  /** -1: it knows none. */
  coordinator: number;
  /** It took up the duty of the active monitor and has not stepped down. */
  duty: boolean;
  inside: boolean;
  /** Fence of the entry under way, or of the last one. */
  epoch: number;
  grant: number;
  /** Its link to the successor is whole, and it hears. */
  linked: boolean;
  /** Since when it asks for the critical section, microseconds; -1: it does not. */
  requestedAt: number;
}

export class RingView {
  readonly ring: ObservedRing;
  readonly records: RecordColumns;
  readonly stations: StationView[];
  /** Time of the last fault, crash, restart, bypass or insertion, microseconds. */
  disturbedAt = 0;
  /** Time of the last frame that nobody sent, microseconds; -Infinity: none came. */
  forgedAt = -Infinity;
  /** Stations whose board, or clock, is out of its limits now. */
  readonly slow = new Set<number>();
  readonly #byId = new Map<number, StationView>();

  constructor(ring: ObservedRing, records: RecordColumns) {
    this.ring = ring;
    this.records = records;
    this.stations = ring.ids.map((id) => ({
      id,
      power: UP,
      inserted: true,
      coordinator: -1,
      duty: false,
      inside: false,
      epoch: -1,
      grant: -1,
      linked: true,
      requestedAt: -1,
    }));
    for (const s of this.stations) this.#byId.set(s.id, s);
  }

  /** @returns undefined when no station of the ring has this id */
  station(id: number): StationView | undefined {
    return this.#byId.get(id);
  }

  /** Stations that have power, are not standing still and are inserted. */
  live(): StationView[] {
    return this.stations.filter((s) => s.power === UP && s.inserted);
  }

  /** Takes notice of record `i`. */
  see(i: number): void {
    const { records } = this;
    const s = this.#byId.get(records.station[i] as number);
    const t = records.t[i] as number;
    switch (records.event[i]) {
      case EVENT_CODE.dropped:
      case EVENT_CODE.corrupted:
      case EVENT_CODE.duplicated:
      case EVENT_CODE.delayed:
        this.disturbedAt = t;
        return;
      case EVENT_CODE.fault:
        this.#fault(i, s, t);
        return;
    }
    if (!s) return;
    switch (records.event[i]) {
      case EVENT_CODE.crash:
        this.#down(s);
        this.disturbedAt = t;
        break;
      case EVENT_CODE.restart:
        this.#down(s);
        s.power = UP;
        this.disturbedAt = t;
        break;
      case EVENT_CODE.bypass:
      case EVENT_CODE.insert:
        s.inserted = records.event[i] === EVENT_CODE.insert;
        this.disturbedAt = t;
        break;
      case EVENT_CODE.coordinator:
        s.coordinator = records.a[i] as number;
        if (s.coordinator === s.id) s.duty = true;
        break;
      case EVENT_CODE.stepdown:
        s.duty = false;
        break;
      case EVENT_CODE.request:
        s.requestedAt = t;
        break;
      case EVENT_CODE.enter:
        s.inside = true;
        s.epoch = Number(records.value(i, 0) ?? 0);
        s.grant = Number(records.value(i, 1) ?? 0);
        s.requestedAt = -1;
        break;
      case EVENT_CODE.exit:
        s.inside = false;
        break;
      case EVENT_CODE.bad:
        // A record of it was damaged, which may have been the one that it has left.
        if (records.value(i, 0) === "damaged") s.inside = false;
        break;
    }
  }

  #fault(i: number, s: StationView | undefined, t: number): void {
    const kind = String(this.records.value(i, 0));
    this.disturbedAt = t;
    if (kind === "inject") this.forgedAt = t;
    if (kind === "calm") {
      this.slow.clear();
      for (const each of this.stations) each.linked = true;
    }
    if (!s) return;
    if (kind === "slow" || kind === "drift") {
      const usual = kind === "slow" ? 1 : 0;
      if (Number(this.records.value(i, 1)) === usual) this.slow.delete(s.id);
      else this.slow.add(s.id);
    }
    if (kind === "cut" || kind === "deafen") s.linked = false;
    else if (kind === "mend") s.linked = true;
    if (s.power === DOWN) return;
    if (kind === "hang" || kind === "pause") s.power = STILL;
    else if (kind === "resume") s.power = UP;
  }

  /** What a station knew is gone with its power. */
  #down(s: StationView): void {
    s.power = DOWN;
    s.coordinator = -1;
    s.duty = false;
    s.inside = false;
    s.requestedAt = -1;
  }
}
