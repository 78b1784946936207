/**
 * The board's random numbers: seeded, so that a run can be repeated. The generator is mulberry32, one 32-bit state
 * (public domain, T. Ettinger 2017).
 */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** `E.srand` */
  seed(value: number): void {
    this.state = value >>> 0;
  }

  /** 32 random bits, unsigned. */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to below 1. */
  readonly next = (): number => this.bits() / 2 ** 32;
}
