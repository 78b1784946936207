/** Bounds what one board's other text takes of a log: a wrong baud rate makes thousands of lines a second. */

/** In so long, µs, ... */
const WINDOW_MICROS = 3_000_000;
/** ... so many lines are shown. */
const MOST_LINES = 60;

export class TextLimit {
  #since = Number.NEGATIVE_INFINITY;
  #lines = 0;

  /**
   * @param at host time, µs
   * @returns "show" the line, "last": say that the rest is left out, or "skip"
   */
  take(at: number): "show" | "last" | "skip" {
    if (at - this.#since > WINDOW_MICROS) {
      this.#since = at;
      // A flood that goes on is told of once.
      this.#lines = this.#lines > 2 * MOST_LINES ? MOST_LINES + 1 : 0;
    }
    this.#lines += 1;
    if (this.#lines <= MOST_LINES) return "show";
    return this.#lines === MOST_LINES + 1 ? "last" : "skip";
  }
}
