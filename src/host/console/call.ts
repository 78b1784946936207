/** A call of a board's `station`, as the line that the host sends. */
import { CHECKED, checkOf } from "../../../firmware/board/console-check.js";
import { crc32 } from "../../../firmware/crc32.js";

/** Clears what a damaged line has left open on the console, and interrupts nothing. */
export const CLEAR = "\x1b[2H";

/**
 * @param sequence differs from that of the call before
 * @param args two at the most: numbers, and texts that are passed as JSON string literals only
 * @returns the number of the call, which has the check of its arguments in it, and its line without a newline
 */
export function callLine(
  name: string,
  sequence: number,
  args: readonly (number | string)[],
): { n: number; line: string } {
  const short = sequence % CHECKED;
  const n = (checkOf(`${short},${args[0]},${args[1]}`, crc32) + 1) * CHECKED + short;
  const list = args.map((arg) => (typeof arg === "string" ? asciiLiteral(arg) : arg));
  return { n, line: `\x10station.${name}(${[n, ...list].join(",")})` };
}

/** A JSON string literal in ASCII: what a person typed never reaches a board in any other form. */
function asciiLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
