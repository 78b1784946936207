/**
 * The host's side of a ring: on a hub it is the MAU that carries each frame to the successor and bypasses a dead
 * station; on a wired ring it watches what the stations report.
 */
import { UNKNOWN } from "../../firmware/beacon.js";
import { crc32 } from "../../firmware/crc32.js";
import { decode } from "../../firmware/frame.js";
import { frameTypes } from "../../firmware/registry.js";
import type { Limits, Settings } from "../../firmware/types.d.ts";
import { hostClock, hostTimers } from "../link/time.ts";
import type { RecordColumns } from "../log/columns.ts";
import { HOST, STATION_FIELDS, type StationEvent } from "../log/records.ts";
import { Mau } from "../simulation/mau.ts";
import { RecordOrder } from "./record-order.ts";
import { RefusedFrames } from "./refused-frames.ts";
import type { RingStation, StationConfig } from "./ring-station.ts";
import { TextLimit } from "./text-limit.ts";

/** A board prints nothing when it has not heard the host for 5 s: it hears it this often, ms. */
const HEARTBEAT_MS = 1000;
/** Silent stations are looked for this often, ms. */
const WATCH_MS = 250;
/** A ring that has lost every board ends after this; a USB hub that is plugged in again is back sooner. Ms. */
const ALL_GONE_MS = 5000;
/** Exchanges of times at the start, for each board. */
const EXCHANGES = 8;
/** Texts from boards are clipped to so many characters. */
const LONGEST_TEXT = 200;
/** Frames that may wait for one station; more means that it does not keep up. */
const MOST_QUEUED = 48;

export interface RingOptions {
  wiring: "hub" | "wired";
  settings: Settings;
  records: RecordColumns;
  /** Station-specific part of a configuration: pins, UART, LEDs. */
  configOf(station: RingStation): { [key: string]: unknown };
  /** Called when records have come, at most every few milliseconds. */
  onRecords(): void;
  /** Opens or closes a station's relay, where a wired ring has such. @returns false when there is none */
  relay?(position: number, open: boolean): boolean;
}

/** A silent station is bypassed within this, ms. */
export function silenceMs(limits: Limits): number {
  return Math.max(2 * HEARTBEAT_MS + 500, 2 * limits.announce);
}

export class Ring {
  readonly stations: readonly RingStation[];
  readonly mau: Mau;
  readonly #options: RingOptions;
  readonly #startedAt: number;
  readonly #queued: number[];
  readonly #heardAt: number[];
  readonly #limits: TextLimit[];
  readonly #refused: RefusedFrames[];
  readonly #order: RecordOrder;
  readonly #gone = new Set<number>();
  #allGone: () => void = () => {};
  #stopAllGone: () => void = () => {};
  readonly #boots = new Map<number, number>();
  /** Bypassed because their successor heard nothing from them. */
  readonly #beaconed = new Set<number>();
  #epoch = 0;
  #stopHeartbeat: () => void = () => {};
  #stopWatch: () => void = () => {};
  #told = false;
  #stopped = false;

  /** Settled when the ports of all boards have been gone for a while. */
  readonly allGone = new Promise<void>((resolve) => {
    this.#allGone = resolve;
  });

