import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../observer.ts";
import type { ObservedRing, RingView } from "../ring-view.ts";

/**
 * No two entries carry the same fence, in one epoch their grants grow, and the guarded resource lets no write pass
 * whose fence is lower than one that passed before.
 */
export class Fences implements Invariant {
  readonly #granted = new Map<number, number>();
  readonly #fenced: boolean;
  #epoch = -1;
  #grant = -1;

  constructor(ring: ObservedRing) {
    this.#fenced = ring.mutex === "token-ring";
  }

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const event = records.event[i];
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
