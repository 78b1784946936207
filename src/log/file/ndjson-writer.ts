/**
 * Writes the records of a run to one NDJSON file: a header line, a line per record, a footer line.
 * Lines are formatted by hand from the columns into a block of bytes: no object, JSON or string per hop.
 */
import { ASIDE, FRAME_KIND, type RecordColumns, TO_NEIGHBOUR } from "../columns.ts";
import {
  EVENT_CODE,
  EVENT_NAMES,
  type EventName,
  FRAME_EVENTS,
  type RunFooter,
  type RunHeader,
  STATION_FIELDS,
} from "../records.ts";
import { ascii, putBytes, putNumber } from "./bytes.ts";
import { DirectFile } from "./direct-file.ts";
import { plainJson } from "./json-text.ts";
import {
  ARGS_AFTER_TYPE,
  END,
  EVENT_START,
  LINE_ROOM,
  putArgs,
  putFrame,
  putLink,
  putStart,
} from "./ndjson-pieces.ts";
import type { Output } from "./output.ts";

const BLOCK = 64 * 1024;

const FRAME_EVENT_COUNT = FRAME_EVENTS.length;

const FIELD_STARTS = EVENT_NAMES.map((name) =>
  name in STATION_FIELDS
    ? STATION_FIELDS[name as keyof typeof STATION_FIELDS].map((field) => ascii(`,"${field}":`))
    : [],
);
const BOARD = ascii(',"board":');

/** Short texts that come again and again, such as message names, are kept as bytes. */
const KEPT_TEXT = 24;
const KEPT_TEXTS = 256;

/** The part of a line that stays the same from hop to hop on one link. */
interface LinkPiece {
  code: number;
  from: number;
  to: number;
  took: number;
  type: number;
  /** From `,"event":` to `"args":[` */
  bytes: Uint8Array;
}

/** So many links keep their piece; a power of two. */
const KEPT_LINKS = 1024;

export class NdjsonWriter {
  readonly #output: Output;
  #open = true;
  /** Nothing can be written behind what is there. */
  #failed = false;
  #bytes: Buffer = Buffer.allocUnsafe(BLOCK);
  #used = 0;
  /** Records formatted so far, of each event, and how many of them have been handed to the system. */
  readonly #counts = new Float64Array(EVENT_NAMES.length);
  readonly #handedOn = new Float64Array(EVENT_NAMES.length);
  readonly #texts = new Map<string, Uint8Array>();
  /** The columns last written, whose codes of types `#types` and `#links` go by. */
  #columns: RecordColumns | undefined;
  /** `,"type":"TOK` by the code of the type. */
  #types: Uint8Array[] = [];
  #links: LinkPiece[] = [];

  /**
   * Writes the header.
   * @param output a path stands for the file of that name, which is created or emptied
   * @throws UsageError where the file cannot be made or written
   */
  constructor(output: Output | string, header: RunHeader) {
    this.#output = typeof output === "string" ? new DirectFile(output) : output;
    const { schema, ...rest } = header;
    this.#line(plainJson({ schema, ...rest }));
    this.flush();
  }

  /**
   * Formats records `from` to `to` (exclusive). They reach the file in blocks, or when `flush` is called.
   * @throws UsageError where the disk is full or the file cannot be written for another reason
   */
  write(columns: RecordColumns, from = 0, to = columns.length): void {
    if (columns !== this.#columns) {
      this.#columns = columns;
      this.#types = [];
      this.#links = [];
    }
    for (let i = from; i < to; i++) {
      const code = columns.event[i] as number;
      if (code < FRAME_EVENT_COUNT) this.#frame(columns, i, code);
      else this.#event(columns, i, code);
      (this.#counts[code] as number)++;
    }
  }

  ready(): Promise<void> | null {
    return this.#output.ready();
  }

  /** Hands what is formatted to the system: after it a kill of this process loses nothing. */
  flush(): void {
    try {
      this.#output.write(this.#bytes.subarray(0, this.#used));
      this.#handedOn.set(this.#counts);
    } catch (error) {
      this.#failed = true;
      throw error;
    } finally {
      this.#used = 0;
    }
  }

  /** The footer of what was written so far; after an error, of what is in the file. */
  footer(verdict: string): RunFooter {
    const of = this.#failed ? this.#handedOn : this.#counts;
    const counts: { [event: string]: number } = {};
    EVENT_NAMES.forEach((name, code) => {
      const count = of[code] as number;
      if (count) counts[name] = count;
    });
    return { records: of.reduce((sum, count) => sum + count, 0), counts, verdict };
  }

  /**
   * Writes the footer and closes the file. After an error it takes the place of the last records, which a full disk has no
   * room for beside it. Does nothing when it is closed already.
   */
  close(footer: RunFooter): void | Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    if (this.#failed) {
      this.#closeFailed(footer.verdict);
      return;
    }
    this.#line(plainJson(footer));
    try {
      this.flush();
    } catch (error) {
      this.#output.abandon();
      throw error;
    }
    return this.#output.finish();
  }

