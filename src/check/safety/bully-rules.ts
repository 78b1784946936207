import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../observer.ts";
import type { RingView } from "../ring-view.ts";

/**
 * Who may be sent what in a Bully election: ELECTION to higher ids, OK and COORDINATOR to lower ones.
 * Source: H. Garcia-Molina, "Elections in a Distributed Computing System", IEEE Trans. Computers C-31(1), 1982.
 */
export class BullyRules implements Invariant {
  see(i: number, view: RingView): string | null {
    const { records } = view;
    if (records.event[i] !== EVENT_CODE.sent && records.event[i] !== EVENT_CODE.retry) return null;
    const from = records.station[i] as number;
    const message = records.value(i, 0);
    if (message !== "ELECTION" && message !== "OK" && message !== "COORDINATOR") return null;
    const to = records.value(i, 1) as number;
    if (message === "ELECTION" ? to > from : to < from) return null;
    return `station ${from} sends ${message} to ${to}, a ${to > from ? "higher" : "lower"} id`;
  }
}
