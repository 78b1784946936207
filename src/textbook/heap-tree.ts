/** The balanced binary tree of Raymond's algorithm, in numbers: place i has the parent (i-1)/2. */

/** @returns edges between two places of the tree */
export function heapDistance(a: number, b: number): number {
  let [low, high] = [a, b];
  let edges = 0;
  while (low !== high) {
    if (low > high) [low, high] = [high, low];
    high = (high - 1) >> 1;
    edges++;
  }
  return edges;
}

/** @returns the longest way between two of n places, in edges; 0 for one place */
export function heapDiameter(n: number): number {
  if (n < 2) return 0;
  // The two deepest places that meet only at the root: the last of all, and the deepest on the root's other side.
  const depth = (place: number) => Math.floor(Math.log2(place + 1));
  const deepest = depth(n - 1);
  const firstOfRow = 2 ** deepest - 1;
  const lastOfLeftHalf = firstOfRow + 2 ** (deepest - 1) - 1;
  return n - 1 > lastOfLeftHalf ? 2 * deepest : 2 * deepest - 1;
}
