/**
 * Seeded random numbers: the small fast generator sfc32 of Chris Doty-Humphrey's PractRand.
 * The same seed gives the same sequence everywhere.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param seed an integer; `stream` tells apart generators with one seed */
  constructor(seed: number, stream = 0) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 4294967296) >>> 0;
    this.#c = stream >>> 0;
    for (let i = 0; i < 15; i++) this.next32();
  }

  /** @returns an integer in [0, 2^32) */
  next32(): number {
    const t = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** @returns a number in [0, 1) */
  next(): number {
    return this.next32() / 4294967296;
  }

  /** @returns an integer in [0, n) */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** @returns one of the items, which must not be empty */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
