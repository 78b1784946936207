import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../invariant.ts";
import type { RingView } from "../ring-view.ts";

/** The guarded resource lets no write pass whose fence is lower than one that passed before, whatever happens to the ring. */
export class GuardedWrites implements Invariant {
  readonly always = true;
  #epoch = -1;
  #grant = -1;

  see(i: number, view: RingView): string | null {
    const { records } = view;
    if (records.event[i] !== EVENT_CODE.write || records.value(i, 2) === "refused") return null;
    const epoch = records.value(i, 0) as number;
    const grant = records.value(i, 1) as number;
    if (epoch < this.#epoch || (epoch === this.#epoch && grant < this.#grant)) {
      return `the resource accepts (${epoch}, ${grant}) of station ${records.station[i]} after (${this.#epoch}, ${this.#grant})`;
    }
    this.#epoch = epoch;
    this.#grant = grant;
    return null;
  }
}
