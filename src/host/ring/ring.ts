/**
 * The host's side of a ring: on a hub it is the MAU that carries each frame to the successor and bypasses a dead
 * station; on a wired ring it watches what the stations report.
 */

import { crc32 } from "../../../firmware/crc32.js";
import { decode, UNKNOWN } from "../../../firmware/frame.js";
import { frameTypes } from "../../../firmware/registry.js";
import type { Frame, Settings } from "../../../firmware/types.d.ts";
import { hostClock, hostTimers } from "../../link/time.ts";
import type { RecordColumns } from "../../log/columns.ts";
import { type FrameEvent, HOST, STATION_FIELDS, type StationEvent } from "../../log/records.ts";
import { Mau } from "../../simulation/mau.ts";
import { LineNoise } from "../console/line-noise.ts";
import { FrameCarrier } from "./frame-carrier.ts";
import { GoneBoards } from "./gone-boards.ts";
import type { HubFaults } from "./hub-faults.ts";
import { ObservedWires } from "./observed-wires.ts";
import { RecordOrder } from "./record-order.ts";
import { RefusedFrames } from "./refused-frames.ts";
import type { RingStation, StationConfig } from "./ring-station.ts";
import { HEARTBEAT_MS, SilenceWatch } from "./silence-watch.ts";
import { Strangers } from "./strangers.ts";

/** Exchanges of times at the start, for each board. */
const EXCHANGES = 8;
/** Texts from boards are clipped to so many characters. */
const LONGEST_TEXT = 200;

export interface RingOptions {
  wiring: "hub" | "wired";
  /** Bits per second of the lines that frames cross. */
  baud: number;
  settings: Settings;
  records: RecordColumns;
  /** Of the faults that come at random. */
  seed?: number;
  /** Station-specific part of a configuration: pins, UART, LEDs. */
  configOf(station: RingStation): { [key: string]: unknown };
  /** Called when records have come, at most every few milliseconds. */
  onRecords(): void;
  /** Opens or closes a station's relay, where a wired ring has such. @returns false when there is none */
  relay?(position: number, open: boolean): boolean;
}

export class Ring {
  readonly stations: readonly RingStation[];
  readonly mau: Mau;
  readonly carrier: FrameCarrier;
  /** What it does to the frames that it carries. */
  readonly faults: HubFaults;
  readonly #options: RingOptions;
  readonly #startedAt: number;
  /** A station that answers nothing, neither heartbeats nor frames, is taken out. */
  readonly #silence: SilenceWatch;
  readonly #noise: LineNoise[];
  readonly #refused: RefusedFrames[];
  readonly #order: RecordOrder;
  readonly #gone: GoneBoards;
  readonly #wires: ObservedWires;
  readonly #strangers: Strangers;
  readonly #boots = new Map<number, number>();
  /** Bypassed for another reason than silence: that they answer does not put them back. */
  readonly #kept = new Set<number>();
  /** Highest epoch that a board knows or a record has shown: no token of an earlier one may be made any more. */
  #epoch = 0;
  #stopHeartbeat: () => void = () => {};
  #told = false;
  #stopped = false;

  /** Settled when the ports of all boards have been gone for a while. */
  get allGone(): Promise<void> {
    return this.#gone.all;
  }

