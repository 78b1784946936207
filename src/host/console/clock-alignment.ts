/**
 * A board's clock against the host's, from exchanges of four timestamps as in NTP (RFC 5905, section 8):
 * offset ((T2 - T1) + (T3 - T4)) / 2, delay (T4 - T1) - (T3 - T2). The board answers at once, so T2 = T3.
 */
const KEPT = 16;
/** No crystal of a board drifts more, parts per million. */
const WORST_PPM = 200;

interface Sample {
  /** Host time in the middle of the exchange, board minus host, half of the round trip; all µs. */
  host: number;
  offset: number;
  bound: number;
}

export class ClockAlignment {
  #samples: Sample[] = [];
  /** Host time of the latest exchange, µs. */
  #now = 0;

  /** @param t1 host time of sending, @param t2 board time of the answer, @param t4 host time of receipt; µs */
  add(t1: number, t2: number, t4: number): void {
    if (!(t4 >= t1)) return;
    const sample = { host: (t1 + t4) / 2, offset: t2 - (t1 + t4) / 2, bound: (t4 - t1) / 2 };
    const last = this.#samples[this.#samples.length - 1];
    // A jump of the board's clock, or a restart: what was known of it is void.
    if (
      last &&
      Math.abs(sample.offset - last.offset) >
        sample.bound + last.bound + (sample.host - last.host) * WORST_PPM * 1e-6
    ) {
      this.reset();
    }
    this.#now = sample.host;
    // What is known grows worse with its age; an exchange that is better than that takes its place.
    if (sample.bound > this.boundMicros) return;
    this.#samples.push(sample);
    if (this.#samples.length > KEPT) this.#samples.shift();
  }

  reset(): void {
    this.#samples = [];
  }

  /** @returns whether any exchange is known */
  get known(): boolean {
    return this.#samples.length > 0;
  }

  /** Board seconds gained per host second, parts per million; 0 until two exchanges are far enough apart to tell. */
  get driftPpm(): number {
    const first = this.#samples[0];
    const last = this.#samples[this.#samples.length - 1];
    if (!first || !last || last === first) return 0;
    const span = last.host - first.host;
    const slope = ((last.offset - first.offset) / span) * 1e6;
    const uncertain = ((first.bound + last.bound) / span) * 1e6;
    // A slope that no crystal has is the error of two long round trips.
    return Math.abs(slope) > uncertain && Math.abs(slope) <= WORST_PPM ? slope : 0;
  }

  /** Largest error of `toHost` now, µs. */
  get boundMicros(): number {
    const last = this.#samples[this.#samples.length - 1];
    if (!last) return Infinity;
    return Math.ceil(last.bound + (this.#now - last.host) * WORST_PPM * 1e-6);
  }

  /** Board minus host, µs, at the latest exchange. */
  get offsetMicros(): number {
    return this.#samples[this.#samples.length - 1]?.offset ?? 0;
  }

  /** @returns the host time of a board time, µs */
  toHost(board: number): number {
    const last = this.#samples[this.#samples.length - 1];
    if (!last) return board;
    const rate = 1 + this.driftPpm * 1e-6;
    return Math.round(last.host + (board - last.offset - last.host) / rate);
  }
}
