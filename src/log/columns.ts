/**
 * Records kept in columns of typed arrays, 40 bytes each: an object per hop would cost ten times as much.
 */
import { EVERY, NEIGHBOUR } from "../../firmware/frame.js";
import type { Frame } from "../../firmware/types.d.ts";
import {
  EVENT_CODE,
  EVENT_NAMES,
  FRAME_EVENTS,
  type FrameEvent,
  type RunRecord,
  STATION_FIELDS,
  type StationEvent,
} from "./records.ts";

/** Memory of one record in bytes, apart from lists of ids and texts. */
export const BYTES_PER_RECORD = 40;

const FRAME_EVENT_COUNT = FRAME_EVENTS.length;
const U32 = 4294967295;

/**
 * How sender and destination of a frame are kept (bits 2 and 3 of the flags column).
 * TO_NEIGHBOUR: args in a, b, c. TO_EVERY: args in a, b, src in c. TO_ONE: arg in a, src in b, dst in c.
 */
export const TO_NEIGHBOUR = 0;
export const TO_EVERY = 4;
export const TO_ONE = 8;
/** The frame does not fit the columns: it is kept aside, whole. */
export const ASIDE = 12;
/** The bits of the flags column that tell these four apart. */
export const FRAME_KIND = 12;

/** Codes of frame types are kept in one byte. */
const LAST_TYPE_CODE = 255;

type Value = number | string | undefined;

const COLUMNS = ["t", "a", "b", "c", "station", "peer", "took", "event", "type", "flags", "mask"] as const;

/** All that columns hold as plain data, so that they can be handed to another thread. */
export interface ColumnParts
  extends Pick<RecordColumns, "length" | "firstSeq" | "frameTypes" | "texts" | (typeof COLUMNS)[number]> {
  aside: [number, Frame][];
  wide: number[];
  boardTimes: [number, number][];
}

export class RecordColumns {
  length = 0;
  capacity: number;
  /** Sequence number of record 0 of these columns. */
  firstSeq = 0;

  t: Float64Array;
  a: Float64Array;
  b: Uint32Array;
  c: Uint32Array;
  station: Int32Array;
  peer: Int32Array;
  took: Uint32Array;
  event: Uint8Array;
  type: Uint8Array;
  flags: Uint8Array;
  /**
   * Of an event of a station, bits 0 to 2: a, b, c are present; bits 3 to 5: they are codes of texts;
   * bits 6 and 7: b, c are places in the list of numbers that do not fit their columns.
   * Of an event of a link: the number of arguments.
   */
  mask: Uint8Array;

  readonly frameTypes: string[] = [];
  readonly texts: string[] = [];
  readonly #typeCodes = new Map<string, number>();
  readonly #textCodes = new Map<string, number>();
  readonly #aside = new Map<number, Frame>();
  readonly #wide: number[] = [];
  /** The station's own time, for records that come from boards. */
  readonly #boardTimes = new Map<number, number>();
  #lastType = "";
  #lastTypeCode = 0;

  /** @param capacity records to make room for at first; the columns double when they are full */
  constructor(capacity = 1024) {
    this.capacity = capacity;
    this.t = new Float64Array(capacity);
    this.a = new Float64Array(capacity);
    this.b = new Uint32Array(capacity);
    this.c = new Uint32Array(capacity);
    this.station = new Int32Array(capacity);
    this.peer = new Int32Array(capacity);
    this.took = new Uint32Array(capacity);
    this.event = new Uint8Array(capacity);
    this.type = new Uint8Array(capacity);
    this.flags = new Uint8Array(capacity);
    this.mask = new Uint8Array(capacity);
  }