  /** @param stations in ring order */
  constructor(stations: readonly RingStation[], options: RingOptions) {
    this.stations = stations;
    this.#options = options;
    this.mau = new Mau(stations.length);
    this.#queued = stations.map(() => 0);
    this.#startedAt = hostClock();
    this.#heardAt = stations.map(() => this.#startedAt);
    this.#limits = stations.map(() => new TextLimit());
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
        text: (text, at) => this.#text(position, text, at),
        overflow: () => this.#note(hostClock(), "bad", position, "too-long"),
        lost: (reason) => {
          this.#lost(position, reason);
          this.#countGone(position);
        },
        back: (boot) => void this.#back(position, boot),
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
    await Promise.all(
      this.stations.map(async (station, position) => {
        // The first attach opens the board's mouth and begins to align its clock.
        await station.attach(this.#epoch);
        if (!(await station.start(this.#config(station)))) failed.push(station.id);
        // The shortest of some round trips tells the board's clock best; a hub's frames bring more of them.
        for (let n = 0; n < EXCHANGES; n++) await station.attach(this.#epoch);
        this.#heardAt[position] = hostClock();
        if (station.boot !== undefined) this.#boots.set(position, station.boot);
      }),
    );
    this.#beat();
    this.#watch();
    return failed;
  }

  /** Ends the run; the boards go on without a host, or stop when the ring is a hub. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopHeartbeat();
    this.#stopWatch();
    this.#stopAllGone();
    await Promise.all(this.stations.map((station) => station.stop()));
    this.#order.flush();
  }

  /** Keeps what happened to the host's side of the bench among the records. */
  remark(text: string): void {
    const t = this.now;
    this.#put(t, (records) => records.addEvent(t, "console", HOST, text.slice(0, LONGEST_TEXT)));
  }

  /** Takes a station out of the ring: on a hub, or where it has a relay. */
  bypass(position: number, cause: string): void {
    if (!this.mau.isInserted(position) || !this.#switch(position, true)) return;
    this.mau.bypass(position);
    this.#note(hostClock(), "bypass", position, cause);
    this.stations[position]?.discard?.();
  }

  insert(position: number, cause: string): void {
    if (this.mau.isInserted(position) || !this.#switch(position, false)) return;
    this.#beaconed.delete(position);
    this.mau.insert(position);
    this.#note(hostClock(), "insert", position, cause);
  }

  #switch(position: number, open: boolean): boolean {
    return this.#options.wiring === "hub" || this.#options.relay?.(position, open) === true;
  }

  /** The port of a station is gone, as when its power fails. */
  unplug(position: number, reason: string): void {
    this.#lost(position, reason);
  }

  /** The port is there again with a board that has booted. */
  replug(position: number): void {
    const station = this.stations[position] as RingStation;
    void station.reconnect().then((boot) => {
      if (boot !== null) void this.#back(position, boot);
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
        this.#heardAt[position] = hostClock();
        // Its console is well, but the wire was not: only a restart, or somebody, puts it back.
        if (!this.#beaconed.has(position)) this.insert(position, "back");
      });
    });
    this.#stopHeartbeat = hostTimers.after(HEARTBEAT_MS, () => this.#beat());
  }

  /** A station that answers nothing, neither heartbeats nor frames, is taken out. */
  #watch(): void {
    const limit = (silenceMs(this.#options.settings.limits) - WATCH_MS) * 1000;
    const now = hostClock();
    this.#heardAt.forEach((at, position) => {
      if (now - at > limit) this.bypass(position, "silent");
    });
    this.#stopWatch = hostTimers.after(WATCH_MS, () => this.#watch());
  }

  /** Hub: a frame from a station goes to its successor. */
  #carry(position: number, line: string, sentAt: number): void {
    this.#heardAt[position] = hostClock();
    const frame = decode(line, crc32, frameTypes);
    if (typeof frame === "string") {
      this.#note(hostClock(), "bad", position, frame);
      return;
    }
    if (this.#options.wiring !== "hub" || !this.mau.isInserted(position)) return;
    const to = this.mau.successor(position);
    const target = this.stations[to] as RingStation;
    const from = this.stations[position] as RingStation;
    const lose = () => {
      const t = this.now;
      this.#put(t, (records) => records.addFrame(t, "dropped", from.id, target.id, 0, frame));
    };
    if ((this.#queued[to] as number) >= MOST_QUEUED) {
      lose();
      return;
    }
    this.#queued[to] = (this.#queued[to] as number) + 1;
    target.deliver(line, (at) => {
      this.#queued[to] = (this.#queued[to] as number) - 1;
      if (this.#stopped) return;
      if (at === null) lose();
      else {
        this.#heardAt[to] = hostClock();
        const t = at - this.#startedAt;
        const took = Math.max(0, at - sentAt);
        this.#put(t, (records) => records.addFrame(t, "hop", from.id, target.id, took, frame));
      }
    });
  }

  /** Wired: a frame has passed from the predecessor. */
  #received(position: number, line: string, at: number): void {
    const frame = decode(line, crc32, frameTypes);
    if (typeof frame === "string") {
      this.#note(at, "bad", position, frame);
      return;
    }
    this.#heardAt[position] = hostClock();
    const from = this.stations[this.mau.predecessor(position)] as RingStation;
    const took = Math.round(((line.length + 1) * 1e7) / 115_200);
    const to = (this.stations[position] as RingStation).id;
    const t = at - this.#startedAt;
    this.#put(t, (records) => records.addFrame(t, "hop", from.id, to, took, frame));
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
    if (event === "beacon") this.#onBeacon(position, values[0]);
    if (event === "regenerated" && typeof values[0] === "number")
      this.#epoch = Math.max(this.#epoch, values[0]);
    const id = (this.stations[position] as RingStation).id;
    const t = at - this.#startedAt;
    const [a, b, c] = values;
    this.#put(t, (records) => {
      const i = records.addEvent(t, event as StationEvent, id, a, b, c);
      if (board !== undefined) records.setBoardTime(i, board);
    });
  }

  /** A station of a wired ring that hears nothing any more: its predecessor is taken out. */
  #onBeacon(position: number, predecessor: string | number | undefined): void {
    const silent = this.mau.predecessor(position);
    if (this.#options.wiring !== "wired" || silent === position) return;
    // A station that is out hears nothing, and who was never heard may be one that boots slowly.
    if (!this.mau.isInserted(position) || predecessor === UNKNOWN) return;
    this.bypass(silent, "beacon");
    if (!this.mau.isInserted(silent)) this.#beaconed.add(silent);
  }

  #note(at: number, event: StationEvent, position: number, text?: string | number): void {
    const { id } = this.stations[position] as RingStation;
    const t = at - this.#startedAt;
    this.#put(t, (records) => records.addEvent(t, event, id, text));
  }

  #text(position: number, text: string, at: number): void {
    const verdict = this.#limits[position]?.take(at);
    if (verdict === "show") this.#note(at, "console", position, text.slice(0, LONGEST_TEXT));
    if (verdict === "last") {
      this.#note(at, "console", position, "so much text comes that the rest is left out: a wrong baud rate?");
    }
  }

  #lost(position: number, reason: string): void {
    if (this.#stopped) return;
    this.#note(hostClock(), "crash", position, reason.slice(0, LONGEST_TEXT));
    this.bypass(position, "closed");
  }

  /** Power that an action switched off is not meant: only ports that are gone. */
  #countGone(position: number): void {
    if (this.#stopped) return;
    this.#gone.add(position);
    if (this.#gone.size === this.stations.length) {
      this.#stopAllGone = hostTimers.after(ALL_GONE_MS, this.#allGone);
    }
  }

  async #back(position: number, bootId: number): Promise<void> {
    this.#gone.delete(position);
    this.#stopAllGone();
    this.#heardAt[position] = hostClock();
    const station = this.stations[position] as RingStation;
    const before = this.#boots.get(position);
    this.#boots.set(position, bootId);
    if (before !== bootId) {
      this.#refused[position]?.forget();
      this.#note(hostClock(), "restart", position, bootId);
    }
    await station.attach(this.#epoch);
    if (await station.start(this.#config(station))) this.insert(position, "open");
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
