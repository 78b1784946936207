/**
 * Reads the most frequent line of a run's file straight from its bytes: a frame for the successor, written as
 * NdjsonWriter writes it. Any other line is left to JSON.parse.
 */
import { NEIGHBOUR } from "../../../firmware/frame.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { ascii } from "./bytes.ts";

const SEQ = ascii('{"seq":');
const TIME = ascii(',"t":');
const FROM = ascii(',"event":"hop","from":');
const TO = ascii(',"to":');
const TOOK = ascii(',"took":');
const TYPE = ascii(',"type":"');
const ARGS = ascii('","args":[');
const END = ascii("]}\n");
const ZERO = 48;
const COMMA = 44;
const MOST_DIGITS = 15;
const MOST_ARGS = 3;
/** Widest values that the columns keep. */
const LAST_STATION = 2147483647;
const LONGEST = 4294967295;

export class HopLine {
  seq = 0;
  t = 0;
  from = 0;
  to = 0;
  took = 0;
  /** Used again for the next line. */
  readonly frame: Frame = { type: "", src: 0, dst: NEIGHBOUR, args: [], flags: 0 };

  readonly #types = new Map<number, string>();
  /** Place and value of the number read last; the place is -1 where there was none. */
  #at = 0;
  #number = 0;

  /**
   * Reads the line that starts at `at`.
   * @returns the place behind it, or -1 where it is another kind of line or does not end before `end`
   */
  read(bytes: Uint8Array, at: number, end: number): number {
    this.#at = at;
    if (!this.#field(bytes, SEQ, end)) return -1;
    this.seq = this.#number;
    if (!this.#field(bytes, TIME, end)) return -1;
    this.t = this.#number;
    if (!this.#field(bytes, FROM, end)) return -1;
    this.from = this.#number;
    if (!this.#field(bytes, TO, end)) return -1;
    this.to = this.#number;
    if (!this.#field(bytes, TOOK, end)) return -1;
    this.took = this.#number;
    if (this.took > LONGEST || this.from > LAST_STATION || this.to > LAST_STATION) return -1;
    if (!this.#piece(bytes, TYPE, end) || this.#at + 3 > end) return -1;
    const type = this.#type(bytes, this.#at);
    if (type === undefined) return -1;
    this.#at += 3;
    const frame = this.frame;
    let count = 0;
    if (!this.#field(bytes, ARGS, end)) return -1;
    for (;;) {
      frame.args[count++] = this.#number;
      if (this.#at >= end || bytes[this.#at] !== COMMA) break;
      this.#at++;
      if (count === MOST_ARGS || !this.#digits(bytes, end)) return -1;
    }
    if (!this.#piece(bytes, END, end)) return -1;
    while (frame.args.length > count) frame.args.pop();
    frame.type = type;
    frame.src = this.from;
    return this.#at;
  }

  #field(bytes: Uint8Array, name: Uint8Array, end: number): boolean {
    return this.#piece(bytes, name, end) && this.#digits(bytes, end);
  }

  #piece(bytes: Uint8Array, piece: Uint8Array, end: number): boolean {
    const at = this.#at;
    const length = piece.length;
    if (at + length > end) return false;
    for (let i = 0; i < length; i++) if (bytes[at + i] !== piece[i]) return false;
    this.#at = at + length;
    return true;
  }

  #digits(bytes: Uint8Array, end: number): boolean {
    const start = this.#at;
    let at = start;
    let n = 0;
    for (; at < end; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      n = n * 10 + digit;
    }
    const count = at - start;
    if (count === 0 || count > MOST_DIGITS || (count > 1 && bytes[start] === ZERO)) return false;
    this.#at = at;
    this.#number = n;
    return true;
  }

  /** The type of three capital letters at `at`. */
  #type(bytes: Uint8Array, at: number): string | undefined {
    const a = bytes[at] as number;
    const b = bytes[at + 1] as number;
    const c = bytes[at + 2] as number;
    const key = (a << 16) | (b << 8) | c;
    const known = this.#types.get(key);
    if (known) return known;
    if (a < 65 || a > 90 || b < 65 || b > 90 || c < 65 || c > 90) return undefined;
    const type = String.fromCharCode(a, b, c);
    this.#types.set(key, type);
    return type;
  }
}
