/**
 * The named timers of all stations on one clock: one deadline per station and name.
 * Re-arming to a later time only moves the deadline; the clock is told when the earlier one comes.
 */
import type { VirtualClock } from "./clock.ts";

export class TimerTable {
  readonly #clock: VirtualClock;
  readonly #names: string[];
  readonly #index: { [name: string]: number };
  readonly #deadline: Float64Array;
  readonly #ticket: Float64Array;
  /** Per slot: the deadline that the clock was told of, and its place; what else it has of the slot is stale. */
  readonly #queued: Float64Array;
  readonly #queuedTicket: Float64Array;
  readonly #suspended = new Map<number, Float64Array>();

  /** @param names every timer name that a station may use */
  constructor(clock: VirtualClock, stations: number, names: readonly string[]) {
    this.#clock = clock;
    this.#names = [...names];
    this.#index = Object.assign(Object.create(null), Object.fromEntries(names.map((name, i) => [name, i])));
    const slots = stations * names.length;
    this.#deadline = new Float64Array(slots).fill(Infinity);
    this.#ticket = new Float64Array(slots);
    this.#queued = new Float64Array(slots).fill(Infinity);
    this.#queuedTicket = new Float64Array(slots).fill(-1);
  }

  /** Number of slots: codes 0 to slots - 1 on the clock belong to timers. */
  get slots(): number {
    return this.#deadline.length;
  }

  /** @param at microseconds */
  arm(position: number, name: string, at: number): void {
    const slot = this.#slot(position, name);
    const due = Math.max(at, this.#clock.now);
    this.#deadline[slot] = due;
    this.#ticket[slot] = this.#clock.ticket();
    if (due < (this.#queued[slot] as number)) this.#queue(slot);
  }

  disarm(position: number, name: string): void {
    this.#deadline[this.#slot(position, name)] = Infinity;
  }

  /** Forgets all timers of a station: its power is gone. */
  clear(position: number): void {
    const n = this.#names.length;
    this.#suspended.delete(position);
    this.#deadline.fill(Infinity, position * n, (position + 1) * n);
  }

  /** @returns when the timer is due, microseconds; Infinity: not armed */
  deadline(position: number, name: string): number {
    return this.#deadline[this.#slot(position, name)] as number;
  }

  /** Holds back the timers of a station whose processor stands still. */
  suspend(position: number): void {
    const n = this.#names.length;
    const from = position * n;
    if (this.#suspended.has(position)) return;
    this.#suspended.set(position, this.#deadline.slice(from, from + n));
    this.#deadline.fill(Infinity, from, from + n);
  }

  /** Lets them go on: what was due meanwhile is due now, in the order in which it was due. */
  resume(position: number): void {
    const kept = this.#suspended.get(position);
    this.#suspended.delete(position);
    if (!kept) return;
    const ticket = (k: number) => this.#ticket[position * this.#names.length + k] as number;
    Array.from(kept, (due, k) => ({ due, k, ticket: ticket(k) }))
      .filter(({ due }) => due < Infinity)
      .sort((a, b) => a.due - b.due || a.ticket - b.ticket)
      .forEach(({ due, k }) => {
        this.arm(position, this.#names[k] as string, due);
      });
  }

  /** @returns the name of the timer that is due now in this slot; "" when it was moved or disarmed */
  due(slot: number): string {
    const place = this.#queuedTicket[slot] as number;
    if (this.#clock.order !== place) return "";
    this.#queued[slot] = Infinity;
    this.#queuedTicket[slot] = -1;
    const deadline = this.#deadline[slot] as number;
    // Armed anew for this very time: its turn comes behind what was armed before that.
    if (deadline > this.#clock.now || this.#ticket[slot] !== place) {
      if (deadline < Infinity) this.#queue(slot);
      return "";
    }
    this.#deadline[slot] = Infinity;
    return this.#names[slot % this.#names.length] as string;
  }

  /** @returns the station's position to which a slot belongs */
  position(slot: number): number {
    return Math.floor(slot / this.#names.length);
  }

  #queue(slot: number): void {
    const due = this.#deadline[slot] as number;
    this.#queued[slot] = due;
    this.#queuedTicket[slot] = this.#ticket[slot] as number;
    this.#clock.schedule(due, slot, this.#ticket[slot] as number);
  }

  #slot(position: number, name: string): number {
    const k = this.#index[name];
    if (k === undefined) throw new Error(`no timer is called ${name}`);
    return position * this.#names.length + k;
  }
}
