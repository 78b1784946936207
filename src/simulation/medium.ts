/**
 * The links of a ring: each carries one frame at a time, first in, first out, with a latency computed
 * from bytes, baud and board time. Faults of links are decided by a `Disturber`, which may be absent.
 */
import type { Frame } from "../../firmware/types.d.ts";
import type { RecordColumns } from "../log/columns.ts";
import type { VirtualClock } from "./clock.ts";
import type { Codec } from "./codec.ts";
import { Flights } from "./frames-in-flight.ts";
import type { Mau } from "./mau.ts";
import type { Plan } from "./plan.ts";

/** What happens to one frame on its link. */
export interface Disturbance {
  drop?: boolean;
  /** Number of a bit of the line that is flipped, counted from its first byte. */
  flipBit?: number;
  duplicate?: boolean;
  /** Microseconds by which this frame, and all behind it, are late. */
  delay?: number;
}

/** Decides the fate of each frame that enters the link from `position`. */
export type Disturber = (position: number, frame: Frame) => Disturbance | null;

/** What the medium needs to know of the ring and who takes its frames. */
export interface MediumHost {
  mau: Mau;
  ids: readonly number[];
  /** Can the frame leave the transmitter and reach the receiver? */
  canCarry(from: number, to: number): boolean;
  /** A line has arrived whole; undefined where the receiver takes none. */
  receive(position: number, frame: Frame): void;
  refuse(position: number, cause: string): void;
}

export class Medium {
  disturber: Disturber | null = null;
  /** Records each frame also where it is transmitted, so that an observer can tell a hop that nobody sent. */
  witness = false;
  readonly flights = new Flights();
  readonly #host: MediumHost;
  readonly #clock: VirtualClock;
  readonly #codec: Codec;
  readonly #records: RecordColumns;
  readonly #firstCode: number;
  readonly #lines: number;
  readonly #hostMicros: number;
  readonly #baud: number;
  /** Time a station takes for one frame, µs; a slow board has more. */
  readonly boardMicros: Float64Array;
  /** When each link is free for the next transmission, and when its last frame arrives. */
  readonly #freeAt: Float64Array;
  readonly #lastArrival: Float64Array;

  /** @param firstCode code on the clock of the frame in slot 0 */
  constructor(
    host: MediumHost,
    clock: VirtualClock,
    codec: Codec,
    records: RecordColumns,
    plan: Plan,
    firstCode: number,
  ) {
    this.#host = host;
    this.#clock = clock;
    this.#codec = codec;
    this.#records = records;
    this.#firstCode = firstCode;
    this.#lines = plan.wiring === "hub" ? 2 : 1;
    this.#hostMicros = plan.wiring === "hub" ? plan.hostMicros : 0;
    this.#baud = plan.baud;
    this.boardMicros = new Float64Array(plan.ids.length).fill(plan.boardMicros);
    this.#freeAt = new Float64Array(plan.ids.length);
    this.#lastArrival = new Float64Array(plan.ids.length);
  }

  /** Transmits a frame on the link from `position` to its successor. */
  send(position: number, frame: Frame): void {
    const slot = this.#load(position, frame);
    if (this.disturber || this.witness) this.#sendWatched(slot, position, frame);
    else this.#launch(slot, 0);
  }

  /** Puts a frame on the link as if its transmitter had sent it: an injected token, a replayed one. */
  inject(position: number, frame: Frame): void {
    const slot = this.#load(position, frame);
    if (this.witness) this.#transmitted(slot, frame);
    this.#launch(slot, 0);
  }

  /** The frame in the slot has arrived. */
  arrive(slot: number): void {
    const flights = this.flights;
    const from = flights.from[slot] as number;
    const to = flights.to[slot] as number;
    if (flights.isLost(slot)) {
      flights.close(slot);
      return;
    }
    const ids = this.#host.ids;
    const start = flights.start(slot);
    const frame = this.#codec.decode(flights.buffer(slot), start, flights.end[slot] as number);
    const took = this.#clock.now - (flights.started[slot] as number);
    flights.close(slot);
    if (typeof frame === "string") {
      if (this.#host.canCarry(from, to)) this.#host.refuse(to, frame);
      return;
    }
    const carried = this.#host.canCarry(from, to);
    this.#records.addFrame(
      this.#clock.now,
      carried ? "hop" : "dropped",
      ids[from] as number,
      ids[to] as number,
      took,
      frame,
    );
    if (carried) this.#host.receive(to, frame);
  }

