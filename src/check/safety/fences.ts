import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../invariant.ts";
import type { RingView } from "../ring-view.ts";

/**
 * No two entries carry the same fence, and in one epoch their grants grow. A station that has lost its memory does not go
 * back behind an epoch that was seen before it came back: it is told, or has kept it.
 */
export class Fences implements Invariant {
  readonly #granted = new Map<number, number>();
  /** Highest epoch of a token or an entry so far, and what it was when each station last came back. */
  #highest = -1;
  readonly #floor = new Map<number, number>();

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const event = records.event[i];
    const station = records.station[i] as number;
    if (event === EVENT_CODE.restart) this.#floor.set(station, this.#highest);
    if (event !== EVENT_CODE.enter && event !== EVENT_CODE.regenerated) return null;
    const enters = event === EVENT_CODE.enter;
    const epoch = records.value(i, 0) as number;
    const floor = this.#floor.get(station) ?? -1;
    this.#highest = Math.max(this.#highest, epoch);
    if (enters ? epoch < floor : epoch <= floor) {
      const does = enters ? "enters in" : "makes a token of";
      return `station ${station} ${does} epoch ${epoch} though ${floor} was there before it restarted`;
    }
    if (!enters) return null;
    const grant = records.value(i, 1) as number;
    const before = this.#granted.get(epoch) ?? -1;
    this.#granted.set(epoch, grant);
    if (grant > before) return null;
    return `station ${station} enters with fence (${epoch}, ${grant}) after (${epoch}, ${before}) was given`;
  }

  forget(): void {
    this.#granted.clear();
    this.#floor.clear();
    this.#highest = -1;
  }
}
