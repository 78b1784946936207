/** Runs mutual exclusion on a simulated ring: boot, one election, then batch after batch of requests. */
import { WIDE_ELECTION } from "../../firmware/protocols.js";
import { elect, request } from "../../firmware/station.js";
import { RecordColumns } from "../log/columns.ts";
import { EVENT_CODE } from "../log/records.ts";
import { circulates, frameTypesOf } from "../protocols/registry.ts";
import { DEFAULT_PLAN, type Plan } from "../simulation/plan.ts";
import { crash } from "../simulation/power.ts";
import { Simulation } from "../simulation/simulation.ts";
import { countEvents, countHops } from "./counts.ts";
import type { MutexRun, MutexTask } from "./runner.ts";
import { whyWaiting } from "./waiting.ts";

/** How long an idle station keeps the token, ms: long enough to ask while it rests at a known place. */
const REST_MS = 1;

/** Limits that only those stations start an election that are told to: a large ring is busy for minutes, ms. */
export const RESTFUL = { standby: 1e9, quiet: 1e9 };

/** Rotations after the election in which its winner purges the ring and begins. */
const SETTLING = 8;

/**
 * Nothing moves any more when nothing has happened for so many rotations and critical sections: more than the
 * longest time for which a station waits before it tries again (firmware/mutex/decentralised.js).
 */
const PATIENCE = 120;

/** Nor does anything come of it when messages go round and nobody has left for so many times as long. */
const NO_EXIT = 5;

/** @returns the plan of a ring in which nothing happens by itself; with dead stations its own time limits hold */
export function textbookPlan(task: Pick<MutexTask, "algorithm" | "ids" | "seed" | "down">): Plan {
  return {
    ...DEFAULT_PLAN,
    ids: [...task.ids],
    election: WIDE_ELECTION,
    mutex: task.algorithm,
    holdMs: circulates(task.algorithm) ? REST_MS : 0,
    preemptMs: -1,
    limits: task.down?.length ? {} : RESTFUL,
    seed: task.seed ?? DEFAULT_PLAN.seed,
  };
}

/** @returns a ring whose highest station is the coordinator and has begun; its records start there */
export function electedRing(plan: Plan): Simulation {
  const records = new RecordColumns();
  const sim = new Simulation(plan, records);
  const coordinator = Math.max(...plan.ids);
  sim.bootAll();
  elect(sim, sim.station(coordinator));
  while (sim.stations.some((s) => s.coordinator !== coordinator)) sim.step();
  sim.runUntil(sim.clock.now + 1000 * SETTLING * sim.settings.limits.rotation);
  records.clear();
  return sim;
}

/** Runs the task; the ids must be those of the ring. */
export function runSimulated(task: MutexTask): MutexRun {
  const { algorithm } = task;
  const sim = electedRing(textbookPlan(task));
  const { records } = sim;
  const coordinator = Math.max(...task.ids);
  const run: MutexRun = { records, coordinator, batches: [], unserved: [], reasons: [] };
  for (const id of task.down ?? []) crash(sim, sim.positionOf(id));
  for (const batch of task.batches) {
    let holder = lastInside(records) ?? coordinator;
    if (circulates(algorithm) && !task.down?.length) holder = waitForToken(sim, task.tokenAt ?? holder);
    const from = records.length;
    for (const id of batch) request(sim, sim.station(id));
    run.unserved = serve(sim, batch, from);
    run.batches.push({ from, to: records.length, holder });
    if (run.unserved.length) break;
  }
  if (run.unserved.length) run.reasons = whyWaiting(sim);
  return run;
}

/** Runs until the token rests at a station. */
function waitForToken(sim: Simulation, id: number): number {
  const { token } = sim.station(id);
  while (!token.held) sim.step();
  return id;
}

/** A token that goes only where it is asked for rests where the last entry was. */
function lastInside(records: RecordColumns): number | undefined {
  for (let i = records.length - 1; i >= 0; i--) {
    if (records.event[i] === EVENT_CODE.enter) return records.station[i];
  }
  return undefined;
}

/**
 * Runs until every station of the batch has left and the links are quiet.
 * @param from record behind which the batch asked
 * @returns those that never will
 */
export function serve(sim: Simulation, batch: readonly number[], from: number): number[] {
  const { records, settings } = sim;
  const types = frameTypesOf(settings.mutex);
  const slice = Math.ceil(1000 * settings.limits.rotation);
  const patience = PATIENCE * (slice + 1000 * Math.max(0, settings.criticalMs));
  let movedAt = sim.clock.now;
  let exitAt = movedAt;
  let left = 0;
  for (;;) {
    const span = { from: records.length, to: records.length };
    sim.runUntil(sim.clock.now + slice);
    span.to = records.length;
    const exits = countEvents(records, "exit", span);
    left += exits;
    // The token of a ring goes round for ever: there only exits count as movement.
    const moved = !circulates(settings.mutex) && countHops(records, types, span) > 0;
    if (left >= batch.length && !moved) return [];
    if (exits > 0) exitAt = sim.clock.now;
    if (moved || exits > 0) movedAt = sim.clock.now;
    if (sim.clock.now - movedAt > patience || sim.clock.now - exitAt > NO_EXIT * patience) {
      return withoutExit(records, batch, from);
    }
  }
}

function withoutExit(records: RecordColumns, batch: readonly number[], from: number): number[] {
  const left = new Set<number>();
  for (let i = from; i < records.length; i++) {
    if (records.event[i] === EVENT_CODE.exit) left.add(records.station[i] as number);
  }
  return batch.filter((id) => !left.has(id));
}
