/** A station in this process, against the wall clock: for rings of boards and simulated stations on one hub. */
import { crc32 } from "../../../firmware/crc32.js";
import { decode, encode } from "../../../firmware/frame.js";
import { frameTypes } from "../../../firmware/registry.js";
import { sayHello } from "../../../firmware/ring/hello.js";
import {
  boot,
  createStation,
  elect,
  handleFrame,
  handleTimer,
  release,
  request,
  sendText,
} from "../../../firmware/station.js";
import type { Frame, Io, Station } from "../../../firmware/types.d.ts";
import { hostClock, hostTimers } from "../../link/time.ts";
import { Random } from "../../simulation/random.ts";
import type {
  Condition,
  RingStation,
  StationCommand,
  StationConfig,
  StationEvents,
  StationFault,
} from "./ring-station.ts";

const COMMANDS = { request, release, elect, hello: sayHello };

export class SimulatedStation implements RingStation, Io {
  readonly id: number;
  readonly where = "simulated";
  events!: StationEvents;
  condition: Condition = "running";
  #station: Station | null = null;
  #config = "";
  #bootId: number;
  /** Highest epoch that the host knows. */
  #epoch = 0;
  /** Timers that came due while it stood still, the earliest first. */
  #due: string[] = [];
  #endPause = () => {};
  #deadlines = new Map<string, () => void>();
  readonly #random: Random;

  constructor(id: number, seed: number) {
    this.id = id;
    this.#random = new Random(seed, id);
    this.#bootId = this.#random.below(1_000_000);
  }

  send(_s: Station, frame: Frame): void;
  send(to: number, text: string): Promise<boolean>;
  send(first: Station | number, second: Frame | string): void | Promise<boolean> {
    if (typeof first === "number") {
      const station = this.#running;
      if (station) sendText(this, station, first, String(second));
      return Promise.resolve(station !== null);
    }
    this.events.transmit(encode(second as Frame, crc32).trimEnd(), hostClock());
  }

  arm(s: Station, timer: string, ms: number): void {
    this.disarm(s, timer);
    this.#deadlines.set(
      timer,
      hostTimers.after(ms, () => {
        this.#deadlines.delete(timer);
        if (this.condition === "still") this.#due.push(timer);
        else if (this.#station) handleTimer(this, this.#station, timer);
      }),
    );
  }

  disarm(_s: Station, timer: string): void {
    this.#deadlines.get(timer)?.();
    this.#deadlines.delete(timer);
    this.#due = this.#due.filter((name) => name !== timer);
  }

  record(_s: Station, event: string, ...values: (number | string | undefined)[]): void {
    const at = hostClock();
    this.events.record(event, values.filter((v) => v !== undefined).map(String), at, at);
  }

  now(): number {
    return hostClock() / 1000;
  }

  random(): number {
    return this.#random.next();
  }

  async start(config: StationConfig): Promise<boolean> {
    const text = JSON.stringify(config);
    if (text === this.#config) return true;
    this.#config = text;
    this.#station = createStation(this.id, config.settings);
    boot(this, this.#station, this.#bootId, this.#epoch);
    return true;
  }

  deliver(line: string, done: (at: number | null) => void): void {
    // In its own turn: a ring of nothing but these would call itself without end.
    hostTimers.after(0, () => {
      const frame = decode(line, crc32, frameTypes);
      const station = this.#running;
      done(station && hostClock());
      if (!station) return;
      if (typeof frame === "string") this.record(station, "bad", frame);
      else handleFrame(this, station, frame);
    });
  }

  async command(name: StationCommand): Promise<boolean> {
    const station = this.#running;
    if (station) COMMANDS[name](this, station);
    return station !== null;
  }

  async fault(kind: StationFault, ms = 0): Promise<boolean> {
    if (kind === "resume") this.#goOn();
    else if (kind === "crash" || kind === "restart") {
      this.#forget();
      this.condition = "dead";
      if (kind === "restart") this.#bootId = this.#random.below(1_000_000);
    } else if (this.condition === "running") {
      this.condition = "still";
      if (kind === "pause") this.#endPause = hostTimers.after(ms, () => this.#goOn());
    }
    return true;
  }

  async attach(epoch: number): Promise<boolean> {
    // One that has no power yet begins with it.
    if (epoch > this.#epoch) this.#epoch = epoch;
    return this.#running !== null;
  }

  async reconnect(): Promise<number> {
    this.condition = "running";
    return this.#bootId;
  }

  async stop(): Promise<void> {
    this.#forget();
  }

  get #running(): Station | null {
    return this.condition === "running" ? this.#station : null;
  }

  #goOn(): void {
    if (this.condition !== "still" || !this.#station) return;
    this.#endPause();
    this.condition = "running";
    this.record(this.#station, "fault", "resume");
    while (this.#due.length) handleTimer(this, this.#station, this.#due.shift() as string);
  }

  /** What it knew is gone. */
  #forget(): void {
    this.#endPause();
    for (const cancel of this.#deadlines.values()) cancel();
    this.#deadlines.clear();
    this.#due = [];
    this.#station = null;
    this.#config = "";
  }
}