  /** What lies in a dead station's buffers is lost; what is on the wire arrives. */
  loseUnsent(position: number): void {
    for (const slot of this.flights.sentBy(position)) {
      if ((this.flights.started[slot] as number) > this.#clock.now) this.#lose(slot);
    }
    this.#freeAt[position] = this.#clock.now;
  }

  /** Drops what is under way to a station that is being inserted. */
  flush(position: number): void {
    for (const slot of this.flights.sentTo(position)) this.#lose(slot);
  }

  #lose(slot: number): void {
    const flights = this.flights;
    const frame = this.#codec.decode(flights.buffer(slot), flights.start(slot), flights.end[slot] as number);
    const { ids } = this.#host;
    const from = ids[flights.from[slot] as number] as number;
    const to = ids[flights.to[slot] as number] as number;
    if (typeof frame !== "string") this.#records.addFrame(this.#clock.now, "dropped", from, to, 0, frame);
    flights.lose(slot);
  }

  #load(position: number, frame: Frame): number {
    const flights = this.flights;
    const slot = flights.open();
    const end = this.#codec.encode(frame, flights.buffer(slot), flights.start(slot));
    if (end < 0) flights.setLong(slot, this.#codec.text(frame));
    else flights.end[slot] = end;
    flights.route(slot, position, this.#host.mau.successor(position));
    return slot;
  }

  #launch(slot: number, delay: number): void {
    const flights = this.flights;
    const position = flights.from[slot] as number;
    const bytes = (flights.end[slot] as number) - flights.start(slot);
    const wire = Math.ceil((bytes * 10_000_000) / this.#baud);
    const ready = this.#clock.now + (this.boardMicros[position] as number);
    const free = this.#freeAt[position] as number;
    const started = Math.max(ready, free);
    flights.started[slot] = started;
    this.#freeAt[position] = started + wire;
    let arrival = started + this.#lines * wire + this.#hostMicros + delay;
    const last = this.#lastArrival[position] as number;
    if (arrival < last) arrival = last;
    this.#lastArrival[position] = arrival;
    this.#clock.schedule(arrival, this.#firstCode + slot);
  }

  #sendWatched(slot: number, position: number, frame: Frame): void {
    if (this.witness) this.#transmitted(slot, frame);
    const disturbance = this.disturber ? this.disturber(position, frame) : null;
    if (disturbance) this.#disturb(slot, frame, disturbance);
    else this.#launch(slot, 0);
  }

  #transmitted(slot: number, frame: Frame): void {
    const { from, to } = this.flights;
    const { ids } = this.#host;
    this.#records.addFrame(
      this.#clock.now,
      "transmitted",
      ids[from[slot] as number] as number,
      ids[to[slot] as number] as number,
      0,
      frame,
    );
  }

  #disturb(slot: number, frame: Frame, what: Disturbance): void {
    const flights = this.flights;
    const { ids } = this.#host;
    const position = flights.from[slot] as number;
    const from = ids[position] as number;
    const to = ids[flights.to[slot] as number] as number;
    const { now } = this.#clock;
    if (what.drop) {
      this.#records.addFrame(now, "dropped", from, to, 0, frame);
      flights.close(slot);
      return;
    }
    if (what.flipBit !== undefined) {
      const buffer = flights.buffer(slot);
      const start = flights.start(slot);
      const bit = what.flipBit % (8 * ((flights.end[slot] as number) - start));
      const at = start + (bit >> 3);
      buffer[at] = (buffer[at] as number) ^ (1 << (bit & 7));
      this.#records.addFrame(now, "corrupted", from, to, 0, frame);
    }
    if (what.delay) this.#records.addFrame(now, "delayed", from, to, what.delay, frame);
    this.#launch(slot, what.delay ?? 0);
    if (what.duplicate) {
      this.#records.addFrame(now, "duplicated", from, to, 0, frame);
      this.#launch(this.#load(position, frame), 0);
    }
  }
}
