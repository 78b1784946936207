/** A station in this process, against the wall clock: for rings of boards and simulated stations on one hub. */
import { crc32 } from "../../firmware/crc32.js";
import { decode, encode } from "../../firmware/frame.js";
import { sayHello } from "../../firmware/hello.js";
import { frameTypes } from "../../firmware/registry.js";
import {
  boot,
  createStation,
  elect,
  handleFrame,
  handleTimer,
  release,
  request,
  sendText,
} from "../../firmware/station.js";
import type { Frame, Io, Station } from "../../firmware/types.d.ts";
import { hostClock, hostTimers } from "../link/time.ts";
import { Random } from "../simulation/random.ts";
import type { RingStation, StationCommand, StationConfig, StationEvents } from "./ring-station.ts";

const COMMANDS = { request, release, elect, hello: sayHello };

export class SimulatedStation implements RingStation, Io {
  readonly id: number;
  readonly where = "simulated";
  events!: StationEvents;
  #station: Station | null = null;
  #config = "";
  #deadlines = new Map<string, () => void>();
  readonly #random: Random;

  constructor(id: number, seed: number) {
    this.id = id;
    this.#random = new Random(seed, id);
  }

  send(_s: Station, frame: Frame): void;
  send(to: number, text: string): Promise<boolean>;
  send(first: Station | number, second: Frame | string): void | Promise<boolean> {
    if (typeof first === "number") {
      if (this.#station) sendText(this, this.#station, first, String(second));
      return Promise.resolve(this.#station !== null);
    }
    this.events.transmit(encode(second as Frame, crc32).trimEnd(), hostClock());
  }

  arm(_s: Station, timer: string, ms: number): void {
    this.#deadlines.get(timer)?.();
    this.#deadlines.set(
      timer,
      hostTimers.after(ms, () => {
        this.#deadlines.delete(timer);
        if (this.#station) handleTimer(this, this.#station, timer);
      }),
    );
  }

  disarm(_s: Station, timer: string): void {
    this.#deadlines.get(timer)?.();
    this.#deadlines.delete(timer);
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
    boot(this, this.#station, this.#random.below(1_000_000), 0);
    return true;
  }

  deliver(line: string, done: (at: number | null) => void): void {
    // In its own turn: a ring of nothing but these would call itself without end.
    hostTimers.after(0, () => {
      const frame = decode(line, crc32, frameTypes);
      if (!this.#station || typeof frame === "string") {
        done(null);
        return;
      }
      done(hostClock());
      handleFrame(this, this.#station, frame);
    });
  }

  async command(name: StationCommand): Promise<boolean> {
    if (this.#station) COMMANDS[name](this, this.#station);
    return this.#station !== null;
  }

  async attach(): Promise<boolean> {
    return this.#station !== null;
  }

  async reconnect(): Promise<number | null> {
    return this.#station ? this.#station.bootId : null;
  }

  async stop(): Promise<void> {
    for (const cancel of this.#deadlines.values()) cancel();
    this.#deadlines.clear();
    this.#station = null;
  }
}
