/** Finds the stations that have said nothing for too long. */
import type { Limits } from "../../../firmware/types.d.ts";
import { hostClock, hostTimers } from "../../link/time.ts";

/** A board prints nothing when it has not heard the host for 5 s: it hears it this often, ms. */
export const HEARTBEAT_MS = 1000;
/** Silent stations are looked for this often, ms. */
const WATCH_MS = 250;

/** A silent station is bypassed within this, ms. */
export function silenceMs(limits: Limits): number {
  return Math.max(2 * HEARTBEAT_MS + 500, 2 * limits.announce);
}

export class SilenceWatch {
  readonly #heardAt: number[];
  readonly #limitMs: number;
  readonly #onSilent: (position: number) => void;
  #cancel: () => void = () => {};

  constructor(count: number, limits: Limits, onSilent: (position: number) => void) {
    this.#heardAt = new Array<number>(count).fill(hostClock());
    this.#limitMs = silenceMs(limits) - WATCH_MS;
    this.#onSilent = onSilent;
  }

  heard(position: number): void {
    this.#heardAt[position] = hostClock();
  }

  start(): void {
    const now = hostClock();
    this.#heardAt.forEach((at, position) => {
      if (now - at > this.#limitMs * 1000) this.#onSilent(position);
    });
    this.#cancel = hostTimers.after(WATCH_MS, () => this.start());
  }

  stop(): void {
    this.#cancel();
  }
}
