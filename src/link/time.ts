/** Host time: integer microseconds on a line that never goes back. Its zero is the owner's choice. */
export type Clock = () => number;

/** Where a link gets its time limits from, so that a test or a virtual clock can drive them. */
export interface Timers {
  /** Calls `run` once after `ms` milliseconds, 0 being "soon, but not now". Returns what calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** Microseconds since this process started, unaffected by changes of the wall clock. */
export const hostClock: Clock = () => Math.round(performance.now() * 1000);

export const hostTimers: Timers = {
  after(ms, run) {
    if (ms <= 0) {
      // A timer of 0 ms takes at least 1 ms, which would slow an emulated ring down to 1000 hops per second.
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** What `within` gives when the limit came first. */
export const LATE = Symbol("late");

/** Waits. */
export function pause(ms: number, timers: Timers = hostTimers): Promise<void> {
  return new Promise((resolve) => {
    timers.after(ms, resolve);
  });
}

/** The result of `work`, or LATE when that takes longer than `ms`. A late result or rejection is ignored. */
export function within<T>(timers: Timers, ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(ms, () => resolve(LATE));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error) => {
        cancel();
        reject(error);
      },
    );
  });
}
