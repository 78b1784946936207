/**
 * Durations, whose percentiles need constant memory for any number of them. The first thousands are kept as they are;
 * beyond, they are counted in buckets, one unit wide below 2048 and 1/1024 of their power of two above: percentiles are
 * exact at first, then at most 0.1 % too high.
 * Source: the bucket layout of HdrHistogram.
 */
const STEPS = 1024;
const STEP_BITS = 10;
const OCTAVES = 43;
const KEPT = 4096;

export class Histogram {
  count = 0;
  max = 0;
  readonly #kept: number[] = [];
  readonly #buckets = new Float64Array(STEPS * (OCTAVES + 1));

  /** @param value a whole number from 0 to 2^53 - 1; a negative one counts as 0 */
  add(value: number): void {
    const n = Math.max(value, 0);
    this.count++;
    if (n > this.max) this.max = n;
    if (this.count <= KEPT) this.#kept.push(n);
    const bucket = bucketOf(n);
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
  }

  /** @param part 0.5 for the median @returns the smallest value not below that part of all; 0 when there are none */
  percentile(part: number): number {
    const rank = Math.max(1, Math.ceil(part * this.count));
    if (this.count <= KEPT) return this.#kept.sort((a, b) => a - b)[rank - 1] ?? 0;
    let seen = 0;
    for (let bucket = 0; bucket < this.#buckets.length; bucket++) {
      seen += this.#buckets[bucket] as number;
      if (seen >= rank) return Math.min(this.max, lastOf(bucket));
    }
    return this.max;
  }
}

function bucketOf(n: number): number {
  if (n < 2 * STEPS) return n;
  // Where log2 rounds up just below a power of two, the bucket is the same.
  const shift = Math.floor(Math.log2(n)) - STEP_BITS;
  return shift * STEPS + Math.floor(n / 2 ** shift);
}

/** The largest value in a bucket. */
function lastOf(bucket: number): number {
  if (bucket < 2 * STEPS) return bucket;
  const shift = Math.floor(bucket / STEPS) - 1;
  return (bucket - shift * STEPS + 1) * 2 ** shift - 1;
}
