import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../observer.ts";
import type { ObservedRing, RingView } from "../ring-view.ts";

/**
 * No two entries carry the same fence, in one epoch their grants grow, and the guarded resource lets no write pass
 * whose fence is lower than one that passed before. A station that has lost its memory does not go back behind an epoch
 * that was seen before it came back: it is told, or has kept it.
 */
export class Fences implements Invariant {
  readonly #granted = new Map<number, number>();
  readonly #fenced: boolean;
  /** Highest epoch of a token or an entry so far, and what it was when each station last came back. */
  #highest = -1;
  readonly #floor = new Map<number, number>();
  #epoch = -1;
  #grant = -1;

  constructor(ring: ObservedRing) {
    this.#fenced = ring.mutex === "token-ring";
  }

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const event = records.event[i];
    const station = records.station[i] as number;
    if (event === EVENT_CODE.restart) this.#floor.set(station, this.#highest);
    if (event === EVENT_CODE.enter || event === EVENT_CODE.regenerated) {
      const epoch = records.value(i, 0) as number;
      const floor = this.#floor.get(station) ?? -1;
      if (event === EVENT_CODE.enter ? epoch < floor : epoch <= floor) {
        const does = event === EVENT_CODE.enter ? "enters in" : "makes a token of";
        return `station ${station} ${does} epoch ${epoch} though ${floor} was there before it restarted`;
      }
      this.#highest = Math.max(this.#highest, epoch);
    }
    if (event === EVENT_CODE.enter && this.#fenced) {
      const epoch = records.value(i, 0) as number;
      const grant = records.value(i, 1) as number;
      const before = this.#granted.get(epoch) ?? -1;
      if (grant <= before) {
        return `station ${records.station[i]} enters with fence (${epoch}, ${grant}) after (${epoch}, ${before}) was given`;
      }
      this.#granted.set(epoch, grant);
    } else if (event === EVENT_CODE.write && records.value(i, 2) !== "refused") {
      const epoch = records.value(i, 0) as number;
      const grant = records.value(i, 1) as number;
      if (epoch < this.#epoch || (epoch === this.#epoch && grant < this.#grant)) {
        return `the resource accepts (${epoch}, ${grant}) of station ${records.station[i]} after (${this.#epoch}, ${this.#grant})`;
      }
      this.#epoch = epoch;
      this.#grant = grant;
    }
    return null;
  }
}
