/**
 * Where the token was missing: the largest gap between two of its arrivals anywhere in the ring, and the outages, in
 * which nobody had it, or nobody who could pass it on, for longer than the ring's limit for the token. While a living
 * station is inside the token is in use: that is no outage, however long it lasts.
 *
 * Memory: the stations, and the first thousand outages.
 */
import type { RecordColumns } from "../columns.ts";
import { EVENT_CODE } from "../records.ts";
import { Troubles } from "./troubles.ts";

/** Times in microseconds. */
export interface Outage {
  /** The last moment at which the token was known to be there. */
  from: number;
  /** The next one; the end of the run where there was none. */
  to: number;
  took: number;
  /** What happened, as far as the records tell it. */
  cause: string;
  /** It went on when the run ended. */
  open: boolean;
}

/** Between two arrivals of a token, microseconds. */
export interface TokenGap {
  from: number;
  to: number;
  took: number;
  /** Who was inside meanwhile. */
  inside?: number;
}

export interface TokenTimes {
  /** When the first token was there; null: there was none. */
  first: number | null;
  made: number;
  /** Given up for lost. The first token of a ring replaces none. */
  lost: number;
  gap: TokenGap | null;
  outages: number;
  /** Sum of the outages, microseconds. */
  outage: number;
  /** The first thousand of them. */
  outageList: Outage[];
}

const LISTED = 1000;
const UNKNOWN = "no fault is recorded";

export class TokenWatch {
  #made = 0;
  #lost = 0;
  #first: number | null = null;
  /** When a token last arrived; when it was last known to be there. */
  #arrived = -1;
  #known = -1;
  /** Who had it last. */
  #holder = -1;
  #gap: TokenGap | null = null;
  /** Who was inside since the last arrival. */
  #wasInside = -1;
  readonly #inside = new Set<number>();
  readonly #troubles = new Troubles();
  #outages = 0;
  #outage = 0;
  readonly #list: Outage[] = [];
  readonly #limit: () => number;

  /** @param limit how long the token may be away before that is an outage, microseconds; Infinity: not known yet */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** A token arrives at a station. */
  arrives(t: number, station: number): void {
    const took = t - this.#arrived;
    if (this.#arrived >= 0 && took > (this.#gap?.took ?? 0)) {
      const gap: TokenGap = { from: this.#arrived, to: t, took };
      this.#gap = this.#wasInside < 0 ? gap : { ...gap, inside: this.#wasInside };
    }
    this.#arrived = t;
    this.#holder = station;
    this.#wasInside = -1;
    this.#isThere(t);
  }

  /** A token was transmitted and did not arrive. */
  dropped(from: number, to: number, how: string): void {
    this.#troubles.lostOn(from, to, how);
  }

  /** Takes record `i`, an event of a station. */
  write(columns: RecordColumns, i: number): void {
    const t = columns.t[i] as number;
    const station = columns.station[i] as number;
    switch (columns.event[i]) {
      case EVENT_CODE.enter:
        if (this.#known >= 0) this.#isThere(t);
        this.#inside.add(station);
        this.#wasInside = station;
        break;
      case EVENT_CODE.exit:
        this.#leaves(t, station);
        break;
      case EVENT_CODE.lost:
        // Of epoch 0 there was no token yet: the first one is made, not replaced.
        if (columns.a[i] !== 0) this.#lost++;
        for (const id of this.#inside) this.#leaves(t, id);
        break;
      case EVENT_CODE.regenerated:
        this.#made++;
        this.#holder = station;
        this.#first ??= t;
        // Of an algorithm whose token does not go round, only this is seen.
        if (this.#arrived >= 0) this.#isThere(t);
        break;
      case EVENT_CODE.crash:
      case EVENT_CODE.bypass:
      case EVENT_CODE.restart:
        this.#troubles.write(columns, i);
        this.#leaves(t, station);
        break;
      default:
        this.#troubles.write(columns, i);
    }
  }

  /** @param end when the run ended, microseconds */
  result(end: number): TokenTimes {
    const open = this.#outageUntil(end);
    return {
      first: this.#first,
      made: this.#made,
      lost: this.#lost,
      gap: this.#gap,
      outages: this.#outages + (open ? 1 : 0),
      outage: this.#outage + (open?.took ?? 0),
      outageList:
        open && this.#list.length < LISTED ? [...this.#list, { ...open, open: true }] : [...this.#list],
    };
  }

  /** The entry of a station ends, whatever has ended it: from here on the token has to move. */
  #leaves(t: number, station: number): void {
    if (this.#inside.delete(station) && this.#inside.size === 0) this.#known = Math.max(this.#known, t);
  }

  #isThere(t: number): void {
    this.#first ??= t;
    const outage = this.#outageUntil(t);
    if (outage) {
      this.#outages++;
      this.#outage += outage.took;
      if (this.#list.length < LISTED) this.#list.push(outage);
    }
    this.#known = Math.max(this.#known, t);
    this.#troubles.forget();
  }

  #outageUntil(to: number): Outage | undefined {
    const from = this.#known;
    const took = to - from;
    if (from < 0 || this.#inside.size > 0 || !(took > this.#limit())) return undefined;
    const { first } = this.#troubles;
    const cause = first ?? this.#troubles.of(this.#holder) ?? UNKNOWN;
    return { from, to, took, cause, open: false };
  }
}
