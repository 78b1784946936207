/** Tells a press, a hold and a double press of one button apart. */
import { hostTimers, type Timers } from "../link/time.ts";

/** Longer is a hold, ms. */
export const HOLD_MS = 800;
/** A second press within this makes a double press, ms. */
export const DOUBLE_MS = 350;

export type Gesture = "press" | "hold" | "double";

/** A release that a press follows within this is the contact's bouncing, ms. */
export const BOUNCE_MS = 25;

export class Gestures {
  readonly #made: (gesture: Gesture) => void;
  readonly #timers: Timers;
  #isDown = false;
  #held = false;
  /** What is under way: each ends one wait. */
  #hold: (() => void) | null = null;
  #release: (() => void) | null = null;
  #second: (() => void) | null = null;

  constructor(made: (gesture: Gesture) => void, timers: Timers = hostTimers) {
    this.#made = made;
    this.#timers = timers;
  }

  down(): void {
    if (this.#isDown) {
      this.#release = end(this.#release);
      return;
    }
    this.#isDown = true;
    this.#held = false;
    this.#hold = this.#timers.after(HOLD_MS, () => {
      this.#hold = null;
      this.#held = true;
      this.#second = end(this.#second);
      this.#made("hold");
    });
  }

  /** A release without a press, as a panel tells at its start, is none. */
  up(): void {
    if (!this.#isDown) return;
    // Not by the time between the two: a busy host may hear of both at once.
    this.#release ??= this.#timers.after(BOUNCE_MS, () => {
      this.#release = null;
      this.#released();
    });
  }

  stop(): void {
    this.#isDown = false;
    this.#hold = end(this.#hold);
    this.#release = end(this.#release);
    this.#second = end(this.#second);
  }

  #released(): void {
    this.#isDown = false;
    this.#hold = end(this.#hold);
    if (this.#held) return;
    if (this.#second) {
      this.#second = end(this.#second);
      this.#made("double");
      return;
    }
    this.#second = this.#timers.after(DOUBLE_MS, () => {
      this.#second = null;
      this.#made("press");
    });
  }
}

function end(wait: (() => void) | null): null {
  wait?.();
  return null;
}
