import type { RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../invariant.ts";
import type { ObservedRing, RingView } from "../ring-view.ts";

interface Seen {
  /** The last token taken. */
  epoch: number;
  hop: number;
  /** It has not been passed on yet. */
  owed: boolean;
  /** It was made here. */
  made: boolean;
  /** It has not joined since it got power: it may be only a wire, which takes no token. */
  fresh: boolean;
}

/**
 * (epoch, hop) of the tokens that a station takes grows, and a station sends only a token that it took or made,
 * once, one hop further on.
 */
export class TokenOrder implements Invariant {
  readonly #seen = new Map<number, Seen>();
  /** The hop of a token whose fate the next record tells. */
  #arrived: { from: number; id: number; epoch: number; hop: number } | null = null;
  /** The frame transmitted next was injected at this station; -1: none. */
  #injected = -1;

  constructor(ring: ObservedRing) {
    for (const id of ring.ids)
      this.#seen.set(id, { epoch: -1, hop: -1, owed: false, made: false, fresh: true });
  }

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const event = records.event[i];
    const settled = this.#arrived ? this.#taken(this.#arrived, i, view) : null;
    this.#arrived = null;
    if (settled !== null) return settled;
    const id = records.station[i] as number;
    const injected = this.#injected;
    this.#injected = -1;
    switch (event) {
      case EVENT_CODE.hop:
        if (records.frameTypes[records.type[i] as number] === "TOK") {
          const [epoch, hop] = [records.arg(i, 0), records.arg(i, 1)];
          this.#arrived = { from: id, id: records.peer[i] as number, epoch, hop };
        }
        return null;
      case EVENT_CODE.transmitted:
        if (records.frameTypes[records.type[i] as number] !== "TOK" || injected === id) return null;
        return this.#sent(i, view);
      case EVENT_CODE.fault: {
        const kind = records.value(i, 0);
        if (kind === "inject" || kind === "replay") this.#injected = id;
        return null;
      }
      case EVENT_CODE.crash:
      case EVENT_CODE.restart: {
        const s = this.#seen.get(id);
        if (s) {
          s.epoch = s.hop = -1;
          s.fresh = true;
        }
        return null;
      }
      case EVENT_CODE.joined: {
        const s = this.#seen.get(id);
        if (s) s.fresh = false;
        return null;
      }
      case EVENT_CODE.regenerated: {
        const s = this.#seen.get(id);
        const epoch = records.a[i] as number;
        if (!s) return null;
        if (epoch <= s.epoch)
          return `station ${id} makes a token of epoch ${epoch} after it has seen ${s.epoch}`;
        this.#seen.set(id, { epoch, hop: 0, owed: true, made: true, fresh: false });
        return null;
      }
    }
    return null;
  }

  /** The token of the last hop is taken unless this record says otherwise. */
  #taken(
    { from, id, epoch, hop }: { from: number; id: number; epoch: number; hop: number },
    i: number,
    view: RingView,
  ): string | null {
    const { records } = view;
    const s = this.#seen.get(id);
    if (!s || (records.station[i] === id && refuses(records, i, epoch, hop))) return null;
    // A lone station's token comes straight back to it.
    const own = from === id && epoch === s.epoch && hop === s.hop + 1 && !s.owed;
    const late = !s.fresh && (epoch < s.epoch || (epoch === s.epoch && hop <= s.hop && !own));
    const text = late
      ? `station ${id} takes token (${epoch}, hop ${hop}) after (${s.epoch}, hop ${s.hop})`
      : null;
    s.epoch = epoch;
    s.hop = hop;
    s.owed = true;
    s.made = false;
    return text;
  }

  #sent(i: number, view: RingView): string | null {
    const { records } = view;
    const id = records.station[i] as number;
    const epoch = records.arg(i, 0);
    const hop = records.arg(i, 1);
    const s = this.#seen.get(id);
    if (!s) return null;
    // A wire passes on what it got, unchanged.
    if (s.owed && epoch === s.epoch && (hop === s.hop + 1 || (s.fresh && hop === s.hop))) {
      s.owed = false;
      return null;
    }
    return `station ${id} sends token (${epoch}, hop ${hop}), which it does not hold`;
  }
}

/** Does record `i` say that this token was not taken? */
function refuses(records: RecordColumns, i: number, epoch: number, hop: number): boolean {
  if (records.event[i] === EVENT_CODE.stale) return records.a[i] === epoch && records.value(i, 1) === hop;
  return records.event[i] === EVENT_CODE.bad && records.value(i, 0) === "echo";
}
