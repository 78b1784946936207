/** `setTimeout`, `setInterval` and `changeInterval`: one list, as on the interpreter, looked at by the main loop. */
import type { Callback } from "./events.ts";

export interface Timer {
  readonly id: number;
  dueUs: number;
  /** Microseconds between calls; a time-out has none. */
  intervalUs: number | undefined;
  readonly callback: Callback;
  readonly args: readonly unknown[];
}

/** Shortest time a timer waits, milliseconds. */
const minimumMs = 0.1;
/** About a hundred years, milliseconds: the longest. */
export const longestMs = 31_536_000_001_000;

export class Timers {
  /** In the order of their ids, which is the order in which timers due at once run. */
  private list: Timer[] = [];
  private changed = false;
  private readonly wake: (atUs: number) => void;

  /** @param wake asks the main loop to look at a time in microseconds */
  constructor(wake: (atUs: number) => void) {
    this.wake = wake;
  }

  /** @returns the id: one more than the last timer's that is still there, from 1 */
  add(callback: Callback, ms: number, args: readonly unknown[], repeat: boolean, nowUs: number): number {
    const periodUs = this.period(ms);
    const id = (this.list.at(-1)?.id ?? 0) + 1;
    const dueUs = nowUs + periodUs;
    this.list.push({ id, dueUs, intervalUs: repeat ? periodUs : undefined, callback, args });
    this.changed = true;
    this.wake(dueUs);
    return id;
  }

  /** Takes effect at once and starts the wait anew; a time-out becomes an interval. False: no such timer. */
  change(id: unknown, ms: number, nowUs: number): boolean {
    const timer = this.list.find((each) => each.id === Number(id));
    if (timer === undefined) return false;
    timer.intervalUs = this.period(ms);
    timer.dueUs = nowUs + timer.intervalUs;
    this.changed = true;
    this.wake(timer.dueUs);
    return true;
  }

  remove(id: unknown): void {
    this.list = this.list.filter((each) => each.id !== Number(id));
    this.changed = true;
  }

  clear(): void {
    this.list = [];
    this.changed = true;
  }

  get count(): number {
    return this.list.length;
  }

  /** When the first timer is due, microseconds; Infinity without one. */
  nextDue(): number {
    let due = Number.POSITIVE_INFINITY;
    for (const timer of this.list) due = Math.min(due, timer.dueUs);
    return due;
  }

  /**
   * Runs what is due at `nowUs`.
   *
   * @param call runs one callback; false: the board is busy from here on, the rest waits
   */
  runDue(nowUs: number, call: (timer: Timer) => boolean): void {
    do {
      this.changed = false;
      for (const timer of this.list) {
        if (timer.dueUs > nowUs) continue;
        const free = call(timer);
        // Counted from when it was due, not from now: an interval does not drift, and catches up when late.
        if (timer.intervalUs !== undefined) timer.dueUs += timer.intervalUs;
        else this.list = this.list.filter((each) => each !== timer);
        if (!free) return;
        if (this.changed) break;
      }
    } while (this.changed);
  }

  private period(ms: number): number {
    return Math.round((Number.isNaN(ms) || ms < minimumMs ? minimumMs : ms) * 1000);
  }
}
