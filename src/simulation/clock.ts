/**
 * The virtual clock: a queue of deadlines. Equal deadlines come out in the order in which they were scheduled.
 * A binary heap in typed arrays, so that a hundred thousand pending timers cost neither objects nor garbage.
 */
export class VirtualClock {
  /** Microseconds since the start of the run; moves only when a deadline is taken. */
  now = 0;
  /** Place in the order of scheduling of the deadline taken last: it tells apart two with one code. */
  order = -1;
  #length = 0;
  #time: Float64Array;
  #order: Float64Array;
  #code: Int32Array;
  #next = 0;

  constructor(capacity = 256) {
    this.#time = new Float64Array(capacity);
    this.#order = new Float64Array(capacity);
    this.#code = new Int32Array(capacity);
  }

  /** Number of deadlines waiting. */
  get pending(): number {
    return this.#length;
  }

  /** @returns a place in the order of scheduling, for a deadline that is queued only later */
  ticket(): number {
    return this.#next++;
  }

  /**
   * Schedules `code` at `at` microseconds; a time already past means now.
   * @param order from `ticket()`, when the place in the order was taken earlier
   */
  schedule(at: number, code: number, order = this.#next++): void {
    if (this.#length === this.#time.length) this.#grow();
    const time = this.#time;
    const orders = this.#order;
    const codes = this.#code;
    const when = Math.max(at, this.now);
    let i = this.#length++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const t = time[parent] as number;
      if (t < when || (t === when && (orders[parent] as number) < order)) break;
      time[i] = t;
      orders[i] = orders[parent] as number;
      codes[i] = codes[parent] as number;
      i = parent;
    }
    time[i] = when;
    orders[i] = order;
    codes[i] = code;
  }

  /** @returns the time of the next deadline, Infinity when there is none */
  peek(): number {
    return this.#length ? (this.#time[0] as number) : Infinity;
  }

  /** Moves to the next deadline, which must exist, and returns its code. */
  take(): number {
    const time = this.#time;
    const orders = this.#order;
    const codes = this.#code;
    const code = codes[0] as number;
    this.now = time[0] as number;
    this.order = orders[0] as number;
    const n = --this.#length;
    const when = time[n] as number;
    const order = orders[n] as number;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= n) break;
      const right = child + 1;
      if (right < n) {
        const l = time[child] as number;
        const r = time[right] as number;
        if (r < l || (r === l && (orders[right] as number) < (orders[child] as number))) child = right;
      }
      const t = time[child] as number;
      if (when < t || (when === t && order < (orders[child] as number))) break;
      time[i] = t;
      orders[i] = orders[child] as number;
      codes[i] = codes[child] as number;
      i = child;
    }
    time[i] = when;
    orders[i] = order;
    codes[i] = codes[n] as number;
    return code;
  }

  /** Moves to a time at which nothing is due. */
  advance(to: number): void {
    if (to > this.now && to <= this.peek()) this.now = to;
  }

  #grow(): void {
    const size = this.#time.length * 2;
    const grown = <A extends Float64Array | Int32Array>(old: A, fresh: A): A => {
      fresh.set(old);
      return fresh;
    };
    this.#time = grown(this.#time, new Float64Array(size));
    this.#order = grown(this.#order, new Float64Array(size));
    this.#code = grown(this.#code, new Int32Array(size));
  }
}
