/**
 * The MAU (multistation access unit): which stations are inserted, and who follows whom.
 * On a wired ring nothing can be bypassed unless relays do it; then the same table serves.
 */
export class Mau {
  readonly size: number;
  readonly #inserted: Uint8Array;
  readonly #successor: Int32Array;
  #count: number;

  /** @param size positions of the ring, 1 or more; all are inserted at first */
  constructor(size: number) {
    this.size = size;
    this.#inserted = new Uint8Array(size).fill(1);
    this.#successor = Int32Array.from({ length: size }, (_, i) => (i + 1) % size);
    this.#count = size;
  }

  /** Number of inserted stations. */
  get count(): number {
    return this.#count;
  }

  isInserted(position: number): boolean {
    return this.#inserted[position] === 1;
  }

  /** @returns the next inserted position; a station that is alone follows itself */
  successor(position: number): number {
    return this.#successor[position] as number;
  }

  /** @returns the inserted position before this one */
  predecessor(position: number): number {
    let p = position;
    do p = (p + this.size - 1) % this.size;
    while (p !== position && !this.isInserted(p));
    return p;
  }

  /** Takes a station out of the ring. @returns false when it is out already */
  bypass(position: number): boolean {
    if (!this.isInserted(position)) return false;
    this.#inserted[position] = 0;
    this.#count--;
    this.#link();
    return true;
  }

  /** Puts a station back at its place. @returns false when it is in already */
  insert(position: number): boolean {
    if (this.isInserted(position)) return false;
    this.#inserted[position] = 1;
    this.#count++;
    this.#link();
    return true;
  }

  /** Splits the ring: positions of one group follow one another only. Groups are numbers, one per position. */
  partition(groups: readonly number[]): void {
    this.#groups = groups.slice();
    this.#link();
  }

  /** Makes one ring of all groups again. */
  heal(): void {
    this.#groups = null;
    this.#link();
  }

  #groups: number[] | null = null;

  #link(): void {
    const groups = this.#groups;
    const last = new Map<number, number>();
    // Two passes backwards: the second closes each group's ring.
    for (let k = 2 * this.size - 1; k >= 0; k--) {
      const i = k % this.size;
      const group = groups ? (groups[i] as number) : 0;
      this.#successor[i] = last.get(group) ?? i;
      if (this.#inserted[i]) last.set(group, i);
    }
  }
}
