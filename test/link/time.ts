import type { Timers } from "../../src/link/time.ts";

interface Deadline {
  dueUs: number;
  run(): void;
}

/**
 * Time that a test moves. `clock` and `timers` go together, so what waits for 300 ms runs when the test has advanced by
 * that, at once in real time.
 */
export class ManualTime {
  #now = 0;
  #deadlines: Deadline[] = [];

  readonly clock = (): number => this.#now;

  readonly timers: Timers = {
    after: (ms, run) => {
      const deadline = { dueUs: this.#now + Math.ceil(ms * 1000), run };
      this.#deadlines.push(deadline);
      return () => {
        this.#deadlines = this.#deadlines.filter((other) => other !== deadline);
      };
    },
  };

  /** Deadlines that wait. */
  get pending(): number {
    return this.#deadlines.length;
  }

  /** Lets `ms` milliseconds pass, running what falls due in order, with room for promises in between. */
  async advance(ms: number): Promise<void> {
    const endUs = this.#now + ms * 1000;
    for (;;) {
      await settle();
      const next = this.#deadlines
        .filter(({ dueUs }) => dueUs <= endUs)
        .reduce<Deadline | undefined>(
          (first, other) => (first && first.dueUs <= other.dueUs ? first : other),
          undefined,
        );
      if (!next) break;
      this.#deadlines = this.#deadlines.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.dueUs);
      next.run();
    }
    this.#now = endUs;
  }
}

/** Real time for what is due at once; limits run out only when the test says so. For links over real lines. */
export class LimitTime {
  #limits = new Map<symbol, () => void>();

  readonly timers: Timers = {
    after: (ms, run) => {
      if (ms <= 0) {
        const immediate = setImmediate(run);
        return () => clearImmediate(immediate);
      }
      const key = Symbol(`${ms} ms`);
      this.#limits.set(key, run);
      return () => {
        this.#limits.delete(key);
      };
    },
  };

  /** Time limits that run. */
  get running(): number {
    return this.#limits.size;
  }

  /** Lets every limit that runs now run out. */
  expire(): void {
    const limits = this.#limits;
    this.#limits = new Map();
    for (const run of limits.values()) run();
  }
}

/** Lets everything that is ready run: a few turns of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for `condition`, and fails naming `what` when it takes longer than ten seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited 10 s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
