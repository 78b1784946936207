/**
 * A second board with an id that the ring has already: wired in on the link before a station, it runs the same firmware and
 * powers up at once. The ring's own links and timers are not for it, since they go by ids.
 */
import { crc32 } from "../../firmware/crc32.js";
import { encode } from "../../firmware/frame.js";
import { boot, createStation, handleFrame, handleTimer } from "../../firmware/station.js";
import type { Frame, Io, Station } from "../../firmware/types.d.ts";
import type { StationEvent } from "../log/records.ts";
import type { Simulation } from "./simulation.ts";

export class Twin implements Io {
  readonly #sim: Simulation;
  readonly #station: Station;
  readonly #successor: number;
  /** Number of each timer's latest deadline; an earlier one has been replaced. */
  readonly #armed = new Map<string, number>();
  #count = 0;
  #lastArrival = 0;
  /** What it sends now is what it has just got, unchanged: a wire. */
  #passing = false;

  /** @param successor position of the station that hears it */
  constructor(sim: Simulation, id: number, successor: number) {
    this.#sim = sim;
    this.#successor = successor;
    this.#station = createStation(id, sim.settings);
  }

  powerUp(): void {
    this.#sim.intercept(this.#successor, this.receive);
    boot(this, this.#station, this.#sim.random32.below(1_000_000), 0);
  }

  /** A frame for the successor passes here first. */
  readonly receive = (frame: Frame): void => {
    this.#passing = this.#station.bypassed;
    handleFrame(this, this.#station, frame);
    this.#passing = false;
  };

  send(s: Station, frame: Frame): void {
    const { clock, medium, plan, records } = this.#sim;
    const to = plan.ids[this.#successor] as number;
    const copy = { ...frame, args: frame.args.slice() };
    const took = Math.ceil((encode(copy, crc32).length * 10_000_000) / plan.baud);
    // What only passes is on the record already, as it came from the station before.
    const passing = this.#passing;
    if (medium.witness && !passing) records.addFrame(clock.now, "transmitted", s.id, to, 0, copy);
    const arrival = Math.max(this.#lastArrival, clock.now + plan.boardMicros + took);
    this.#lastArrival = arrival;
    this.#sim.at(arrival, () => {
      if (!this.#plugged) return;
      if (!passing) records.addFrame(arrival, "hop", s.id, to, took, copy);
      this.#sim.receive(this.#successor, copy);
    });
  }

  arm(s: Station, timer: string, ms: number): void {
    const number = ++this.#count;
    this.#armed.set(timer, number);
    this.#sim.at(this.#sim.clock.now + Math.ceil(ms * 1000), () => {
      if (this.#plugged && this.#armed.get(timer) === number) handleTimer(this, s, timer);
    });
  }

  /** Somebody may have pulled it out again. */
  get #plugged(): boolean {
    return this.#sim.intercepts(this.#successor, this.receive);
  }

  disarm(_s: Station, timer: string): void {
    this.#armed.delete(timer);
  }

  record(s: Station, event: string, a?: number | string, b?: number | string, c?: number | string): void {
    this.#sim.records.addEvent(this.#sim.clock.now, event as StationEvent, s.id, a, b, c);
  }

  now(): number {
    return this.#sim.clock.now / 1000;
  }

  random(): number {
    return this.#sim.random32.next();
  }
}
