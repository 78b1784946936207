import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../invariant.ts";
import type { RingView } from "../ring-view.ts";

/**
 * One coordinator per election: every station that records the result of an election names the same one. A station that
 * has lost its memory may number its elections from the start again; then they are other elections.
 */
export class ElectionResults implements Invariant {
  readonly #result = new Map<number, number>();

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const event = records.event[i];
    const station = records.station[i] as number;
    if (event === EVENT_CODE.restart) {
      const { step } = view.ring;
      for (const election of this.#result.keys()) {
        if (election % step === station) this.#result.delete(election);
      }
    }
    if (event !== EVENT_CODE.coordinator) return null;
    const coordinator = records.a[i] as number;
    const election = records.value(i, 1) as number;
    // 0: learnt from an announcement.
    if (!election) return null;
    const before = this.#result.get(election);
    if (before === undefined) this.#result.set(election, coordinator);
    else if (before !== coordinator) {
      return `election ${election} made ${before} coordinator, and at station ${station} ${coordinator}`;
    }
    return null;
  }

  forget(): void {
    this.#result.clear();
  }
}
