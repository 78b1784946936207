/** Mixes whole numbers into 64 bits. */
export class Hash {
  high = 0x9e3779b9 | 0;
  low = 0x85ebca6b | 0;

  add(value: number): void {
    this.high = Math.imul(this.high ^ value, 0x01000193) ^ (this.low >>> 15);
    this.low = Math.imul(this.low ^ (value + 0x7f4a7c15), 0xc2b2ae35) ^ (this.high >>> 13);
  }

  /** Makes both halves unsigned. */
  finish(): void {
    for (let k = 0; k < 3; k++) this.add(k);
    this.high >>>= 0;
    this.low >>>= 0;
  }
}
