/** Sums over the ids of a ring, as formulas have them. */

/** @returns the ids, the lowest first */
export function ascending(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b);
}

/** @returns the sum of what `of` gives for each id */
export function sum(ids: readonly number[], of: (id: number, i: number) => number): number {
  return ids.reduce((total, id, i) => total + of(id, i), 0);
}
