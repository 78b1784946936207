import { EVENT_CODE } from "../../log/records.ts";
import { traitsOf } from "../../protocols/registry.ts";
import type { Invariant } from "../invariant.ts";
import type { RingView } from "../ring-view.ts";

/** Is the first part of a fence the epoch of the token, or of the coordinator that grants? */
function hasEpochs(mutex: string): boolean {
  return traitsOf(mutex).fence?.[0] === "epoch";
}

/** Never two stations inside in one epoch; where the mutual exclusion has no epochs, never two inside. */
export class Exclusion implements Invariant {
  see(i: number, view: RingView): string | null {
    const { records, ring } = view;
    if (records.event[i] !== EVENT_CODE.enter) return null;
    const entering = view.station(records.station[i] as number);
    if (!entering) return null;
    for (const other of view.stations) {
      if (other === entering || !other.inside) continue;
      if (other.epoch === entering.epoch) {
        return `stations ${other.id} and ${entering.id} are both inside in epoch ${entering.epoch}`;
      }
      if (!hasEpochs(ring.mutex)) {
        return `station ${entering.id} enters with fence (${entering.epoch}, ${entering.grant}) while ${other.id} is inside with (${other.epoch}, ${other.grant})`;
      }
    }
    return null;
  }
}
