/**
 * A log of boards that somebody else runs: what they print on their consoles, or what passes on a UART line that an
 * adapter taps. Nothing is ever written to a port.
 */
import { crc32 } from "../../../firmware/crc32.js";
import { decode, NEIGHBOUR } from "../../../firmware/frame.js";
import { installAll } from "../../../firmware/protocols.js";
import { frameTypes } from "../../../firmware/registry.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { linkTo } from "../../link/open.ts";
import { ReconnectingLink } from "../../link/reconnect.ts";
import { type Clock, hostClock, hostTimers } from "../../link/time.ts";
import type { RecordColumns } from "../../log/columns.ts";
import { HOST, STATION_FIELDS, type StationEvent } from "../../log/records.ts";
import { type ConsoleLine, readLine } from "./console-line.ts";
import { LineNoise } from "./line-noise.ts";

installAll();

/** Longest line of a console, bytes. */
const CONSOLE_LINE = 2048;
/** A port that has sent bytes for so long and no good line has another baud rate, ms. */
const JUNK_MS = 3000;
const LONGEST_TEXT = 200;

export interface WatchOptions {
  paths: readonly string[];
  baudRate: number;
  records: RecordColumns;
  /** Called after each record. */
  onRecords(): void;
  /** One line of words about a port. */
  onWarning(words: string): void;
  /** Time line of the records, µs; default since the watch was made. */
  clock?: Clock;
}

/** What is known of one port. A station is called by its place in the list of ports until it says its id. */
class WatchedPort {
  readonly link: ReconnectingLink;
  readonly #options: WatchOptions;
  readonly #now: Clock;
  readonly #noise = new LineNoise((event, what, count) => this.#event(event, what, count));
  /** Of the board on a console, or of the transmitter that a tap hears. */
  #id: number;
  /** Of the predecessor of a board on a wired ring. */
  #from = HOST;
  #bytes = 0;
  #good = 0;
  #judged = false;
  #cancel: () => void = () => {};

  constructor(path: string, place: number, options: WatchOptions, now: Clock) {
    this.#options = options;
    this.#now = now;
    this.#id = place;
    this.link = new ReconnectingLink({
      path,
      connect: (where) => linkTo(where, { baudRate: options.baudRate, lineLimit: CONSOLE_LINE }),
      onReturn: ({ path }) => options.onWarning(`${path}: is there again`),
    });
    this.link.listener = {
      onBytes: (bytes) => this.#count(bytes.length),
      onLine: (text) => this.#line(text),
      onOverflow: (count) => this.#noise.overflow(count),
      onLost: (reason) => options.onWarning(`${path}: ${reason}; waiting for it`),
    };
  }

  get good(): number {
    return this.#good;
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.link.close();
    this.#noise.end();
  }

  #count(bytes: number): void {
    if (this.#bytes === 0) this.#cancel = hostTimers.after(JUNK_MS, () => this.#judge());
    this.#bytes += bytes;
  }

  /** Said once for a port, however much junk comes. */
  #judge(): void {
    if (this.#good > 0 || this.#judged) return;
    this.#judged = true;
    this.#options.onWarning(
      `${this.link.path}: ${this.#bytes} bytes and no good line in ${JUNK_MS / 1000} s: is ${this.#options.baudRate} the right baud rate (--baud)?`,
    );
  }

  #line(raw: string): void {
    for (const said of readLine(raw)) this.#said(said);
  }

  #said(said: ConsoleLine): void {
    if (said.kind === "damaged") this.#noise.damaged();
    else if (said.kind === "text") {
      if (said.text.includes("$")) this.#frame(said.text, "tap");
      else this.#text(said.text);
    } else if (said.event === "tx" || said.event === "rx") this.#frame(said.rest, said.event);
    else if (Object.hasOwn(STATION_FIELDS, said.event)) {
      const values = said.rest === "" ? [] : said.rest.split(",");
      this.#event(
        said.event as StationEvent,
        ...values.map((text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text.slice(0, LONGEST_TEXT))),
      );
    } else if (said.event === "ack" || said.event === "info") this.#good += 1;
    else this.#text(`${said.event},${said.rest}`);
  }

  /** `tx`: the board sends it; `rx`: it has received it; `tap`: it passes on the line of the transmitter. */
  #frame(text: string, way: "tx" | "rx" | "tap"): void {
    const frame = decode(text, crc32, frameTypes);
    if (typeof frame === "string") {
      this.#event("bad", frame);
      return;
    }
    this.#good += 1;
    // Only a neighbour frame is surely of the station that transmits it.
    if (way !== "rx" && frame.dst === NEIGHBOUR) this.#id = frame.src;
    const [from, to] = way === "rx" ? [this.#predecessor(frame), this.#id] : [this.#id, HOST];
    const took = Math.round(((text.length + 1) * 1e7) / this.#options.baudRate);
    this.#options.records.addFrame(this.#now(), "hop", from, to, took, frame);
    this.#options.onRecords();
  }

  #predecessor(frame: Frame): number {
    if (frame.dst === NEIGHBOUR) this.#from = frame.src;
    return this.#from;
  }

  #text(text: string): void {
    if (this.#noise.text(text, hostClock())) this.#event("console", text.slice(0, LONGEST_TEXT));
  }

  #event(event: StationEvent, a?: number | string, b?: number | string, c?: number | string): void {
    if (event !== "bad" && event !== "console") this.#good += 1;
    this.#options.records.addEvent(this.#now(), event, this.#id, a, b, c);
    this.#options.onRecords();
  }
}

export class PassiveWatch {
  readonly #ports: WatchedPort[];
  readonly #now: Clock;

  constructor(options: WatchOptions) {
    const startedAt = hostClock();
    this.#now = options.clock ?? (() => hostClock() - startedAt);
    this.#ports = options.paths.map((path, i) => new WatchedPort(path, i + 1, options, this.#now));
  }

  /** Microseconds on the time line of the records. */
  get now(): number {
    return this.#now();
  }

  /** Good lines so far. */
  get good(): number {
    return this.#ports.reduce((sum, { good }) => sum + good, 0);
  }

  /** @throws LinkError for a port that does not open; none is open then */
  async open(): Promise<void> {
    try {
      await Promise.all(this.#ports.map(({ link }) => link.open()));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#ports.map((port) => port.close()));
  }
}
