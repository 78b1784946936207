/**
 * Pairs equal lines of two lists so that the pairs keep the order of both. Lines that are once in each list are the
 * anchors; between two anchors each line is paired with the next equal one.
 * Source: Bram Cohen's patience diff; the anchors are a longest increasing subsequence.
 *
 * @returns pairs of places, ascending in both
 */
export function align(a: readonly string[], b: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let [fromA, fromB] = [0, 0];
  for (const [i, j] of [...anchors(a, b), [a.length, b.length] as [number, number]]) {
    for (; fromB < j && fromA < i; fromB++) {
      let place = fromA;
      while (place < i && a[place] !== b[fromB]) place++;
      if (place === i) continue;
      pairs.push([place, fromB]);
      fromA = place + 1;
    }
    if (i < a.length) pairs.push([i, j]);
    [fromA, fromB] = [i + 1, j + 1];
  }
  return pairs;
}

function anchors(a: readonly string[], b: readonly string[]): [number, number][] {
  const inA = onlyPlaces(a);
  const inB = onlyPlaces(b);
  const both: [number, number][] = [];
  a.forEach((line, i) => {
    const j = inB.get(line);
    if (inA.get(line) === i && j !== undefined && j >= 0) both.push([i, j]);
  });
  return increasing(both);
}

/** Place of each line, -1 for those that are there more than once. */
function onlyPlaces(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  lines.forEach((line, i) => {
    places.set(line, places.has(line) ? -1 : i);
  });
  return places;
}

/** The longest part of the pairs, ascending in the first already, that ascends in the second too. */
function increasing(pairs: readonly [number, number][]): [number, number][] {
  /** By length - 1: the pair that ends the best sequence of this length; and what stands before each pair. */
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, j], k) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as [number, number])[1] < j) low = middle + 1;
      else high = middle;
    }
    before[k] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = k;
  });
  const found: [number, number][] = [];
  for (let k = ends.at(-1) ?? -1; k >= 0; k = before[k] as number) found.push(pairs[k] as [number, number]);
  return found.reverse();
}
