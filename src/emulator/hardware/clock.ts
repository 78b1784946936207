import { performance } from "node:perf_hooks";

/** Time for a board, handed in: a virtual clock in tests and simulations, or the real one below. */
export interface Clock {
  /** Microseconds since some fixed start; never goes back. */
  now(): number;
  /** Calls `fn` once at `timeUs` (at once, but not inside this call, when that is past). Returns the cancel. */
  at(timeUs: number, fn: () => void): () => void;
}

/**
 * The clock on the wall. Timers of the operating system have a grain of about 1 ms, so events come up to that
 * late; what arrived meanwhile is handed over in one piece.
 */
export function realTimeClock(): Clock {
  const now = () => Math.round(performance.now() * 1000);
  return {
    now,
    at(timeUs, fn) {
      const delayUs = timeUs - now();
      if (delayUs < 500) {
        const handle = setImmediate(fn);
        return () => clearImmediate(handle);
      }
      // A longer wait than setTimeout can hold is cut in pieces, or it would fire at once.
      const limitMs = 2 ** 31 - 1;
      const delayMs = Math.ceil(delayUs / 1000);
      let cancel = () => {};
      if (delayMs > limitMs) {
        const handle = setTimeout(() => {
          cancel = this.at(timeUs, fn);
        }, limitMs);
        cancel = () => clearTimeout(handle);
      } else {
        const handle = setTimeout(fn, delayMs);
        cancel = () => clearTimeout(handle);
      }
      return () => cancel();
    },
  };
}