  /** Adds an event of a link: `frame` on its way from station `from` to station `to`. */
  addFrame(t: number, event: FrameEvent, from: number, to: number, took: number, frame: Frame): void {
    if (this.length === this.capacity) this.#grow();
    const i = this.length++;
    this.t[i] = t;
    this.event[i] = event === "hop" ? 0 : EVENT_CODE[event];
    this.station[i] = from;
    this.peer[i] = to;
    this.took[i] = took;
    if (frame.type !== this.#lastType) this.#typeCode(frame.type);
    this.type[i] = this.#lastTypeCode;

    const args = frame.args;
    const count = args.length;
    let kind = ASIDE;
    let b = count > 1 ? (args[1] as number) : 0;
    let c = count > 2 ? (args[2] as number) : 0;
    if (typeof args[0] === "string" || count === 0) kind = ASIDE;
    else if (frame.dst === NEIGHBOUR) {
      if (count <= 3 && frame.src === from) kind = TO_NEIGHBOUR;
    } else if (frame.dst === EVERY) {
      if (count <= 2) kind = TO_EVERY;
      c = frame.src;
    } else if (count === 1) {
      kind = TO_ONE;
      b = frame.src;
      c = frame.dst;
    }
    if (kind !== ASIDE && b <= U32 && c <= U32 && this.#lastTypeCode <= LAST_TYPE_CODE) {
      this.a[i] = args[0] as number;
      this.b[i] = b;
      this.c[i] = c;
      this.mask[i] = count;
    } else {
      kind = ASIDE;
      this.#aside.set(i, { ...frame, args: args.slice() });
    }
    this.flags[i] = kind | frame.flags;
  }

  /** Adds an event of a station; the values are those that STATION_FIELDS names, in that order. */
  addEvent(t: number, event: StationEvent, station: number, a?: Value, b?: Value, c?: Value): number {
    if (this.length === this.capacity) this.#grow();
    const i = this.length++;
    this.t[i] = t;
    this.event[i] = EVENT_CODE[event];
    this.station[i] = station;
    let mask = 0;
    if (a !== undefined) {
      mask |= typeof a === "string" ? 9 : 1;
      this.a[i] = typeof a === "string" ? this.#textCode(a) : a;
    }
    if (b !== undefined) {
      if (typeof b === "number" && b >>> 0 === b) mask |= 2;
      else mask |= typeof b === "string" ? 18 : 66;
      this.b[i] = mask & 80 ? this.#place(b) : (b as number);
    }
    if (c !== undefined) {
      if (typeof c === "number" && c >>> 0 === c) mask |= 4;
      else mask |= typeof c === "string" ? 36 : 132;
      this.c[i] = mask & 160 ? this.#place(c) : (c as number);
    }
    this.mask[i] = mask;
    return i;
  }

  /** Adds record `i` of other columns. */
  copy(from: RecordColumns, i: number): void {
    const t = from.t[i] as number;
    const code = from.event[i] as number;
    const station = from.station[i] as number;
    if (code < FRAME_EVENT_COUNT) {
      const event = FRAME_EVENTS[code] as FrameEvent;
      this.addFrame(t, event, station, from.peer[i] as number, from.took[i] as number, from.frame(i));
      return;
    }
    const event = EVENT_NAMES[code] as StationEvent;
    const copy = this.addEvent(t, event, station, from.value(i, 0), from.value(i, 1), from.value(i, 2));
    const board = from.boardTime(i);
    if (board !== undefined) this.setBoardTime(copy, board);
  }

  /** Keeps the board's own time beside record `i`. */
  setBoardTime(i: number, board: number): void {
    this.#boardTimes.set(i, board);
  }

  /** @returns the board's own time of record `i`, where it has one */
  boardTime(i: number): number | undefined {
    return this.#boardTimes.size ? this.#boardTimes.get(i) : undefined;
  }

  /** @returns the frame of record `i`, which must be an event of a link */
  frame(i: number): Frame {
    const flags = this.flags[i] as number;
    const kind = flags & ASIDE;
    if (kind === ASIDE) return this.#aside.get(i) as Frame;
    const count = this.mask[i] as number;
    const a = this.a[i] as number;
    const b = this.b[i] as number;
    const c = this.c[i] as number;
    const from = this.station[i] as number;
    const type = this.frameTypes[this.type[i] as number] as string;
    const args = count === 1 ? [a] : count === 2 ? [a, b] : [a, b, c];
    const src = kind === TO_NEIGHBOUR ? from : kind === TO_EVERY ? c : b;
    const dst = kind === TO_NEIGHBOUR ? NEIGHBOUR : kind === TO_EVERY ? EVERY : c;
    return { type, src, dst, args, flags: flags & 3 };
  }

  /** @returns argument `k` of the frame of record `i`, which must be an event of a link; -1 where it is none or a text */
  arg(i: number, k: 0 | 1 | 2): number {
    if (((this.flags[i] as number) & FRAME_KIND) === ASIDE) {
      const arg = (this.#aside.get(i) as Frame).args[k];
      return typeof arg === "number" ? arg : -1;
    }
    if (k >= (this.mask[i] as number)) return -1;
    return (k === 0 ? this.a : k === 1 ? this.b : this.c)[i] as number;
  }

  /** @returns field `k` (0, 1 or 2) of record `i`, which must be an event of a station */
  value(i: number, k: 0 | 1 | 2): Value {
    const mask = this.mask[i] as number;
    if (!(mask & (1 << k))) return undefined;
    const column = k === 0 ? this.a : k === 1 ? this.b : this.c;
    const value = column[i] as number;
    if (mask & (8 << k)) return this.texts[value];
    return k > 0 && mask & (32 << k) ? this.#wide[value] : value;
  }

  /** @returns record `i` as an object */
  get(i: number): RunRecord {
    const seq = this.firstSeq + i;
    const t = this.t[i] as number;
    const code = this.event[i] as number;
    if (code < FRAME_EVENT_COUNT) {
      return {
        seq,
        t,
        event: FRAME_EVENTS[code] as FrameEvent,
        from: this.station[i] as number,
        to: this.peer[i] as number,
        took: this.took[i] as number,
        ...this.frame(i),
      };
    }
    const event = EVENT_NAMES[code] as StationEvent;
    const fields: { [name: string]: number | string } = {};
    STATION_FIELDS[event].forEach((name, k) => {
      const value = this.value(i, k as 0 | 1 | 2);
      if (value !== undefined) fields[name] = value;
    });
    const board = this.boardTime(i);
    const record = { seq, t, event, station: this.station[i] as number, fields };
    return board === undefined ? record : { ...record, board };
  }

  /** @returns a copy of what the columns hold */
  parts(): ColumnParts {
    const { length, firstSeq, frameTypes, texts } = this;
    const columns = Object.fromEntries(COLUMNS.map((name) => [name, this[name].slice(0, length)]));
    return {
      ...(columns as Pick<ColumnParts, (typeof COLUMNS)[number]>),
      length,
      firstSeq,
      frameTypes: [...frameTypes],
      texts: [...texts],
      aside: [...this.#aside],
      wide: [...this.#wide],
      boardTimes: [...this.#boardTimes],
    };
  }

  /** @returns columns to be read only: the parts are theirs from now on */
  static of(parts: ColumnParts): RecordColumns {
    const { aside, wide, boardTimes, frameTypes, texts, ...columns } = parts;
    const made = Object.assign(new RecordColumns(0), columns);
    made.capacity = parts.length;
    made.frameTypes.push(...frameTypes);
    made.texts.push(...texts);
    made.#wide.push(...wide);
    for (const [i, frame] of aside) made.#aside.set(i, frame);
    for (const [i, time] of boardTimes) made.#boardTimes.set(i, time);
    return made;
  }

  /** Forgets all records; the next one goes on with the sequence numbers. */
  clear(): void {
    this.firstSeq += this.length;
    this.length = 0;
    this.#aside.clear();
    this.#boardTimes.clear();
    this.#wide.length = 0;
    this.texts.length = 0;
    this.#textCodes.clear();
  }

  #typeCode(type: string): void {
    let code = this.#typeCodes.get(type);
    if (code === undefined) {
      code = this.frameTypes.push(type) - 1;
      this.#typeCodes.set(type, code);
    }
    this.#lastType = type;
    this.#lastTypeCode = code;
  }

  /** Where a text, or a number that does not fit a column of b or c, is kept. */
  #place(value: number | string): number {
    return typeof value === "string" ? this.#textCode(value) : this.#wide.push(value) - 1;
  }

  #textCode(text: string): number {
    let code = this.#textCodes.get(text);
    if (code === undefined) {
      code = this.texts.push(text) - 1;
      this.#textCodes.set(text, code);
    }
    return code;
  }

  #grow(): void {
    const bigger = new RecordColumns(this.capacity * 2);
    for (const name of COLUMNS) {
      const column = bigger[name];
      column.set(this[name]);
      (this as unknown as { [key: string]: unknown })[name] = column;
    }
    this.capacity *= 2;
  }
}
