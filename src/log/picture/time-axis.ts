/** A time axis to scale. */

export class TimeAxis {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;

  /**
   * @param from first moment, microseconds
   * @param to last moment
   * @param left place of the first, pixels
   */
  constructor(from: number, to: number, left: number, right: number) {
    this.from = from;
    // All at one moment: anything but a width of 0.
    this.to = to > from ? to : from + 1;
    this.left = left;
    this.right = right;
  }

  /** @returns the place of a time in pixels, within the axis */
  x(t: number): number {
    const part = (t - this.from) / (this.to - this.from);
    return this.left + Math.min(Math.max(part, 0), 1) * (this.right - this.left);
  }

  /** Microseconds of a pixel. */
  get step(): number {
    return (this.to - this.from) / (this.right - this.left);
  }

  /** @returns round times, at least `distance` pixels apart, with their words */
  ticks(distance: number): { t: number; text: string }[] {
    const least = Math.max(1, this.step * distance);
    const power = 10 ** Math.floor(Math.log10(least));
    const every = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) as number;
    const digits = Math.min(6, Math.max(0, 6 - Math.round(Math.log10(every) - 0.35)));
    const ticks = [];
    for (let k = Math.ceil(this.from / every); k * every <= this.to; k++) {
      ticks.push({ t: k * every, text: `${((k * every) / 1e6).toFixed(digits)} s` });
    }
    return ticks;
  }
}
