/**
 * A ring of stations in process: the unchanged firmware on a virtual clock. Plan, script and seed determine the run.
 */
import { installAll } from "../../firmware/protocols.js";
import { frameTypes, timers as timerHandlers } from "../../firmware/registry.js";
import { boot, createStation, handleFrame, handleTimer } from "../../firmware/station.js";
import type { Frame, Io, Settings, Station } from "../../firmware/types.d.ts";
import type { RecordColumns } from "../log/columns.ts";
import { HOST, type StationEvent } from "../log/records.ts";
import { VirtualClock } from "./clock.ts";
import { Codec } from "./codec.ts";
import { GuardedResource } from "./guarded-resource.ts";
import { LinkFaults } from "./link-faults.ts";
import { Mau } from "./mau.ts";
import { Medium } from "./medium.ts";
import { type Plan, settingsOf } from "./plan.ts";
import { Random } from "./random.ts";
import { TimerTable } from "./timers.ts";

installAll();

/** What a station's power and processor are doing. */
export const RUNNING = 0;
export const DEAD = 1;
/** Powered, but it neither hears nor says anything until it is restarted or goes on. */
export const STOPPED = 2;

/** What keeps a station's own frames from its successor; bits of `cut`. */
export const LINK_CUT = 1;
/** The hub carries no frame of a station that it has bypassed. */
export const NOT_CARRIED = 2;

export class Simulation implements Io {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly clock = new VirtualClock();
  readonly random32: Random;
  readonly stations: Station[];
  readonly mau: Mau;
  readonly medium: Medium;
  readonly timers: TimerTable;
  readonly records: RecordColumns;
  /** RUNNING, DEAD or STOPPED, per position. */
  readonly power: Uint8Array;
  /** Sum of LINK_CUT and NOT_CARRIED, per position; 0: its frames reach the successor. */
  readonly cut: Uint8Array;
  /** 1: nothing reaches this position, though it may send. */
  readonly deaf: Uint8Array;
  /** How often a station has been made to stand still, and the number of that at each position. */
  stops = 0;
  readonly stoppedBy: Uint32Array;
  /** What is written under the critical section; only there when leases are on. */
  readonly resource: GuardedResource | null;
  /** Highest epoch that the host has seen in a record: what it tells a station that restarts. */
  highestEpoch = 0;
  /** Positions by id, -1 where there is none. */
  readonly #positionOf: Int32Array;
  /** Actions that are due; undefined: free for another. */
  readonly #actions: (((sim: Simulation) => void) | undefined)[] = [];
  readonly #freeActions: number[] = [];
  /** What stands on the link before a position, and takes its frames first. */
  #before: Map<number, (frame: Frame) => void> | null = null;
  readonly #clockRate: Float64Array;
  readonly #clockOffset: Float64Array;
  #skewed = false;
  #linkFaults: LinkFaults | null = null;

  /** @param records where the run's records go */
  constructor(plan: Plan, records: RecordColumns) {
    this.plan = plan;
    this.settings = settingsOf(plan);
    this.records = records;
    const n = plan.ids.length;
    this.random32 = new Random(plan.seed);
    this.#positionOf = new Int32Array(plan.ids.reduce((a, b) => Math.max(a, b), 0) + 1).fill(-1);
    plan.ids.forEach((id, position) => {
      this.#positionOf[id] = position;
    });
    this.stations = plan.ids.map((id) => createStation(id, this.settings));
    this.mau = new Mau(n);
    this.power = new Uint8Array(n);
    this.cut = new Uint8Array(n);
    this.deaf = new Uint8Array(n);
    this.stoppedBy = new Uint32Array(n);
    this.resource = plan.leaseMs > 0 ? new GuardedResource() : null;
    this.#clockRate = new Float64Array(n).fill(1);
    this.#clockOffset = new Float64Array(n);
    this.timers = new TimerTable(this.clock, n, [...Object.keys(timerHandlers), "critical"]);
    const host = {
      mau: this.mau,
      ids: plan.ids,
      canCarry: (from: number, to: number) =>
        this.cut[from] === 0 && this.power[to] === RUNNING && this.deaf[to] === 0,
      receive: (position: number, frame: Frame) => {
        const first = this.#before?.get(position);
        if (first) first(frame);
        else handleFrame(this, this.stations[position] as Station, frame);
      },
      refuse: (position: number, cause: string) => this.note("bad", plan.ids[position] as number, cause),
    };
    this.medium = new Medium(host, this.clock, new Codec(frameTypes), records, plan, this.timers.slots);
  }

  // What a station can do to the world.

