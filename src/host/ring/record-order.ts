/**
 * Puts the records of several consoles into the order of their times. On a wired ring the token goes from board to board
 * past the host, so the record of an exit can arrive behind that of the next entry. On a hub the host carries every frame
 * itself, and what arrives first was first.
 */
import { hostTimers } from "../../link/time.ts";

/** A record that arrives later than this behind an earlier one is out of order, ms. */
const HOLD_MS = 30;

export class RecordOrder {
  #held: { t: number; write: () => void }[] = [];
  #cancel: (() => void) | null = null;
  readonly #now: () => number;
  readonly #flushed: () => void;

  /**
   * @param now time on the line of the records, µs
   * @param flushed called after records have been written
   */
  constructor(now: () => number, flushed: () => void) {
    this.#now = now;
    this.#flushed = flushed;
  }

  /** @param write adds the record of time `t`, µs */
  add(t: number, write: () => void): void {
    this.#held.push({ t, write });
    this.#wait();
  }

  /** Writes what is older than `until`, in order; everything by default. */
  flush(until = Number.POSITIVE_INFINITY): void {
    const due = this.#held.filter(({ t }) => t <= until).sort((a, b) => a.t - b.t);
    if (due.length === 0) return;
    this.#held = this.#held.filter(({ t }) => t > until);
    for (const { write } of due) write();
    this.#flushed();
  }

  #wait(): void {
    this.#cancel ??= hostTimers.after(HOLD_MS / 2, () => {
      this.#cancel = null;
      this.flush(this.#now() - HOLD_MS * 1000);
      if (this.#held.length > 0) this.#wait();
    });
  }
}
