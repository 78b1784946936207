/** Words and tables that several commands print in the same way. */
import type { Verdict } from "../textbook/bounds.ts";

/** @returns two columns, the names padded to one width */
export function rows(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2;
  return pairs.map(([name, value]) => `${name.padEnd(width)}${value}\n`).join("");
}

/** @returns a list of ids, clipped */
export function idWords(ids: readonly number[], separator = ", "): string {
  return ids.length > 24 ? `${ids.slice(0, 24).join(separator)}${separator}...` : ids.join(separator);
}

/** @returns theory beside the count */
export function textbookWords({ total, least, most, formula, matches }: Verdict): string {
  if (total === null && least === 0 && most === null) return `none (${formula})`;
  const number = total ?? (most === null ? `${least} or more` : `${least} to ${most}`);
  return `${number}: ${matches ? "it matches" : "it does NOT match"} (${formula})`;
}
