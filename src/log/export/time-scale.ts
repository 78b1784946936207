/** Places on a time axis: to scale, with long gaps shortened. */

/** A hop of the usual length is this wide, pixels. */
const HOP_WIDTH = 46;
/** A gap is drawn no wider, pixels. */
const GAP_WIDTH = 150;

export class TimeScale {
  /** Times at which something happens, in order, with their places in pixels. */
  readonly points: { t: number; x: number }[] = [];
  /** Gaps that are shortened: their middle in pixels, their length in microseconds. */
  readonly gaps: { x: number; micros: number }[] = [];
  readonly width: number;

  /**
   * @param times microseconds, in any order
   * @param hops how long the hops took, microseconds: the usual one sets the scale
   */
  constructor(times: readonly number[], hops: readonly number[]) {
    const took = hops.filter((micros) => micros > 0).sort((a, b) => a - b);
    const usual = took[took.length >> 1] ?? 1000;
    let x = 0;
    let before: number | undefined;
    for (const t of [...new Set(times)].sort((a, b) => a - b)) {
      const wide = before === undefined ? 0 : ((t - before) / usual) * HOP_WIDTH;
      if (wide > GAP_WIDTH) this.gaps.push({ x: x + GAP_WIDTH / 2, micros: t - (before as number) });
      x += Math.min(wide, GAP_WIDTH);
      this.points.push({ t, x });
      before = t;
    }
    this.width = x;
  }

  /** @returns the place of a time in pixels; between two points in proportion */
  at(t: number): number {
    const { points } = this;
    let low = 0;
    let high = points.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((points[middle] as { t: number }).t < t) low = middle + 1;
      else high = middle;
    }
    const after = points[low];
    const before = points[low - 1];
    if (!after) return 0;
    if (!before || after.t <= t) return after.x;
    return before.x + ((after.x - before.x) * (t - before.t)) / (after.t - before.t);
  }
}
