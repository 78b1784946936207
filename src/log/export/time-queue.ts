/** A binary heap: things that are due at times, taken out in order of time, equal times in the order they came. */
export class TimeQueue<T> {
  readonly #heap: { time: number; order: number; item: T }[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  add(time: number, item: T): void {
    const heap = this.#heap;
    const entry = { time, order: this.#order++, item };
    let i = heap.push(entry) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(entry, heap[parent] as typeof entry)) break;
      heap[i] = heap[parent] as typeof entry;
      i = parent;
    }
    heap[i] = entry;
  }

  /** @returns the next thing that is due by then, with its time; undefined when there is none */
  next(until: number): { time: number; item: T } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.time > until) return undefined;
    const last = heap.pop() as typeof first;
    if (heap.length > 0) {
      let i = 0;
      for (;;) {
        let child = 2 * i + 1;
        if (child >= heap.length) break;
        const right = heap[child + 1];
        if (right && before(right, heap[child] as typeof first)) child++;
        if (!before(heap[child] as typeof first, last)) break;
        heap[i] = heap[child] as typeof first;
        i = child;
      }
      heap[i] = last;
    }
    return first;
  }
}

function before(a: { time: number; order: number }, b: { time: number; order: number }): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
