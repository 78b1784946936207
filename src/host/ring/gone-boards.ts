/** Which boards' ports are gone, and whether all have been for a while: a USB hub that is plugged in again is back sooner. */
import { hostTimers } from "../../link/time.ts";

/** A ring that has lost every board ends after this, ms. */
const ALL_GONE_MS = 5000;

export class GoneBoards {
  readonly #count: number;
  readonly #gone = new Set<number>();
  #settle: () => void = () => {};
  #cancel: () => void = () => {};
  /** Settled when all have been gone for a while. */
  readonly all = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  constructor(count: number) {
    this.#count = count;
  }

  add(position: number): void {
    this.#gone.add(position);
    if (this.#gone.size === this.#count) this.#cancel = hostTimers.after(ALL_GONE_MS, this.#settle);
  }

  /** @returns false when it was not gone */
  delete(position: number): boolean {
    this.#cancel();
    return this.#gone.delete(position);
  }

  stop(): void {
    this.#cancel();
  }
}
