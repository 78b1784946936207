/** Every request of a station that is there is served within its bound, counted anew when a fault has touched the ring. */
import { EVENT_CODE } from "../log/records.ts";
import type { Invariant } from "./invariant.ts";
import { breaks } from "./liveness.ts";
import { type RingView, type StationView, UP } from "./ring-view.ts";

export interface ServiceOptions {
  /** Microseconds in which a request is served in a ring that has formed. */
  serviceMicros: number;
  /** Microseconds after a fault, and after the first power-up, within which the ring has recovered. */
  recoveryMicros: number;
  /** An entry lasts until it is released: no bound runs while it does. */
  manual: boolean;
}

export class Service implements Invariant {
  readonly #options: ServiceOptions;
  /** Stations that wait, with the time of the request, the earliest first. */
  readonly #waiting = new Map<number, number>();
  /** Bounds count from here at the earliest, microseconds. */
  #from = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const event = records.event[i];
    const t = records.t[i] as number;
    if (event === EVENT_CODE.request) this.#waiting.set(records.station[i] as number, t);
    if (event === EVENT_CODE.exit && this.#options.manual) this.#from = t;
    return this.#waiting.size > 0 ? this.#look(view, t) : null;
  }

  /** At the end of a run. @param now microseconds @returns what is wrong, in words; null: nothing */
  end(view: RingView, now: number): string | null {
    for (let k = this.#waiting.size; k > 0; k--) {
      const text = this.#look(view, now);
      if (text !== null) return text;
    }
    return null;
  }

  /** Looks at the one that waits longest. */
  #look(view: RingView, now: number): string | null {
    const [id, since] = this.#waiting.entries().next().value as [number, number];
    const s = view.station(id);
    if (!s || s.requestedAt !== since) {
      this.#waiting.delete(id);
      return null;
    }
    if (s.power !== UP || !s.inserted) {
      // It may come back, and is not to hide the others.
      this.#waiting.delete(id);
      this.#waiting.set(id, since);
      return null;
    }
    const { serviceMicros, recoveryMicros } = this.#options;
    const from = Math.max(since, this.#from, view.disturbedAt + recoveryMicros);
    if (now <= from + serviceMicros) return null;
    if (this.#isExcused(view)) {
      this.#from = now;
      return null;
    }
    const limit = (serviceMicros / 1000).toFixed(0);
    const counted = from === since ? "" : ` from ${(from / 1e6).toFixed(6)} s on`;
    return `station ${id} has asked since ${(since / 1e6).toFixed(6)} s and was not served within ${limit} ms${counted}`;
  }

  /** Nobody promises anything while a wired ring is broken, a board is slower than its limits, or somebody may stay inside. */
  #isExcused(view: RingView): boolean {
    const stays = (s: StationView) => s.inside && s.power === UP && s.inserted;
    return (
      view.slow.size > 0 || (this.#options.manual && view.stations.some(stays)) || breaks(view).length > 0
    );
  }
}
