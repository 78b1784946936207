/** The parts of a line of a run's file, written from the columns into a buffer. Each returns the place behind it. */

import { FRAME_KIND, type RecordColumns, TO_EVERY } from "../columns.ts";
import { EVENT_NAMES, FRAME_EVENTS } from "../records.ts";
import { ascii, NUMBER_BYTES, putBytes, putNumber } from "./bytes.ts";

/** Room for a line of fixed parts and numbers only, the name of the frame's type apart; bytes. */
export const LINE_ROOM = 160 + 10 * NUMBER_BYTES;

const SEQ = ascii('{"seq":');
const TIME = ascii(',"t":');
const TO = ascii(',"to":');
const TOOK = ascii(',"took":');
const SRC = ascii(',"src":');
const DST = ascii(',"dst":');
const DST_EVERY = ascii(',"dst":255,"args":[');
const ARGS = ascii(',"args":[');
const FLAGS = ascii('],"flags":');
const ARGS_END = ascii("]}\n");
const COMMA = 44;
const QUOTE = 34;

/** The end of a line. */
export const END = ascii("}\n");
export const ARGS_AFTER_TYPE = ascii('","args":[');

/** `,"event":"hop","from":` by the code of the event. */
export const EVENT_START = EVENT_NAMES.map((name, code) =>
  ascii(`,"event":"${name}",${code < FRAME_EVENTS.length ? '"from":' : '"station":'}`),
);

/** Writes `{"seq":...,"t":...` */
export function putStart(bytes: Uint8Array, at: number, columns: RecordColumns, i: number): number {
  let p = putBytes(bytes, at, SEQ);
  p = putNumber(bytes, p, columns.firstSeq + i);
  p = putBytes(bytes, p, TIME);
  return putNumber(bytes, p, columns.t[i] as number);
}

/** Writes `,"event":"hop","from":...,"to":...,"took":...` */
export function putLink(
  bytes: Uint8Array,
  at: number,
  columns: RecordColumns,
  i: number,
  code: number,
): number {
  let p = putBytes(bytes, at, EVENT_START[code] as Uint8Array);
  p = putNumber(bytes, p, columns.station[i] as number);
  p = putBytes(bytes, p, TO);
  p = putNumber(bytes, p, columns.peer[i] as number);
  p = putBytes(bytes, p, TOOK);
  return putNumber(bytes, p, columns.took[i] as number);
}

/** Writes the rest of the line of a frame to one station or to every station. */
export function putFrame(
  bytes: Uint8Array,
  at: number,
  columns: RecordColumns,
  i: number,
  code: number,
  type: Uint8Array,
): number {
  const toEvery = ((columns.flags[i] as number) & FRAME_KIND) === TO_EVERY;
  let p = putBytes(bytes, putLink(bytes, at, columns, i, code), type);
  bytes[p++] = QUOTE;
  const src = (toEvery ? columns.c[i] : columns.b[i]) as number;
  if (src !== columns.station[i]) {
    p = putBytes(bytes, p, SRC);
    p = putNumber(bytes, p, src);
  }
  if (toEvery) p = putBytes(bytes, p, DST_EVERY);
  else {
    p = putBytes(bytes, p, DST);
    p = putNumber(bytes, p, columns.c[i] as number);
    p = putBytes(bytes, p, ARGS);
  }
  return putArgs(bytes, p, columns, i);
}

/** Writes the arguments and the end of the line. */
export function putArgs(bytes: Uint8Array, at: number, columns: RecordColumns, i: number): number {
  const count = columns.mask[i] as number;
  const flags = (columns.flags[i] as number) & 3;
  let p = putNumber(bytes, at, columns.a[i] as number);
  if (count > 1) {
    bytes[p++] = COMMA;
    p = putNumber(bytes, p, columns.b[i] as number);
    if (count > 2) {
      bytes[p++] = COMMA;
      p = putNumber(bytes, p, columns.c[i] as number);
    }
  }
  if (!flags) return putBytes(bytes, p, ARGS_END);
  p = putBytes(bytes, p, FLAGS);
  p = putNumber(bytes, p, flags);
  return putBytes(bytes, p, END);
}
