import { EVENT_CODE } from "../../log/records.ts";
import { messagesOf } from "../../protocols/frames.ts";
import type { Invariant } from "../invariant.ts";
import type { ObservedRing, RingView } from "../ring-view.ts";

/**
 * Who may be sent what in an election that asks by id, as Bully does: ELECTION to higher ids, OK and COORDINATOR to lower
 * ones. A message that the ring's mutual exclusion calls by the same name is not held against the election.
 * Source: H. Garcia-Molina, "Elections in a Distributed Computing System", IEEE Trans. Computers C-31(1), 1982.
 */
export class AskedIds implements Invariant {
  readonly always = true;
  readonly #asks: ReadonlyMap<string, "higher" | "lower">;

  /** @param asks by the name of a message, where it may go */
  constructor(ring: ObservedRing, asks: { readonly [message: string]: "higher" | "lower" }) {
    const others = messagesOf(ring.mutex);
    this.#asks = new Map(Object.entries(asks).filter(([message]) => !others.includes(message)));
  }

  see(i: number, view: RingView): string | null {
    const { records } = view;
    if (records.event[i] !== EVENT_CODE.sent && records.event[i] !== EVENT_CODE.retry) return null;
    const message = String(records.value(i, 0));
    const asked = this.#asks.get(message);
    if (asked === undefined) return null;
    const from = records.station[i] as number;
    const to = records.value(i, 1) as number;
    if (asked === "higher" ? to > from : to < from) return null;
    return `station ${from} sends ${message} to ${to}, a ${to > from ? "higher" : "lower"} id`;
  }
}
