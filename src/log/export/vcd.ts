/**
 * VCD for PulseView, sigrok-cli and GTKWave: per station the one-bit lanes token, inside, coordinator and tx, which
 * carries the bits of the frames at the ring's baud rate, 8 data bits, no parity, one stop bit. A frame starts at
 * `t - took`. Lanes of one bit only, and the station in each name: sigrok drops scopes and stops at vectors.
 *
 * Frames that never arrived are on the lane only where their record says how long they took.
 * Source: IEEE Std 1364-2005, chapter 18.
 */
import { escapeControls } from "../../errors.ts";
import type { RecordColumns } from "../columns.ts";
import { wireLine } from "../crc.ts";
import type { RunSource } from "../file/source.ts";
import { formatStation } from "../format.ts";
import { EVENT_CODE, type FrameRecord, HOST } from "../records.ts";
import { LANES, type Lane, Lanes } from "../summary/lanes.ts";
import { type Exporter, gathered } from "./exporter.ts";
import { TimeQueue } from "./time-queue.ts";

/** Units of 100 ns in a microsecond and in a second: fine enough for 921600 baud. */
const UNITS = 10;
const UNITS_PER_SECOND = 1e7;

const BITS_PER_BYTE = 10;

const FASTER = [230400, 460800, 921600, 1_000_000];
/** Times of records are whole microseconds. */
const TOLERANCE = 1.01;

const SIGNALS: readonly (Lane | "tx")[] = [...LANES, "tx"];
const TX = SIGNALS.indexOf("tx");

/** A line at rest is high. */
const AT_REST = SIGNALS.map((name) => (name === "tx" ? 1 : 0));

interface Change {
  signal: number;
  value: number;
}

/** A frame that is not yet turned into bits. */
interface Transmission {
  station: number;
  line: string;
  /** How many of its bytes have become bits, and when the first started. */
  done: number;
  start: number;
}

function* text(source: RunSource): Generator<string, void, void> {
  const { header } = source;
  const survey = new Survey(header.stations);
  for (const columns of source.blocks()) {
    survey.write(columns);
    yield "";
  }
  const { places, longest } = survey;
  const rate = laneRate(header.baud, survey.densest);
  const why =
    rate > header.baud ? `, since frames follow each other faster than ${header.baud} baud allows` : "";
  yield `$comment ${escapeControls(header.program).replaceAll("$", "_")}, ${rate} baud 8N1 on the tx lanes${why} $end\n$timescale 100 ns $end\n`;
  yield "$scope module ring $end\n";
  for (const [id, place] of places) {
    for (const [k, name] of SIGNALS.entries()) {
      yield `$var wire 1 ${code(place * SIGNALS.length + k)} S${formatStation(id)}_${name} $end\n`;
    }
  }
  yield "$upscope $end\n$enddefinitions $end\n";
  const wave = new Waveform(places, rate);
  const start = source.window?.from ?? Number.NEGATIVE_INFINITY;
  const lanes = new Lanes((t, station, lane, up) => {
    if (places.has(station)) wave.set(Math.max(t, start), station, lane, up);
  });
  // What a station is when the window begins, it has become before.
  for (const columns of source.prelude?.() ?? []) {
    for (let i = 0; i < columns.length; i++) lanes.write(columns, i);
    yield* wave.until(start - 1);
  }
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) {
      lanes.write(columns, i);
      if (isOnWire(columns, i)) {
        const record = columns.get(i) as FrameRecord;
        wave.transmit(record.t - record.took, record.from, wireLine(record));
      }
      yield* wave.until((columns.t[i] as number) - longest);
    }
  }
  yield* wave.end();
}

/** The frame was transmitted and its record says how long it took. */
function isOnWire(columns: RecordColumns, i: number): boolean {
  const event = columns.event[i];
  return event === EVENT_CODE.hop || (event === EVENT_CODE.dropped && (columns.took[i] as number) > 0);
}

/**
 * The rate of the lanes: the ring's own, and a higher common one where frames came faster than that, as they do over USB,
 * which has no baud rate. The highest is what 100 ns still show well.
 */
function laneRate(baud: number, needed: number): number {
  if (needed <= baud * TOLERANCE) return baud;
  return FASTER.find((rate) => rate >= needed) ?? Math.max(baud, FASTER.at(-1) as number);
}

/** What must be known before the first line is written. */
class Survey {
  /** Places of the stations, in ring order first. */
  readonly places = new Map<number, number>();
  /** The longest time that a frame took, microseconds. */
  longest = 0;
  /** Bits per second that a lane needs so that each frame ends before the next one starts. */
  densest = 0;
  /** Start and length of the last frame of each station. */
  readonly #last = new Map<number, { start: number; bits: number }>();

  constructor(stations: readonly number[]) {
    for (const id of stations) this.#add(id);
  }

  write(columns: RecordColumns): void {
    for (let i = 0; i < columns.length; i++) {
      this.#add(columns.station[i] as number);
      if ((columns.event[i] as number) > EVENT_CODE.dropped) continue;
      this.#add(columns.peer[i] as number);
      this.longest = Math.max(this.longest, columns.took[i] as number);
      if (isOnWire(columns, i)) this.#follow(columns.get(i) as FrameRecord);
    }
  }

