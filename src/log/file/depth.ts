/** How deep brackets stand in one another in a JSON text: what is nested thousands deep overflows whoever follows it. */

const QUOTE = 34;
const BACKSLASH = 92;

/** @returns whether more than `most` objects and lists are open at once somewhere in the text */
export function isDeeper(text: string, most: number): boolean {
  let open = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 32) === 123) {
      if (++open > most) return true;
    } else if ((code | 32) === 125) open--;
  }
  return false;
}
