/**
 * The candidate that a mistyped word most likely meant: the one with the fewest edits (insert, delete, replace, swap
 * of two neighbours; case is ignored), when that is at most a third of the word and never more than three.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestEdits = Math.min(3, Math.max(1, Math.floor(word.length / 3))) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestEdits) continue;
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < bestEdits) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

/**
 * How a message about an unknown word ends: `did you mean "x"?` where something is near, else all the known words.
 *
 * @param kind what the words are, in the plural (`boards`)
 */
export function suggest(word: string, candidates: readonly string[], kind: string): string {
  const near = nearest(word, candidates);
  return near === undefined ? `known ${kind}: ${candidates.join(", ")}` : `did you mean "${near}"?`;
}

/** Optimal string alignment distance: Levenshtein's with swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, at(beforeLast, j - 2) + 1);
      }
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