  /** Takes back what is there of a block that failed, and as many of the last records as the footer needs room. */
  #closeFailed(verdict: string): void {
    try {
      if (!(this.#output instanceof DirectFile)) return;
      const room = Buffer.byteLength(plainJson(this.footer(verdict))) + 1;
      for (const line of this.#output.takeBack(room)) {
        const { event } = JSON.parse(line) as { event: EventName };
        (this.#handedOn[EVENT_CODE[event]] as number)--;
      }
      this.#output.write(`${plainJson(this.footer(verdict))}\n`);
    } catch {
      // The error that was told when it came is the one that matters.
    } finally {
      this.#output.abandon();
    }
  }

  #frame(columns: RecordColumns, i: number, code: number): void {
    const kind = (columns.flags[i] as number) & FRAME_KIND;
    if (kind === ASIDE) this.#frameAside(columns, i, code);
    else if (kind === TO_NEIGHBOUR) {
      const piece = this.#link(columns, i, code);
      this.#room(LINE_ROOM + piece.length);
      const p = putStart(this.#bytes, this.#used, columns, i);
      this.#used = putArgs(this.#bytes, putBytes(this.#bytes, p, piece), columns, i);
    } else {
      const type = this.#type(columns, columns.type[i] as number);
      this.#room(LINE_ROOM + type.length);
      const p = putStart(this.#bytes, this.#used, columns, i);
      this.#used = putFrame(this.#bytes, p, columns, i, code, type);
    }
  }

  /** A frame that does not fit the columns: a list of ids, or text. */
  #frameAside(columns: RecordColumns, i: number, code: number): void {
    const from = columns.station[i] as number;
    const frame = columns.frame(i);
    const args = frame.args.map((arg) => (typeof arg === "string" ? plainJson(arg) : arg)).join(",");
    let text = `,"type":${plainJson(frame.type)}`;
    if (frame.src !== from) text += `,"src":${frame.src}`;
    if (frame.dst !== 253) text += `,"dst":${frame.dst}`;
    text += frame.flags ? `,"args":[${args}],"flags":${frame.flags}}\n` : `,"args":[${args}]}\n`;
    this.#room(LINE_ROOM + text.length * 3);
    const p = putLink(this.#bytes, putStart(this.#bytes, this.#used, columns, i), columns, i, code);
    this.#used = p + this.#bytes.write(text, p);
  }

  #event(columns: RecordColumns, i: number, code: number): void {
    this.#room(LINE_ROOM);
    let bytes = this.#bytes;
    let p = putStart(bytes, this.#used, columns, i);
    p = putBytes(bytes, p, EVENT_START[code] as Uint8Array);
    p = putNumber(bytes, p, columns.station[i] as number);
    const starts = FIELD_STARTS[code] as Uint8Array[];
    const mask = columns.mask[i] as number;
    for (let k = 0; k < starts.length; k++) {
      if (!(mask & (1 << k))) continue;
      p = putBytes(bytes, p, starts[k] as Uint8Array);
      const value = columns.value(i, k as 0 | 1 | 2);
      if (typeof value === "number") p = putNumber(bytes, p, value);
      else {
        const text = this.#text(value as string);
        bytes = this.#roomBehind(p, text.length + LINE_ROOM);
        p = putBytes(bytes, p, text);
      }
    }
    const board = columns.boardTime(i);
    if (board !== undefined) {
      p = putBytes(bytes, p, BOARD);
      p = putNumber(bytes, p, board);
    }
    this.#used = putBytes(bytes, p, END);
  }

  #line(text: string): void {
    this.#room(text.length * 3 + 1);
    this.#used += this.#bytes.write(`${text}\n`, this.#used);
  }

  /** Makes room for a line of at most `size` bytes; a block always ends with a whole line. */
  #room(size: number): void {
    if (this.#used + size <= this.#bytes.length) return;
    this.flush();
    if (size > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(size);
  }

  /** Makes room for `size` bytes at `at`, in the middle of a line. */
  #roomBehind(at: number, size: number): Buffer {
    if (at + size > this.#bytes.length) {
      const bigger = Buffer.allocUnsafe(at + size);
      this.#bytes.copy(bigger, 0, 0, at);
      this.#bytes = bigger;
    }
    return this.#bytes;
  }

  #type(columns: RecordColumns, code: number): Uint8Array {
    let type = this.#types[code];
    if (type === undefined) {
      type = Buffer.from(`,"type":${plainJson(columns.frameTypes[code] as string).slice(0, -1)}`);
      this.#types[code] = type;
    }
    return type;
  }

  #link(columns: RecordColumns, i: number, code: number): Uint8Array {
    const from = columns.station[i] as number;
    const to = columns.peer[i] as number;
    const took = columns.took[i] as number;
    const type = columns.type[i] as number;
    const place = from & (KEPT_LINKS - 1);
    const kept = this.#links[place];
    if (
      kept !== undefined &&
      kept.from === from &&
      kept.to === to &&
      kept.took === took &&
      kept.type === type &&
      kept.code === code
    ) {
      return kept.bytes;
    }
    const typePiece = this.#type(columns, type);
    const bytes = Buffer.allocUnsafe(LINE_ROOM + typePiece.length);
    const p = putBytes(bytes, putLink(bytes, 0, columns, i, code), typePiece);
    const piece = bytes.subarray(0, putBytes(bytes, p, ARGS_AFTER_TYPE));
    this.#links[place] = { code, from, to, took, type, bytes: piece };
    return piece;
  }

  #text(text: string): Uint8Array {
    const kept = this.#texts.get(text);
    if (kept) return kept;
    const bytes = Buffer.from(plainJson(text));
    if (text.length <= KEPT_TEXT && this.#texts.size < KEPT_TEXTS) this.#texts.set(text, bytes);
    return bytes;
  }
}
