/** Finds the stations that have said nothing for too long. */
import type { Limits } from "../../../firmware/types.d.ts";
import { hostClock, hostTimers } from "../../link/time.ts";

/** A board prints nothing when it has not heard the host for 5 s: it hears it this often, ms. */
export const HEARTBEAT_MS = 1000;
/** Silent stations are looked for this often, ms. */
const WATCH_MS = 50;
/** Later than this means that the host was busy, ms. */
const LATE_MS = 20;
/** A board that collects garbage or writes to its flash takes its time, ms. */
const LEAST_ANSWER_MS = 1000;

/** A station of which nobody wants anything is bypassed within this, ms. */
export function silenceMs(limits: Limits): number {
  return Math.max(2 * HEARTBEAT_MS + 500, 2 * limits.announce);
}

/** A station to which a frame goes is bypassed when nothing has come from it within this, ms. */
export function answerMs(limits: Limits): number {
  return Math.max(LEAST_ANSWER_MS, limits.token);
}

export class SilenceWatch {
  readonly #heardAt: number[];
  /** Since when a frame for it is under way without an answer; -1: there is none. */
  readonly #askedAt: number[];
  /** When it last looked; -1: never. */
  #lookedAt = -1;
  readonly #limits: Limits;
  readonly #onSilent: (position: number) => void;
  #cancel: () => void = () => {};

  constructor(count: number, limits: Limits, onSilent: (position: number) => void) {
    this.#heardAt = new Array<number>(count).fill(hostClock());
    this.#askedAt = new Array<number>(count).fill(-1);
    this.#limits = limits;
    this.#onSilent = onSilent;
  }

  /** Something has come from the station. */
  heard(position: number): void {
    this.#heardAt[position] = hostClock();
  }

  /** A frame goes to the station, which answers each. */
  asked(position: number): void {
    if (this.#askedAt[position] === -1) this.#askedAt[position] = hostClock();
  }

  /** It has answered a frame. @param more others for it are under way still */
  answered(position: number, more: boolean): void {
    this.heard(position);
    this.#askedAt[position] = more ? hostClock() : -1;
  }

  start(): void {
    const now = hostClock();
    // What a busy host has not read yet is no silence of the stations.
    const late = this.#lookedAt < 0 ? 0 : now - this.#lookedAt - WATCH_MS * 1000;
    this.#lookedAt = now;
    if (late > LATE_MS * 1000) {
      this.#askedAt.forEach((at, position) => {
        if (at >= 0) this.#askedAt[position] = at + late;
      });
    }
    const silence = (silenceMs(this.#limits) - WATCH_MS) * 1000;
    const answer = (answerMs(this.#limits) - WATCH_MS) * 1000;
    this.#heardAt.forEach((heardAt, position) => {
      const askedAt = this.#askedAt[position] as number;
      const unanswered = askedAt >= 0 && now - Math.max(askedAt, heardAt) > answer;
      if (!unanswered && now - heardAt <= silence) return;
      this.#askedAt[position] = -1;
      this.#onSilent(position);
    });
    this.#cancel = hostTimers.after(WATCH_MS, () => this.start());
  }

  stop(): void {
    this.#cancel();
  }
}