  /** @param stations in ring order */
  constructor(stations: readonly RingStation[], options: RingOptions) {
    this.stations = stations;
    this.#options = options;
    this.mau = new Mau(stations.length);
    this.carrier = new FrameCarrier({
      stations,
      mau: this.mau,
      seed: options.seed ?? 1,
      asked: (position) => this.#silence.asked(position),
      answered: (position, more) =>
        void (this.faults.isSilent(position) || this.#silence.answered(position, more)),
      record: (at, ...frame) => this.#frame(at, ...frame),
    });
    this.faults = this.carrier.faults;
    this.#startedAt = hostClock();
    this.#silence = new SilenceWatch(stations.length, options.settings.limits, (position) =>
      this.bypass(position, "silent"),
    );
    this.#noise = stations.map(
      (_, p) => new LineNoise((event, what, count) => this.#note(hostClock(), event, p, what, count)),
    );
    this.#wires = new ObservedWires(
      stations,
      (position) => this.mau.predecessor(position),
      (text) => this.remark(text),
    );
    this.#strangers = new Strangers(stations, {
      refuse: (id, port, owner) => {
        const t = this.now;
        this.#put(t, (records) => records.addEvent(t, "refused", id, "duplicate", port, owner));
      },
      remark: (text) => this.remark(text),
    });
    this.#gone = new GoneBoards(stations.length);
    this.#refused = stations.map(() => new RefusedFrames());
    this.#order = new RecordOrder(
      () => this.now,
      () => this.#tell(),
    );
    stations.forEach((station, position) => {
      station.events = {
        transmit: (line, at) => this.#carry(position, line, at),
        receive: (line, at) => this.#received(position, line, at),
        record: (event, args, at, board) => this.#record(position, event, args, at, board),
        text: (text, at) => {
          if (this.#noise[position]?.text(text, at))
            this.#note(at, "console", position, text.slice(0, LONGEST_TEXT));
        },
        overflow: (count) => this.#noise[position]?.overflow(count),
        damaged: () => this.#noise[position]?.damaged(),
        remark: (text) => this.remark(text),
        lost: (reason) => this.#unplugged(position, reason),
        back: (boot) => void this.#back(position, boot),
        stranger: (id, boot, port) => this.#strangers.meet(station, id, boot, port),
      };
    });
  }

  /** Host time since the ring was made, µs: the time line of its records. */
  get now(): number {
    return hostClock() - this.#startedAt;
  }

  /** Starts every station. @returns ids of those that did not answer */
  async start(): Promise<number[]> {
    const failed: number[] = [];
    for (const { epoch } of this.stations) this.#knows(epoch);
    await Promise.all(
      this.stations.map(async (station, position) => {
        // The first attach opens the board's mouth and begins to align its clock.
        await station.attach(this.#epoch, true);
        if (!(await station.start(this.#config(station)))) failed.push(station.id);
        // The shortest of some round trips tells the board's clock best; a hub's frames bring more of them.
        for (let n = 0; n < EXCHANGES; n++) await station.attach(this.#epoch);
        this.#silence.heard(position);
        if (station.boot !== undefined) this.#boots.set(position, station.boot);
      }),
    );
    this.#beat();
    this.#silence.start();
    return failed;
  }

  /** @returns in what a wired ring differs from what was given, one line; null: nothing is known to */
  async wiringProblem(): Promise<string | null> {
    const all = this.stations.every((_, position) => this.mau.isInserted(position));
    return this.#options.wiring === "wired" && all ? this.#wires.problem() : null;
  }

  /** Ends the run; the boards go on without a host, or stop when the ring is a hub. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopHeartbeat();
    this.#silence.stop();
    this.#gone.stop();
    this.carrier.stop();
    await Promise.all(this.stations.map((station) => station.stop()));
    for (const noise of this.#noise) noise.end();
    this.#order.flush();
  }

  /** Keeps what happened to the host's side of the bench among the records. */
  remark(text: string): void {
    const t = this.now;
    this.#put(t, (records) => records.addEvent(t, "console", HOST, text.slice(0, LONGEST_TEXT)));
  }

  /** Can a station be taken out of the ring? On a hub, or where it has a relay. */
  canBypass(position: number): boolean {
    return this.#switch(position, !this.mau.isInserted(position));
  }

  bypass(position: number, cause: string): void {
    if (!this.mau.isInserted(position) || !this.#switch(position, true)) return;
    if (cause !== "silent") this.#kept.add(position);
    this.mau.bypass(position);
    this.#note(hostClock(), "bypass", position, cause);
    // A relay lets what is on the wire through.
    if (cause !== "relay") this.stations[position]?.discard?.();
  }

  insert(position: number, cause: string): void {
    if (this.mau.isInserted(position) || !this.#switch(position, false)) return;
    this.#kept.delete(position);
    this.faults.flush(position);
    this.mau.insert(position);
    this.#note(hostClock(), "insert", position, cause);
  }

  /** Lines that were broken are whole again, or a station that stood still goes on. */
  mend(position: number): void {
    this.faults.mend(position);
    this.#goesOn(position);
  }

  #goesOn(position: number): void {
    this.#heard(position);
    if (this.stations[position]?.condition === "running" && !this.faults.isCut(position))
      this.insert(position, "back");
  }

  /** Adds a record that no station made. @param position undefined: of the whole ring */
  report(event: "fault" | "refused", position: number | undefined, what: string, detail?: string): void {
    this.#note(hostClock(), event, position, what, detail);
  }

  #switch(position: number, open: boolean): boolean {
    return this.#options.wiring === "hub" || this.#options.relay?.(position, open) === true;
  }

  /** The power of a station is switched off, as its port may not tell. */
  powerOff(position: number): void {
    this.#note(hostClock(), "crash", position, "power");
    this.bypass(position, "closed");
  }

  powerOn(position: number): void {
    const station = this.stations[position] as RingStation;
    void station.reconnect().then((boot) => {
      if (boot !== null) void this.#back(position, boot);
      else this.#kept.delete(position);
    });
  }

  #config(station: RingStation): StationConfig {
    return {
      ...this.#options.configOf(station),
      id: station.id,
      wiring: this.#options.wiring,
      settings: this.#options.settings,
    };
  }

  #beat(): void {
    this.stations.forEach((station, position) => {
      void station.attach(this.#epoch).then((answered) => {
        if (!answered || this.#stopped) return;
        this.#heard(position);
        if (!this.#kept.has(position) && !this.faults.isSilent(position)) this.insert(position, "back");
      });
    });
    this.#stopHeartbeat = hostTimers.after(HEARTBEAT_MS, () => this.#beat());
  }

  #heard(position: number): void {
    if (!this.faults.isSilent(position)) this.#silence.heard(position);
  }

  /** Hub: a frame from a station goes to its successor. */
  #carry(position: number, line: string, sentAt: number): void {
    this.#heard(position);
    const frame = this.#decoded(position, line);
    if (!frame) return;
    if (this.#options.wiring !== "hub" || !this.mau.isInserted(position)) return;
    this.carrier.carry(position, line, frame, sentAt);
  }

  /** Wired: a frame has passed from the predecessor. */
  #received(position: number, line: string, at: number): void {
    const frame = this.#decoded(position, line);
    if (!frame) return;
    this.#silence.heard(position);
    const from = this.#wires.take(position, frame);
    const took = Math.round(((line.length + 1) * 1e7) / this.#options.baud);
    const to = (this.stations[position] as RingStation).id;
    this.#frame(at, "hop", from, to, took, frame);
  }

  #decoded(position: number, line: string): Frame | null {
    const frame = decode(line, crc32, frameTypes);
    if (typeof frame !== "string") return frame;
    this.#note(hostClock(), "bad", position, frame);
    return null;
  }

  #frame(at: number, event: FrameEvent, from: number, to: number, took: number, frame: Frame): void {
    const t = at - this.#startedAt;
    this.#put(t, (records) => records.addFrame(t, event, from, to, took, frame));
  }

  #record(position: number, event: string, args: string[], at: number, board?: number): void {
    if (!Object.hasOwn(STATION_FIELDS, event)) {
      this.#note(at, "console", position, `${event},${args.join(",")}`.slice(0, LONGEST_TEXT));
      return;
    }
    const refused = event === "bad" ? this.#refused[position]?.since(args.join(",")) : null;
    if (refused) {
      for (const [cause, n] of refused)
        this.#record(position, "bad", n > 1 ? [cause, String(n)] : [cause], at, board);
      return;
    }
    const values = args.map((text) =>
      /^-?\d{1,16}(\.\d+)?$/.test(text) ? Number(text) : text.slice(0, LONGEST_TEXT),
    );
    this.#heard(position);
    if (event === "beacon") this.#onBeacon(position, values[0]);
    if (event === "regenerated" || event === "enter") this.#knows(values[0]);
    if (event === "hello") this.#greeted(position, values[0], values[1]);
    const id = (this.stations[position] as RingStation).id;
    const t = at - this.#startedAt;
    const [a, b, c] = values;
    this.#put(t, (records) => {
      const i = records.addEvent(t, event as StationEvent, id, a, b, c);
      if (board !== undefined) records.setBoardTime(i, board);
    });
    if (event === "fault") this.#goesOn(position);
  }

  #knows(epoch: unknown): void {
    if (typeof epoch === "number" && epoch > this.#epoch) this.#epoch = epoch;
  }

  /** A station says its boot id on the ring when it starts, which it may have done while its port stayed open. */
  #greeted(by: number, id: number | string | undefined, boot: number | string | undefined): void {
    if (this.#options.wiring === "wired") this.#wires.hears(by, Number(id));
    const station = this.stations.find((station) => station.id === id);
    if (station?.boot !== undefined && station.boot !== boot) station.verify?.();
  }

  /** A station of a wired ring that hears nothing any more: its predecessor is taken out. */
  #onBeacon(position: number, predecessor: string | number | undefined): void {
    const silent = this.mau.predecessor(position);
    if (this.#options.wiring !== "wired" || silent === position) return;
    // A station that is out hears nothing, and who was never heard may be one that boots slowly.
    if (!this.mau.isInserted(position) || predecessor === UNKNOWN) return;
    this.bypass(silent, "beacon");
  }

  #note(
    at: number,
    event: StationEvent,
    place?: number,
    text?: string | number,
    detail?: string | number,
  ): void {
    const id = place === undefined ? HOST : (this.stations[place] as RingStation).id;
    const t = at - this.#startedAt;
    this.#put(t, (records) => records.addEvent(t, event, id, text, detail));
  }

  /** Its port is gone: whether its power is, the host cannot know; a wired board may go on as before. */
  #unplugged(position: number, reason: string): void {
    if (this.#stopped) return;
    this.#note(hostClock(), "unplug", position, reason.slice(0, LONGEST_TEXT));
    this.bypass(position, "closed");
    this.#gone.add(position);
  }

  async #back(position: number, bootId: number): Promise<void> {
    if (this.#gone.delete(position)) this.#note(hostClock(), "plug", position);
    this.#silence.heard(position);
    const station = this.stations[position] as RingStation;
    const before = this.#boots.get(position);
    this.#boots.set(position, bootId);
    if (before !== bootId) {
      this.#refused[position]?.forget();
      this.#note(hostClock(), "restart", position, bootId);
    }
    this.#knows(station.epoch);
    await station.attach(this.#epoch, true);
    if ((await station.start(this.#config(station))) && !this.faults.isCut(position))
      this.insert(position, "open");
  }

  #put(t: number, write: (records: RecordColumns) => unknown): void {
    const { records, wiring } = this.#options;
    if (wiring === "wired") {
      this.#order.add(t, () => void write(records));
      return;
    }
    write(records);
    this.#tell();
  }

  #tell(): void {
    if (this.#told) return;
    this.#told = true;
    hostTimers.after(5, () => {
      this.#told = false;
      this.#options.onRecords();
    });
  }
}
