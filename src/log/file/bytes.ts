/**
 * Writing decimal numbers and ready-made pieces into a byte buffer: what makes a log line cheap.
 * Each function takes the place to write at and returns the place behind what it wrote.
 */

const MILLION = 1e6;
const ZERO = 48;

/** Longest text that `putNumber` writes, in bytes. */
export const NUMBER_BYTES = 25;

/** The two digits of 0 to 99, one after the other: half the divisions. */
const PAIRS = ascii(Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0")).join(""));

/** Writes a number as JSON does: shortest decimal form, `null` where it is not finite. */
export function putNumber(bytes: Uint8Array, at: number, n: number): number {
  const small = n | 0;
  if (small === n && small >= 0) return putSmall(bytes, at, small);
  if (n >= 0 && n <= Number.MAX_SAFE_INTEGER && Math.floor(n) === n) {
    const high = Math.floor(n / MILLION);
    const end = putNumber(bytes, at, high) + 6;
    putEnd(bytes, end, (n - high * MILLION) | 0, 6);
    return end;
  }
  return putBytes(bytes, at, ascii(JSON.stringify(n)));
}

/** @param n an integer from 0 to 2^31 - 1 */
function putSmall(bytes: Uint8Array, at: number, n: number): number {
  let digits: number;
  if (n < 10000) digits = n < 100 ? (n < 10 ? 1 : 2) : n < 1000 ? 3 : 4;
  else if (n < 100000000) digits = n < 1000000 ? (n < 100000 ? 5 : 6) : n < 10000000 ? 7 : 8;
  else digits = n < 1000000000 ? 9 : 10;
  putEnd(bytes, at + digits, n, digits);
  return at + digits;
}

/** Writes the last `digits` digits of `n` so that they end before `end`. */
function putEnd(bytes: Uint8Array, end: number, n: number, digits: number): void {
  let p = end;
  let left = n;
  for (; digits > 1; digits -= 2) {
    const rest = (left / 100) | 0;
    const pair = (left - rest * 100) << 1;
    bytes[p - 1] = PAIRS[pair + 1] as number;
    bytes[p - 2] = PAIRS[pair] as number;
    p -= 2;
    left = rest;
  }
  if (digits) bytes[p - 1] = ZERO + (left % 10);
}

/** Below so many bytes a loop is faster than a call. */
const SHORT = 10;

export function putBytes(bytes: Uint8Array, at: number, piece: Uint8Array): number {
  const length = piece.length;
  if (length > SHORT) bytes.set(piece, at);
  else for (let i = 0; i < length; i++) bytes[at + i] = piece[i] as number;
  return at + length;
}

/** The bytes of a text of ASCII characters. */
export function ascii(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}
