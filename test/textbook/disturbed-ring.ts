/** A ring whose links delay frames at random and whose stations ask again and again, for the property tests. */
import { request } from "../../firmware/station.js";
import type { Frame } from "../../firmware/types.d.ts";
import type { Disturber } from "../../src/simulation/medium.ts";
import type { Plan } from "../../src/simulation/plan.ts";
import { Random } from "../../src/simulation/random.ts";
import { RUNNING, type Simulation } from "../../src/simulation/simulation.ts";
import { countEvents, type Entry, entriesOf, violationsOf } from "../../src/textbook/counts.ts";
import { electedRing, textbookPlan } from "../../src/textbook/simulated-ring.ts";
import { whyWaiting } from "../../src/textbook/waiting.ts";

export interface Disturbed {
  algorithm: string;
  ids: readonly number[];
  seed: number;
  /** Those that ask; all when left out. */
  askers?: readonly number[];
  /** Entries that each station asks for; 1 means that all ask at the same instant. */
  times?: number;
  /** Longest delay of a frame on a link, in frame times of about 10 ms. */
  slow?: number;
  /** Puts each frame of these types on its first link twice. */
  double?: readonly string[];
  plan?: Partial<Plan>;
  /** Called when the ring is ready, before anyone asks. */
  prepare?(sim: Simulation, random: Random): void;
  /** Runs for so long at least, ms. */
  leastMs?: number;
  /** Runs for so long without an exit before it gives up, ms. */
  patienceMs?: number;
}

export interface Outcome {
  entries: Entry[];
  violations: string[];
  /** Stations that run, and still want to enter or are inside. */
  waiting: number[];
  reasons: string[];
  sim: Simulation;
}

const FRAME_MICROS = 10_000;

export function runDisturbed(task: Disturbed): Outcome {
  const {
    ids,
    seed,
    askers = ids,
    times = 1,
    slow = 4,
    double = [],
    patienceMs = 60_000,
    leastMs = 0,
  } = task;
  const random = new Random(seed, 7);
  const plan = { ...textbookPlan({ algorithm: task.algorithm, ids, seed }), criticalMs: 15, ...task.plan };
  const sim = electedRing(plan);
  sim.medium.disturber = disturber(random, slow, double, ids);
  task.prepare?.(sim, random);
  const left = new Map(askers.map((id) => [id, times]));
  const ask = (id: number): void => {
    const position = sim.positionOf(id);
    const s = sim.stations[position];
    if (!s || !left.get(id)) return;
    if (sim.power[position] === RUNNING && !s.wants && !s.inside) {
      left.set(id, (left.get(id) ?? 0) - 1);
      request(sim, s);
    }
    sim.at(sim.clock.now + random.below(20 * FRAME_MICROS), () => ask(id));
  };
  for (const id of askers) {
    if (times === 1) ask(id);
    else sim.at(sim.clock.now + random.below(20 * FRAME_MICROS), () => ask(id));
  }
  const waiting = () => askers.filter((id) => isWaiting(sim, id, left.get(id) ?? 0));
  let movedAt = sim.clock.now;
  const least = movedAt + 1000 * leastMs;
  while (sim.clock.now < least || (waiting().length > 0 && sim.clock.now - movedAt < 1000 * patienceMs)) {
    const from = sim.records.length;
    sim.runUntil(sim.clock.now + 20 * FRAME_MICROS);
    if (countEvents(sim.records, "exit", { from, to: sim.records.length })) movedAt = sim.clock.now;
  }
  // Lets what is under way arrive: a late message may still do harm.
  sim.runUntil(sim.clock.now + 200 * FRAME_MICROS);
  const entries = entriesOf(sim.records);
  return {
    entries,
    violations: violationsOf(entries),
    waiting: waiting(),
    reasons: whyWaiting(sim),
    sim,
  };
}

function isWaiting(sim: Simulation, id: number, left: number): boolean {
  const position = sim.positionOf(id);
  const s = sim.stations[position];
  return sim.power[position] === RUNNING && s !== undefined && (left > 0 || s.wants || s.inside);
}

function disturber(
  random: Random,
  slow: number,
  double: readonly string[],
  ids: readonly number[],
): Disturber {
  return (position: number, frame: Frame) => {
    const delay = slow && random.below(3) === 0 ? random.below(slow * FRAME_MICROS) : 0;
    const duplicate = double.includes(frame.type) && frame.src === ids[position] && frame.flags === 0;
    return delay || duplicate ? { delay, duplicate } : null;
  };
}
