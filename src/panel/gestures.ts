/** Tells a press, a hold and a double press of one button apart. */
import { hostTimers, type Timers } from "../link/time.ts";

/** Longer is a hold, ms. */
export const HOLD_MS = 800;
/** A second press within this makes a double press, ms. */
export const DOUBLE_MS = 350;

export type Gesture = "press" | "hold" | "double";

export class Gestures {
  readonly #made: (gesture: Gesture) => void;
  readonly #timers: Timers;
  #endHold: (() => void) | null = null;
  #endWait: (() => void) | null = null;
  #isDown = false;
  #held = false;

  constructor(made: (gesture: Gesture) => void, timers: Timers = hostTimers) {
    this.#made = made;
    this.#timers = timers;
  }

  down(): void {
    this.#endHold?.();
    this.#isDown = true;
    this.#held = false;
    this.#endHold = this.#timers.after(HOLD_MS, () => {
      this.#endHold = null;
      this.#held = true;
      this.#stopWaiting();
      this.#made("hold");
    });
  }

  /** A release without a press, as a panel tells at its start, is none. */
  up(): void {
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#endHold?.();
    this.#endHold = null;
    if (this.#held) {
      this.#held = false;
      return;
    }
    if (this.#stopWaiting()) {
      this.#made("double");
      return;
    }
    this.#endWait = this.#timers.after(DOUBLE_MS, () => {
      this.#endWait = null;
      this.#made("press");
    });
  }

  stop(): void {
    this.#endHold?.();
    this.#endHold = null;
    this.#stopWaiting();
  }

  /** @returns whether a second press was waited for */
  #stopWaiting(): boolean {
    const waited = this.#endWait !== null;
    this.#endWait?.();
    this.#endWait = null;
    return waited;
  }
}
