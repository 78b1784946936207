/** The arithmetic of clocks that drift: Tanenbaum and Van Steen, Distributed Systems, "Clock synchronization". */

/** @returns by how much a clock with this drift is off after some seconds, milliseconds */
export function driftMs(ppm: number, seconds: number): number {
  return (ppm * seconds) / 1000;
}

/**
 * Two clocks that drift apart, each by at most `rho`, differ by at most `delta` when they are set so often.
 * @param delta in any unit of time
 * @param rho seconds per second, for example 20e-6
 * @returns the time between two settings, in the unit of delta
 */
export function resynchroniseEvery(delta: number, rho: number): number {
  return delta / (2 * rho);
}
