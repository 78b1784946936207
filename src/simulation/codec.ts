/**
 * The wire format of firmware/frame.js on bytes: the same lines, made and read without a string per hop.
 * Frames with text fall back to the firmware's own code.
 */
import { TABLE as CRC_TABLE, crc32 } from "../../firmware/crc32.js";
import { COPIED, decode, EVERY, encode, LAST_ID, SEEN } from "../../firmware/frame.js";
import type { Frame, FrameType } from "../../firmware/types.d.ts";

/** Room that any frame with at most three numbers as arguments needs, in bytes. */
export const SHORT_FRAME = 96;

const DOLLAR = 36;
const STAR = 42;
const COMMA = 44;
const ZERO = 48;
const NEWLINE = 10;
const HEX = Uint8Array.from("0123456789ABCDEF", (digit) => digit.charCodeAt(0));
const INT = 2147483647;

const TABLE = Int32Array.from(CRC_TABLE);

interface KnownType {
  name: string;
  entry: FrameType;
}

export class Codec {
  readonly #types: { [type: string]: FrameType };
  readonly #byBytes = new Map<number, KnownType>();

  /** @param types the frame types that stations know; each name is three letters */
  constructor(types: { [type: string]: FrameType }) {
    this.#types = types;
    for (const [name, entry] of Object.entries(types)) {
      this.#byBytes.set((name.charCodeAt(0) << 16) | (name.charCodeAt(1) << 8) | name.charCodeAt(2), {
        name,
        entry,
      });
    }
  }

  /**
   * Writes a frame's line, newline included, with at most three numbers as arguments.
   * @param out at least SHORT_FRAME bytes after `at`
   * @returns the end of the line; -1 when the frame is not a short one: then `text` serves
   */
  encode(frame: Frame, out: Uint8Array, at: number): number {
    const args = frame.args;
    const count = args.length;
    if (count > 3) return -1;
    const type = frame.type;
    let p = at;
    out[p++] = DOLLAR;
    out[p++] = type.charCodeAt(0);
    out[p++] = type.charCodeAt(1);
    out[p++] = type.charCodeAt(2);
    out[p++] = COMMA;
    p = putNumber(out, p, frame.src);
    out[p++] = COMMA;
    p = putNumber(out, p, frame.dst);
    for (let i = 0; i < count; i++) {
      const arg = args[i];
      if (typeof arg !== "number") return -1;
      out[p++] = COMMA;
      p = putNumber(out, p, arg);
    }
    let crc = -1;
    for (let i = at + 1; i < p; i++) crc = (TABLE[(crc ^ (out[i] as number)) & 255] as number) ^ (crc >>> 8);
    crc = ~crc;
    out[p++] = STAR;
    for (let shift = 28; shift >= 0; shift -= 4) out[p++] = HEX[(crc >>> shift) & 15] as number;
    if (frame.flags & COPIED) out[p++] = 99;
    if (frame.flags & SEEN) out[p++] = 109;
    out[p++] = NEWLINE;
    return p;
  }

  /** @returns the line of any frame, as bytes */
  text(frame: Frame): Uint8Array {
    return Uint8Array.from(encode(frame, crc32), (char) => char.charCodeAt(0));
  }

  /**
   * Reads one line.
   * @param end just behind the newline
   * @returns the frame, or why it is refused
   */
  decode(bytes: Uint8Array, from: number, end: number): Frame | string {
    // A healthy line is read here; whatever looks odd is left to the firmware's own reader.
    if (end - from < 12 || bytes[from] !== DOLLAR || bytes[from + 4] !== COMMA)
      return this.#decodeText(bytes, from, end);
    const known = this.#byBytes.get(
      ((bytes[from + 1] as number) << 16) | ((bytes[from + 2] as number) << 8) | (bytes[from + 3] as number),
    );
    if (!known || known.entry.text) return this.#decodeText(bytes, from, end);
    const args: number[] = [];
    let src = -1;
    let dst = -1;
    let value = -1;
    let p = from + 5;
    let crc = -1;
    for (let i = from + 1; i < p; i++)
      crc = (TABLE[(crc ^ (bytes[i] as number)) & 255] as number) ^ (crc >>> 8);
    for (; p < end; p++) {
      const byte = bytes[p] as number;
      if (byte >= ZERO && byte <= 57) {
        if (value === 0) return this.#decodeText(bytes, from, end);
        value = value < 0 ? byte - ZERO : value * 10 + (byte - ZERO);
      } else if (byte === COMMA || byte === STAR) {
        if (value < 0 || value > 9007199254740991) return this.#decodeText(bytes, from, end);
        if (src < 0) src = value;
        else if (dst < 0) dst = value;
        else args.push(value);
        value = -1;
        if (byte === STAR) break;
      } else return this.#decodeText(bytes, from, end);
      crc = (TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
    }
    if (p + 10 > end) return this.#decodeText(bytes, from, end);
    crc = ~crc;
    p++;
    for (let shift = 28; shift >= 0; shift -= 4, p++) {
      if (bytes[p] !== HEX[(crc >>> shift) & 15]) return this.#decodeText(bytes, from, end);
    }
    let flags = 0;
    if (bytes[p] === 99) {
      flags = COPIED;
      p++;
    }
    if (bytes[p] === 109) {
      flags |= SEEN;
      p++;
    }
    const wanted = known.entry.args;
    if (
      bytes[p] !== NEWLINE ||
      p + 1 !== end ||
      dst < 0 ||
      (src > LAST_ID && src <= EVERY) ||
      (wanted < 0 ? args.length < -wanted : args.length !== wanted)
    ) {
      return this.#decodeText(bytes, from, end);
    }
    return { type: known.name, src, dst, args, flags };
  }

  #decodeText(bytes: Uint8Array, from: number, end: number): Frame | string {
    const to = end > from && bytes[end - 1] === NEWLINE ? end - 1 : end;
    let text = "";
    for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i] as number);
    return decode(text, crc32, this.#types);
  }
}

/** Writes a whole number in decimal. */
function putNumber(out: Uint8Array, at: number, value: number): number {
  if (value > INT) {
    const text = String(value);
    for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
    return at + text.length;
  }
  let n = value | 0;
  let digits = 1;
  for (let limit = 10; n >= limit && digits < 10; limit *= 10) digits++;
  const end = at + digits;
  let p = end;
  do {
    const q = (n / 10) | 0;
    out[--p] = ZERO + n - q * 10;
    n = q;
  } while (p > at);
  return end;
}