  send(s: Station, frame: Frame): void {
    this.medium.send(this.#positionOf[s.id] as number, frame);
  }

  arm(s: Station, timer: string, ms: number): void {
    const position = this.#positionOf[s.id] as number;
    const micros = Math.ceil(ms * 1000);
    this.timers.arm(
      position,
      timer,
      this.clock.now + (this.#skewed ? Math.ceil(micros / (this.#clockRate[position] as number)) : micros),
    );
  }

  disarm(s: Station, timer: string): void {
    this.timers.disarm(this.#positionOf[s.id] as number, timer);
  }

  record(s: Station, event: string, a?: number | string, b?: number | string, c?: number | string): void {
    if (event === "regenerated" && (a as number) > this.highestEpoch) this.highestEpoch = a as number;
    this.records.addEvent(this.clock.now, event as StationEvent, s.id, a, b, c);
    if (this.resource) this.#guard(this.resource, s, event);
  }

  now(s: Station): number {
    if (!this.#skewed) return this.clock.now / 1000;
    const position = this.#positionOf[s.id] as number;
    return (
      (this.clock.now * (this.#clockRate[position] as number) + (this.#clockOffset[position] as number)) /
      1000
    );
  }

  random(): number {
    return this.random32.next();
  }

  // What the outside does to the ring.

  /** @returns the station's position in the ring, -1 when no station has this id */
  positionOf(id: number): number {
    return this.#positionOf[id] ?? -1;
  }

  /** @throws Error when no station has this id */
  station(id: number): Station {
    const s = this.stations[this.positionOf(id)];
    if (!s) throw new Error(`no station has the id ${id}`);
    return s;
  }

  /** Powers up every inserted station that is running. */
  bootAll(): void {
    for (let i = 0; i < this.stations.length; i++) if (this.power[i] === RUNNING) this.boot(i);
  }

  /** Powers up the station at a position, with a new state and a new boot id. */
  boot(position: number): void {
    const id = this.plan.ids[position] as number;
    const s = createStation(id, this.settings);
    this.stations[position] = s;
    this.power[position] = RUNNING;
    boot(this, s, this.random32.below(1_000_000), this.highestEpoch);
  }

  /** Adds a record that no station made. */
  note(
    event: StationEvent,
    station = HOST,
    a?: number | string,
    b?: number | string,
    c?: number | string,
  ): void {
    this.records.addEvent(this.clock.now, event, station, a, b, c);
  }

  /** Runs a function at a time, in microseconds, behind what is already due then. */
  at(micros: number, action: (sim: Simulation) => void): void {
    const i = this.#freeActions.pop() ?? this.#actions.length;
    this.#actions[i] = action;
    this.clock.schedule(micros, -i - 1);
  }

  /** A frame arrives at a station from what stands before it; one without power takes none. */
  receive(position: number, frame: Frame): void {
    if (this.power[position] === RUNNING && this.deaf[position] === 0)
      handleFrame(this, this.stations[position] as Station, frame);
  }

  /** From now on the frames for a position go to `first`. */
  intercept(position: number, first: (frame: Frame) => void): void {
    this.#before ??= new Map();
    this.#before.set(position, first);
  }

  /** Every frame goes straight to its station again. */
  endIntercepts(): void {
    this.#before = null;
  }

  /** Does it stand on the link before the position? */
  intercepts(position: number, first: (frame: Frame) => void): boolean {
    return this.#before?.get(position) === first;
  }

  /** Lets a station's clock run at a rate, seconds per second, from now on. */
  drift(position: number, rate: number): void {
    const before = this.#clockRate[position] as number;
    if (rate === before) return;
    this.#skewed = true;
    this.#clockOffset[position] = (this.#clockOffset[position] as number) + this.clock.now * (before - rate);
    this.#clockRate[position] = rate;
  }

  /** Sets a station's clock forward, or back, but never before its start. */
  jump(position: number, micros: number): void {
    this.#skewed = true;
    const offset = (this.#clockOffset[position] as number) + micros;
    this.#clockOffset[position] = Math.max(offset, -this.clock.now * (this.#clockRate[position] as number));
  }

  /** Disturbances of links; the first use puts them between stations and links. */
  get linkFaults(): LinkFaults {
    if (this.#linkFaults) return this.#linkFaults;
    const faults = new LinkFaults(this.random32);
    this.#linkFaults = faults;
    this.medium.disturber = (position, frame) => faults.decide(position, frame, this.clock.now);
    return faults;
  }

  /** Handles the next thing that is due. @returns false when nothing ever is */
  step(): boolean {
    if (!this.clock.pending) return false;
    const code = this.clock.take();
    if (code >= this.timers.slots) this.medium.arrive(code - this.timers.slots);
    else if (code >= 0) {
      const name = this.timers.due(code);
      if (name) handleTimer(this, this.stations[this.timers.position(code)] as Station, name);
    } else this.#act(-code - 1);
    return true;
  }

  #act(i: number): void {
    const action = this.#actions[i] as (sim: Simulation) => void;
    this.#actions[i] = undefined;
    this.#freeActions.push(i);
    action(this);
  }

  /** An entry opens the resource, an exit is the write at its end. */
  #guard(resource: GuardedResource, s: Station, event: string): void {
    const verdict =
      event === "enter"
        ? resource.open(s.fenceEpoch, s.fenceGrant)
        : event === "exit"
          ? resource.write(s.fenceEpoch, s.fenceGrant)
          : "";
    if (verdict) this.records.addEvent(this.clock.now, "write", s.id, s.fenceEpoch, s.fenceGrant, verdict);
  }

  /** Runs until a time, in microseconds, and stops there. */
  runUntil(micros: number): void {
    while (this.clock.peek() <= micros) this.step();
    this.clock.advance(micros);
  }
}
