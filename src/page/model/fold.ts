/** Time with its idle stretches folded away: where nothing but the token goes round, a second takes as little room as a moment. */
import type { RecordColumns } from "../../log/columns.ts";
import { isNotable } from "./notable.ts";

/** What happens this near to something is shown with it, µs. */
const MARGIN = 25_000;
/** Shorter stretches are not worth a fold, µs. */
const LEAST = 250_000;
/** Room of a fold, as if it took so long, µs. */
const FOLDED = 30_000;

export interface Stretch {
  /** Microseconds of the run. */
  from: number;
  to: number;
  /** Where it begins and ends in folded time. */
  at: number;
  end: number;
  folded: boolean;
}

export class Fold {
  readonly stretches: readonly Stretch[];

  constructor(stretches: Stretch[]) {
    this.stretches = stretches;
  }

  /** @returns folded time of a moment, µs */
  at(t: number): number {
    const s = this.#find((one) => one.to >= t);
    const part = s.to > s.from ? Math.min(1, Math.max(0, (t - s.from) / (s.to - s.from))) : 0;
    return s.at + part * (s.end - s.at);
  }

  /** @returns the moment of a folded time, µs */
  moment(u: number): number {
    const s = this.#find((one) => one.end >= u);
    const part = s.end > s.at ? Math.min(1, Math.max(0, (u - s.at) / (s.end - s.at))) : 0;
    return s.from + part * (s.to - s.from);
  }

  get length(): number {
    return this.stretches.at(-1)?.end ?? 0;
  }

  #find(reaches: (stretch: Stretch) => boolean): Stretch {
    let [low, high] = [0, this.stretches.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (reaches(this.stretches[middle] as Stretch)) high = middle;
      else low = middle + 1;
    }
    return this.stretches[low] as Stretch;
  }
}

/** @param end of the run, µs @param folds false: every moment has its room */
export function foldOf(columns: RecordColumns, end: number, folds: boolean): Fold {
  const last = Math.max(end, 1);
  const stretches: Stretch[] = [];
  let [at, busyTo, busyFrom] = [0, 0, 0];
  const push = (from: number, to: number, folded: boolean) => {
    if (to <= from) return;
    const room = folded ? FOLDED : to - from;
    stretches.push({ from, to, at, end: at + room, folded });
    at += room;
  };
  if (folds) {
    for (let i = 0; i < columns.length; i++) {
      if (!isNotable(columns, i)) continue;
      const t = columns.t[i] as number;
      const from = t - (columns.took[i] as number) - MARGIN;
      if (from - busyTo > LEAST) {
        push(busyFrom, busyTo, false);
        push(busyTo, from, true);
        busyFrom = from;
      }
      busyTo = Math.max(busyTo, Math.min(last, t + MARGIN));
    }
    push(busyFrom, busyTo, false);
    push(busyTo, last, last - busyTo > LEAST);
  } else push(0, last, false);
  if (stretches.length === 0) push(0, last, false);
  return new Fold(stretches);
}
