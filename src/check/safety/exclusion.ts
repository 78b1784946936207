import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../observer.ts";
import type { RingView } from "../ring-view.ts";

/**
 * Never two stations inside in one epoch. Where no fault can have hidden a station from the others and no lease can have
 * run out, never two inside at all: a purge waits for those that are still inside with an older token.
 */
export class Exclusion implements Invariant {
  see(i: number, view: RingView): string | null {
    const { records, ring } = view;
    if (records.event[i] !== EVENT_CODE.enter) return null;
    const entering = view.station(records.station[i] as number);
    if (!entering) return null;
    const alone = ring.leaseMs === 0 && !view.isolated;
    for (const other of view.stations) {
      if (other === entering || !other.inside) continue;
      if (other.epoch === entering.epoch) {
        return `stations ${other.id} and ${entering.id} are both inside in epoch ${entering.epoch}`;
      }
      if (alone) {
        return `station ${entering.id} enters in epoch ${entering.epoch} while ${other.id} is inside in epoch ${other.epoch}`;
      }
    }
    return null;
  }
}
