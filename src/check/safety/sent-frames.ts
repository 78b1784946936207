import { ASIDE, FRAME_KIND, type RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE } from "../../log/records.ts";
import type { Invariant } from "../invariant.ts";
import type { RingView } from "../ring-view.ts";

/**
 * No frame arrives that nobody sent, and none overtakes another on its link. Only where the records say what was
 * transmitted.
 */
export class SentFrames implements Invariant {
  readonly always = true;
  /** Per transmitter: records of the frames under way, the oldest first. */
  readonly #underWay = new Map<number, number[]>();
  /** Ids that two boards have: each has a link of its own, so that nothing can be said of the order. */
  readonly #twins = new Set<number>();
  #witnessed = false;

  see(i: number, view: RingView): string | null {
    const { records } = view;
    const from = records.station[i] as number;
    switch (records.event[i]) {
      case EVENT_CODE.transmitted:
      case EVENT_CODE.duplicated: {
        // Without records of what was transmitted, a doubled frame says nothing of the others.
        this.#witnessed ||= records.event[i] === EVENT_CODE.transmitted;
        if (!this.#witnessed) return null;
        const queue = this.#underWay.get(from);
        if (queue) queue.push(i);
        else this.#underWay.set(from, [i]);
        return null;
      }
      case EVENT_CODE.hop:
        if (!this.#witnessed || this.#arrive(i, from, records)) return null;
        return `a frame arrives from ${from} at ${records.peer[i]} that ${from} did not send`;
      case EVENT_CODE.dropped:
        this.#drop(i, from, records);
        return null;
      case EVENT_CODE.fault:
        if (records.value(i, 0) === "twin") this.#twins.add(from);
        return null;
    }
    return null;
  }

  /** Frames before the one that arrives were lost on the way. */
  #arrive(i: number, from: number, records: RecordColumns): boolean {
    const queue = this.#underWay.get(from);
    const place = queue ? queue.findIndex((sent) => sameFrame(records, sent, i)) : -1;
    if (!queue || place < 0) return false;
    if (this.#twins.has(from)) queue.splice(place, 1);
    else queue.splice(0, place + 1);
    return true;
  }

  #drop(i: number, from: number, records: RecordColumns): void {
    const queue = this.#underWay.get(from);
    if (!queue) return;
    // What is lost at once was sent by the record before, also where an equal frame is still under way.
    const place =
      queue.at(-1) === i - 1 && sameFrame(records, i - 1, i)
        ? queue.length - 1
        : queue.findIndex((sent) => sameFrame(records, sent, i));
    if (place >= 0) queue.splice(place, 1);
  }
}

/** Are two records about the same frame on the same link? */
function sameFrame(records: RecordColumns, i: number, k: number): boolean {
  if (
    records.type[i] !== records.type[k] ||
    records.flags[i] !== records.flags[k] ||
    records.station[i] !== records.station[k] ||
    records.peer[i] !== records.peer[k]
  ) {
    return false;
  }
  if (((records.flags[i] as number) & FRAME_KIND) !== ASIDE) {
    return records.a[i] === records.a[k] && records.b[i] === records.b[k] && records.c[i] === records.c[k];
  }
  const one = records.frame(i);
  const other = records.frame(k);
  return one.src === other.src && one.dst === other.dst && one.args.join() === other.args.join();
}
