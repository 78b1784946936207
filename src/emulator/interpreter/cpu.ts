/**
 * Time and order of what a program does.
 *
 * A program runs at one instant of the clock, but not in no time: `getTime()`, full transmit buffers and a fixed cost
 * per callback let its own time run ahead. What it sends is an *effect* that happens at that later time, in order,
 * and until then the board is busy: bytes and timers wait. So a busy loop on `getTime()` ends, receive buffers
 * overflow behind it, and a Ctrl-C in the middle of it can still hold or drop what it had not sent yet.
 * Variables and pin levels change at once: only what leaves the board is timed.
 */
import type { Clock } from "../hardware/clock.ts";
import { Interrupted, PowerLost } from "./errors.ts";

/** Something that leaves the board: console output, characters on a UART, a pin's level. */
export type Effect = () => void;

/** Longest a single callback may keep the board busy, microseconds: after that it is taken to loop for ever. */
const runawayUs = 120e6;

/** Most effects that wait at once: a program that prints for ever while nobody reads must not eat the memory. */
const effectLimit = 100_000;

export class Cpu {
  private readonly clock: Clock;
  private queue: { atUs: number; run: Effect }[] = [];
  private cancelFlush: (() => void) | undefined;
  private running = false;
  private flushing = false;
  private startUs = 0;
  private spentUs = 0;
  /** End of the work under way; the main loop does nothing before. */
  busyUntilUs = 0;
  /** Output was not taken: the program stands in the middle of a `print` until `resume`. */
  stalled = false;
  /** No power: a program that goes on in spite of it reaches nothing. */
  off = false;
  /** Set while a debugger holds the program. */
  private held = false;
  private readonly flushOutput: () => boolean;
  private readonly onFree: () => void;

  /**
   * @param flushOutput sends console output off; false when nobody takes it, and the program stands still
   * @param onFree called when that ends, so that the main loop looks again
   */
  constructor(clock: Clock, flushOutput: () => boolean, onFree: () => void) {
    this.clock = clock;
    this.flushOutput = flushOutput;
    this.onFree = onFree;
  }

  /** Board time in microseconds of the clock: ahead of it inside a program that spent some. */
  now(): number {
    return this.running ? this.startUs + this.spentUs : this.clock.now();
  }

  get busy(): boolean {
    return (
      this.stalled || this.held || this.busyUntilUs > this.clock.now() || (this.running && this.spentUs > 0)
    );
  }

  /** Runs one piece of work; nested calls belong to the outer one. */
  run<T>(work: () => T): T {
    if (this.running) return work();
    this.running = true;
    this.startUs = this.clock.now();
    this.spentUs = Math.max(0, this.busyUntilUs - this.startUs);
    try {
      return work();
    } finally {
      this.busyUntilUs = this.startUs + this.spentUs;
      this.running = false;
    }
  }

  /** Lets board time pass inside a program. */
  spend(us: number): void {
    if (this.off) throw new PowerLost("no power");
    if (!this.running) return;
    this.spentUs += us;
    if (this.spentUs > runawayUs) throw new Interrupted("runaway");
  }

  /** Does `run` at board time `now()`, after all effects before it. */
  effect(run: Effect): void {
    if (this.off) return;
    const atUs = this.now();
    if (
      this.queue.length === 0 &&
      !this.stalled &&
      !this.held &&
      !this.flushing &&
      atUs <= this.clock.now()
    ) {
      run();
      this.output();
      return;
    }
    if (this.queue.length >= effectLimit) throw new Interrupted("too much output");
    this.queue.push({ atUs, run });
    this.schedule();
  }

  /** Sends console output off; when it is not taken, the program waits in the middle of its `print`. */
  output(): void {
    if (!this.flushOutput()) this.stalled = true;
  }

  /** The port can take bytes again. */
  resume(): void {
    if (!this.stalled) return;
    this.stalled = false;
    this.output();
    this.flush();
    if (!this.stalled) this.onFree();
  }

  /** A debugger stops the program: nothing more leaves the board. */
  hold(): void {
    this.held = true;
    this.cancelFlush?.();
    this.cancelFlush = undefined;
  }

  /**
   * The program goes on. Time has passed for it while it stood, so a loop that waited for a time is over at once.
   *
   * @param atOnce it does not wait for the rest of its time
   */
  release(atOnce: boolean): void {
    this.held = false;
    const nowUs = this.clock.now();
    if (atOnce) {
      for (const entry of this.queue) entry.atUs = nowUs;
      this.busyUntilUs = nowUs;
    }
    this.flush();
  }

  /** The program is broken off: what it had not sent yet is gone, and the board is free. */
  drop(): void {
    this.held = false;
    this.queue = [];
    this.stalled = false;
    this.busyUntilUs = this.clock.now();
    this.cancelFlush?.();
    this.cancelFlush = undefined;
  }

  private schedule(): void {
    const head = this.queue[0];
    if (head === undefined || this.stalled || this.held || this.flushing || this.cancelFlush) return;
    this.cancelFlush = this.clock.at(head.atUs, () => {
      this.cancelFlush = undefined;
      this.flush();
    });
  }

  /** Does the effects that are due. */
  flush(): void {
    if (this.flushing || this.held) return;
    this.flushing = true;
    try {
      for (let head = this.queue[0]; head !== undefined; head = this.queue[0]) {
        if (this.stalled || this.held || head.atUs > this.clock.now()) break;
        this.queue.shift();
        head.run();
        this.output();
      }
    } finally {
      this.flushing = false;
    }
    this.schedule();
  }
}
