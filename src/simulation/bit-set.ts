/**
 * A set of small numbers that finds the next and the previous member in a few steps, however many numbers lie between: words of
 * 32 bits, and above them words that say which of those below are not empty.
 */
export class BitSet {
  /** The lowest level holds the members; each bit of a higher one stands for a word of the one below. */
  readonly #levels: Int32Array[] = [];

  /** @param size members are 0 to size - 1 @param full with every number at first */
  constructor(size: number, full: boolean) {
    for (let bits = size; ; bits = Math.ceil(bits / 32)) {
      const words = new Int32Array(Math.max(1, Math.ceil(bits / 32)));
      if (full) {
        words.fill(-1);
        if (bits % 32) words[words.length - 1] = (1 << (bits % 32)) - 1;
      }
      this.#levels.push(words);
      if (words.length === 1) return;
    }
  }

  add(n: number): void {
    let bit = n;
    for (const words of this.#levels) {
      (words[bit >> 5] as number) |= 1 << (bit & 31);
      bit >>= 5;
    }
  }

  remove(n: number): void {
    let bit = n;
    for (const words of this.#levels) {
      const left = (words[bit >> 5] as number) & ~(1 << (bit & 31));
      words[bit >> 5] = left;
      if (left) return;
      bit >>= 5;
    }
  }

  /** @returns the lowest member that is `n` or more, -1 where there is none */
  atOrAfter(n: number): number {
    let bit = n;
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level] as Int32Array;
      if (bit >> 5 >= words.length) return -1;
      const found = (words[bit >> 5] as number) & (-1 << (bit & 31));
      if (found) return this.#down(level, (bit & ~31) + lowest(found), lowest);
      bit = (bit >> 5) + 1;
    }
    return -1;
  }

  /** @returns the highest member that is `n` or less, -1 where there is none */
  atOrBefore(n: number): number {
    let bit = n;
    for (let level = 0; level < this.#levels.length && bit >= 0; level++) {
      const words = this.#levels[level] as Int32Array;
      const found = (words[bit >> 5] as number) & (-1 >>> (31 - (bit & 31)));
      if (found) return this.#down(level, (bit & ~31) + highest(found), highest);
      bit = (bit >> 5) - 1;
    }
    return -1;
  }

  /** From a bit that is set on a level to the member below it at its lowest or highest end. */
  #down(from: number, start: number, end: (word: number) => number): number {
    let bit = start;
    for (let level = from - 1; level >= 0; level--) {
      bit = bit * 32 + end((this.#levels[level] as Int32Array)[bit] as number);
    }
    return bit;
  }
}

/** Places of the lowest and the highest bit of a word that is not 0. */
const lowest = (word: number) => 31 - Math.clz32(word & -word);
const highest = (word: number) => 31 - Math.clz32(word);
