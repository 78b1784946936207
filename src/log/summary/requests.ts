/** Who has asked for the critical section and waits for it. Memory: one entry for each station that waits. */

/** Requests of a run. Asked is the sum of the others. */
export interface RequestCounts {
  asked: number;
  served: number;
  /** Ended with the station that had asked: it lost power or started anew. */
  gone: number;
  /** Open at the end. */
  waiting: { station: number; since: number }[];
}

export class Requests {
  asked = 0;
  served = 0;
  gone = 0;
  readonly #since = new Map<number, number>();

  /** @param t microseconds */
  ask(station: number, t: number): void {
    this.asked++;
    // A station asks once at a time: where a record says otherwise, the one before is not known to be served.
    if (this.#since.has(station)) this.gone++;
    this.#since.set(station, t);
  }

  /** @returns how long the station has waited, microseconds; undefined where nothing is known of a request */
  enter(station: number, t: number): number | undefined {
    const since = this.#since.get(station);
    if (since === undefined) return undefined;
    this.#since.delete(station);
    this.served++;
    return Math.max(0, t - since);
  }

  /** The station has lost its state. */
  end(station: number): void {
    if (this.#since.delete(station)) this.gone++;
  }

  counts(): RequestCounts {
    const { asked, served, gone } = this;
    const waiting = [...this.#since].map(([station, since]) => ({ station, since }));
    return { asked, served, gone, waiting: waiting.sort((a, b) => a.station - b.station) };
  }
}
