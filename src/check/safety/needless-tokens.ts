import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../invariant.ts";
import type { RingView } from "../ring-view.ts";

/** No token is given up for lost, or made anew, in a ring that no fault has touched for longer than recovery may take. */
export class NeedlessTokens implements Invariant {
  readonly #recoveryMicros: number;

  constructor(recoveryMicros: number) {
    this.#recoveryMicros = recoveryMicros;
  }

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const event = records.event[i];
    if (event !== EVENT_CODE.lost && event !== EVENT_CODE.regenerated) return null;
    // An entry that outlives its lease is given up without a fault.
    if (view.ring.leaseMs > 0) return null;
    if ((records.t[i] as number) <= view.disturbedAt + this.#recoveryMicros) return null;
    const what = event === EVENT_CODE.lost ? "gives the token up for lost" : "makes a new token";
    return `station ${records.station[i]} ${what} though no fault has happened since ${(view.disturbedAt / 1e6).toFixed(6)} s`;
  }
}
