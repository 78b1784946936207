/**
 * The MAU (multistation access unit): which stations are inserted, and who follows whom.
 * On a wired ring nothing can be bypassed unless relays do it; then the same table serves.
 */
import { BitSet } from "./bit-set.ts";

export class Mau {
  readonly size: number;
  readonly #inserted: Uint8Array;
  /** Of inserted positions only. */
  readonly #successor: Int32Array;
  #count: number;
  #parts: Parts;
  /** The places of the inserted positions. */
  #members: BitSet;

  /** @param size positions of the ring, 1 or more; all are inserted at first */
  constructor(size: number) {
    this.size = size;
    this.#inserted = new Uint8Array(size).fill(1);
    this.#successor = Int32Array.from({ length: size }, (_, i) => (i + 1) % size);
    this.#count = size;
    this.#parts = whole(size);
    this.#members = new BitSet(size, true);
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
    return this.#inserted[position] === 1 ? (this.#successor[position] as number) : this.#after(position);
  }

  /** @returns the inserted position before this one, whatever its group */
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
    this.#members.remove(this.#parts.place[position] as number);
    this.#successor[this.#before(position)] = this.#after(position);
    return true;
  }

  /** Puts a station back at its place. @returns false when it is in already */
  insert(position: number): boolean {
    if (this.isInserted(position)) return false;
    this.#inserted[position] = 1;
    this.#count++;
    this.#members.add(this.#parts.place[position] as number);
    this.#successor[this.#before(position)] = position;
    this.#successor[position] = this.#after(position);
    return true;
  }

  /** Splits the ring: positions of one group follow one another only. Groups are numbers, one per position. */
  partition(groups: readonly number[]): void {
    this.#link(split(groups));
  }

  /** Makes one ring of all groups again. */
  heal(): void {
    this.#link(whole(this.size));
  }

  #link(parts: Parts): void {
    this.#parts = parts;
    this.#members = new BitSet(this.size, false);
    for (let p = 0; p < this.size; p++) if (this.isInserted(p)) this.#members.add(parts.place[p] as number);
    for (let p = 0; p < this.size; p++) if (this.isInserted(p)) this.#successor[p] = this.#after(p);
  }

  /** The next inserted position of its part; itself where there is none. */
  #after(position: number): number {
    const { place, position: at, from, to } = this.#parts;
    const own = place[position] as number;
    let next = this.#members.atOrAfter(own + 1);
    if (next < 0 || next >= (to[position] as number))
      next = this.#members.atOrAfter(from[position] as number);
    return next < 0 || next >= (to[position] as number) ? position : (at[next] as number);
  }

  /** The inserted position of its part before it; itself where there is none. */
  #before(position: number): number {
    const { place, position: at, from, to } = this.#parts;
    const own = place[position] as number;
    let last = own > 0 ? this.#members.atOrBefore(own - 1) : -1;
    if (last < (from[position] as number)) last = this.#members.atOrBefore((to[position] as number) - 1);
    return last < (from[position] as number) ? position : (at[last] as number);
  }
}

/** The ring in the parts into which it is split: each part's positions, in order, have places side by side. */
interface Parts {
  /** By position. */
  place: Int32Array;
  /** By place. */
  position: Int32Array;
  /** By position: first place of its part, and the place behind its last one. */
  from: Int32Array;
  to: Int32Array;
}

function whole(size: number): Parts {
  const same = Int32Array.from({ length: size }, (_, i) => i);
  return { place: same, position: same, from: new Int32Array(size), to: new Int32Array(size).fill(size) };
}

function split(groups: readonly number[]): Parts {
  const size = groups.length;
  const parts = whole(size);
  const position = parts.position
    .slice()
    .sort((a, b) => (groups[a] as number) - (groups[b] as number) || a - b);
  const place = new Int32Array(size);
  for (let start = 0; start < size; ) {
    let end = start;
    while (end < size && groups[position[end] as number] === groups[position[start] as number]) end++;
    for (let p = start; p < end; p++) {
      place[position[p] as number] = p;
      parts.from[position[p] as number] = start;
      parts.to[position[p] as number] = end;
    }
    start = end;
  }
  return { ...parts, position, place };
}