  #follow(record: FrameRecord): void {
    const start = record.t - record.took;
    const last = this.#last.get(record.from);
    const gap = last ? start - last.start : 0;
    if (last && gap > 0) this.densest = Math.max(this.densest, (last.bits * 1e6) / gap);
    this.#last.set(record.from, { start, bits: wireLine(record).length * BITS_PER_BYTE });
  }

  #add(id: number): void {
    if (id !== HOST && !this.places.has(id)) this.places.set(id, this.places.size);
  }
}

class Waveform {
  readonly #places: ReadonlyMap<number, number>;
  readonly #bit: number;
  readonly #queue = new TimeQueue<Change | Transmission>();
  /** Value of each signal, and when each tx lane is free again. */
  readonly #values: Uint8Array;
  readonly #free: Float64Array;
  /** The moment that is being gathered: several changes of a signal in one moment are one. */
  readonly #now = new Map<number, number>();
  #time = Number.NEGATIVE_INFINITY;
  #started = false;

  constructor(places: ReadonlyMap<number, number>, baud: number) {
    this.#places = places;
    this.#bit = UNITS_PER_SECOND / baud;
    this.#values = new Uint8Array(places.size * SIGNALS.length);
    for (let k = 0; k < this.#values.length; k++) this.#values[k] = AT_REST[k % SIGNALS.length] as number;
    this.#free = new Float64Array(places.size);
  }

  /** @param t microseconds */
  set(t: number, station: number, lane: Lane, up: boolean): void {
    const signal = this.#signal(station, SIGNALS.indexOf(lane));
    this.#queue.add(t * UNITS, { signal, value: up ? 1 : 0 });
  }

  transmit(t: number, station: number, line: string): void {
    if (this.#places.has(station)) this.#queue.add(t * UNITS, { station, line, done: 0, start: -1 });
  }

  /** All changes up to a time, in microseconds. */
  *until(t: number): Generator<string, void, void> {
    for (let due = this.#queue.next(t * UNITS); due; due = this.#queue.next(t * UNITS)) {
      const { time, item } = due;
      if ("line" in item) this.#bits(time, item);
      else {
        // Times of boards may go back; those of a file may not.
        if (time > this.#time) {
          yield this.#moment();
          this.#time = time;
        }
        this.#now.set(item.signal, item.value);
      }
    }
  }

  *end(): Generator<string, void, void> {
    yield* this.until(Number.POSITIVE_INFINITY);
    yield this.#moment();
  }

  #signal(station: number, k: number): number {
    return (this.#places.get(station) as number) * SIGNALS.length + k;
  }

  /**
   * Turns the next byte of a frame into the edges of its bits: start bit, eight bits from the lowest, stop bit. The rest
   * of the frame waits in the queue as it is, so that a long one takes no more room than its text.
   */
  #bits(time: number, frame: Transmission): void {
    const { station, line } = frame;
    const place = this.#places.get(station) as number;
    if (frame.done === 0) {
      frame.start = Math.max(time, this.#free[place] as number);
      this.#free[place] = frame.start + line.length * BITS_PER_BYTE * this.#bit;
    }
    const signal = this.#signal(station, TX);
    let bits = frame.done * BITS_PER_BYTE;
    let level = 1;
    const put = (value: number) => {
      if (value !== level) {
        this.#queue.add(Math.round(frame.start + bits * this.#bit), { signal, value });
      }
      level = value;
      bits++;
    };
    const byte = line.charCodeAt(frame.done);
    put(0);
    for (let k = 0; k < 8; k++) put((byte >> k) & 1);
    put(1);
    if (++frame.done < line.length) {
      // Not behind its own first edge, nor behind what else happens then.
      this.#queue.add(Math.floor(frame.start + bits * this.#bit), frame);
    }
  }

  /** The changes of the moment gathered, with all values before the first. */
  #moment(): string {
    let changes = "";
    if (!this.#started && this.#now.size) {
      this.#started = true;
      const all = [...this.#values].map((value, signal) => `${value}${code(signal)}\n`);
      changes = `#${Math.max(0, this.#time - 1)}\n$dumpvars\n${all.join("")}$end\n`;
    }
    let moment = "";
    for (const [signal, value] of this.#now) {
      if (this.#values[signal] === value) continue;
      this.#values[signal] = value;
      moment += `${value}${code(signal)}\n`;
    }
    this.#now.clear();
    return moment ? `${changes}#${this.#time}\n${moment}` : changes;
  }
}

/** The short name of a signal: printable characters from ! to ~. */
function code(n: number): string {
  let name = "";
  for (let left = n; ; left = Math.floor(left / 94) - 1) {
    name += String.fromCharCode(33 + (left % 94));
    if (left < 94) return name;
  }
}

export const vcd: Exporter = {
  name: "vcd",
  ending: ".vcd",
  begins: "$comment ",
  about: "PulseView, sigrok-cli, GTKWave",
  pieces: (source) => gathered(text(source)),
};
