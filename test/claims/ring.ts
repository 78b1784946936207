/** Rings that have formed, for the claims about them: what is done to one is kept as a script that repeats it. */
import { frameTypes } from "../../firmware/registry.js";
import type { Frame, Station } from "../../firmware/types.d.ts";
import { type Bound, boundOf } from "../../src/check/bounds.ts";
import { Observer } from "../../src/check/observer.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import {
  EVENT_CODE,
  type EventName,
  isFrameRecord,
  type RunRecord,
  type StationRecord,
} from "../../src/log/records.ts";
import { Codec } from "../../src/simulation/codec.ts";
import { consecutiveIds, DEFAULT_PLAN, type Plan, type Wiring } from "../../src/simulation/plan.ts";
import { parseAction, schedule } from "../../src/simulation/script/script.ts";
import { RUNNING, Simulation } from "../../src/simulation/simulation.ts";

export const WIRINGS: readonly Wiring[] = ["hub", "wired"];
export const ELECTIONS = ["bully", "ring", "chang-roberts"];

/** A ring is left alone for so many rotations after power-up. */
const FORMING_ROTATIONS = 100;
/** No ring takes longer to form. */
const LAST_ROTATION = 1000;

const codec = new Codec(frameTypes);

/** @returns the numbers from `first` to `last` */
export function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/** @returns a plan with the ids 1 to n, in which a higher id takes over only where `ringlab run` has it so */
export function planOf(n: number, wiring: Wiring, election: string, changes: Partial<Plan> = {}): Plan {
  const preemptMs = election === "bully" ? 0 : -1;
  return { ...DEFAULT_PLAN, ids: consecutiveIds(n), wiring, election, preemptMs, ...changes };
}

export class FormedRing {
  readonly sim: Simulation;
  readonly plan: Plan;
  /** Longest rotation that the ring's limits reckon with, microseconds. */
  readonly rotation: number;
  readonly records = new RecordColumns();
  readonly #observer: Observer;
  /** What was done, as options of `ringlab run`. */
  #script = "";

  /** Powers up a ring and waits until all stations agree on a coordinator, and longer. */
  constructor(plan: Plan) {
    this.plan = plan;
    this.sim = new Simulation(plan, this.records);
    this.sim.medium.witness = true;
    const { step, limits } = this.sim.settings;
    this.rotation = 1000 * limits.rotation;
    const recoveryMicros = 1000 * this.bound("several faults").ms;
    this.#observer = new Observer({ ...plan, step }, this.records, { recoveryMicros });
    this.sim.bootAll();
    this.turn(FORMING_ROTATIONS);
    while (this.disagreement() || tokensOf(this.sim).length !== 1) {
      if (this.sim.clock.now > LAST_ROTATION * this.rotation)
        throw new Error(`no ring forms: ${this.where()}`);
      this.turn(1);
    }
  }

  get now(): number {
    return this.sim.clock.now;
  }

  /** The station that has the duty of the monitor. */
  get monitor(): Station {
    return this.live().find((s) => s.monitor.duty) as Station;
  }

  /** Number of records so far. */
  get length(): number {
    return this.records.length;
  }

  /** Stations that have power, are not standing still and belong to the ring. */
  live(): Station[] {
    return liveOf(this.sim);
  }

  /** Lets the ring go on for so many rotations. */
  turn(rotations: number): void {
    this.sim.runUntil(Math.ceil(this.now + rotations * this.rotation));
  }

  /** Does a line of a script, now or so many microseconds later. */
  do(line: string, later = 0): void {
    const timed = `${Math.ceil(this.now + later)}us ${line}`;
    this.#script += ` --at "${timed}"`;
    schedule(this.sim, [parseAction(timed)]);
    if (later === 0) this.sim.runUntil(this.now);
  }

  /** Runs until a record of some kind is made. */
  to(what: (record: RunRecord) => boolean, rotations = 100): void {
    const last = this.now + rotations * this.rotation;
    for (let seen = this.length; ; ) {
      if (this.sim.clock.peek() > last || !this.sim.step())
        throw new Error(`it never comes: ${this.where()}`);
      for (; seen < this.length; seen++) if (what(this.records.get(seen))) return;
    }
  }

  /** Runs until the token has arrived at a station. */
  toToken(id: number): void {
    this.to((r) => isFrameRecord(r) && r.event === "hop" && r.type === "TOK" && r.to === id);
  }

  from(first: number): RunRecord[] {
    return range(first, this.length - 1).map((i) => this.records.get(i));
  }

  /** What stations recorded under a name since record `first`, or the host. */
  events(name: EventName, first = 0): StationRecord[] {
    const code = EVENT_CODE[name];
    const found: StationRecord[] = [];
    for (let i = first; i < this.length; i++)
      if (this.records.event[i] === code) found.push(this.records.get(i) as StationRecord);
    return found;
  }

  bound(fault: string): Bound {
    return boundOf({ ...this.plan, limits: this.sim.settings.limits }, fault);
  }

  /** @returns in what the live stations do not agree; "" when one has the duty, and all take it for the coordinator */
  disagreement(): string {
    const live = this.live();
    const duty = live.filter((s) => s.monitor.duty).map((s) => s.id);
    const coordinators = live.map((s) => `${s.id} has ${s.coordinator}`);
    const agreed = duty.length === 1 && live.every((s) => s.coordinator === duty[0]);
    return agreed ? "" : `duty [${duty.join(", ")}], coordinators: ${coordinators.join(", ")}`;
  }

  /** @returns the first thing that contradicts what is promised of every ring, in words; "" when there is none */
  violation(): string {
    const found = this.#observer.read();
    return found ? `${found.claim}: ${found.text}` : "";
  }

  /** @returns a command that repeats all that was done, and how it ends when it is told */
  where(): string {
    const { ids, wiring, election, criticalMs, preemptMs, seed } = this.plan;
    const preempt = preemptMs < 0 ? "never" : `${preemptMs}ms`;
    const ring = `--ids ${ids.join(",")} --wiring ${wiring} --election ${election} --preempt ${preempt}`;
    const end = Math.ceil(this.now / 1e6) + 1;
    return `ringlab run ${ring} --critical ${criticalMs}ms --seed ${seed}${this.#script} --duration ${end}s`;
  }
}

function liveOf(sim: Simulation): Station[] {
  return sim.stations.filter((_, i) => sim.power[i] === RUNNING && sim.mau.isInserted(i));
}

/** @returns frames of a type that are on links */
export function framesUnderWay(sim: Simulation, type: string): Frame[] {
  const { flights } = sim.medium;
  return flights.busy().flatMap((slot) => {
    if ((flights.from[slot] as number) < 0) return [];
    const frame = codec.decode(flights.buffer(slot), flights.start(slot), flights.end[slot] as number);
    return typeof frame !== "string" && frame.type === type ? [frame] : [];
  });
}

/** @returns epochs of all tokens, of whatever epoch: those that live stations hold, and those on links */
export function tokensOf(sim: Simulation): number[] {
  const held = liveOf(sim).filter(({ token }) => token.held);
  return [
    ...held.map(({ token }) => token.epoch),
    ...framesUnderWay(sim, "TOK").map(({ args }) => args[0] as number),
  ];
}

/** @returns "" for one token, of the newest epoch that a live station knows; else what there is */
export function oneToken(sim: Simulation): string {
  const tokens = tokensOf(sim);
  const newest = Math.max(...liveOf(sim).map(({ epoch }) => epoch));
  return tokens.length === 1 && tokens[0] === newest
    ? ""
    : `tokens of the epochs [${tokens.join(", ")}], newest epoch ${newest}`;
}
