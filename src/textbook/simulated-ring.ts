/** Runs mutual exclusion on a simulated ring: boot, one election, then batch after batch of requests. */
import { protocols } from "../../firmware/registry.js";
import { elect, request } from "../../firmware/station.js";
import { RecordColumns } from "../log/columns.ts";
import { EVENT_CODE } from "../log/records.ts";
import { DEFAULT_PLAN, type Plan } from "../simulation/plan.ts";
import { Simulation } from "../simulation/simulation.ts";
import { countEvents, countHops } from "./counts.ts";
import type { MutexRun, MutexTask } from "./runner.ts";

/** How long an idle station keeps the token, ms: long enough to ask while it rests at a known place. */
const REST_MS = 1;

/** Limits that only those stations start an election that are told to: a large ring is busy for minutes, ms. */
export const RESTFUL = { standby: 1e9, quiet: 1e9 };

/** Nothing moves any more when nothing has happened for so many rotations and critical sections. */
const PATIENCE = 20;

/** @returns the plan of a ring without faults */
export function textbookPlan(task: MutexTask): Plan {
  return {
    ...DEFAULT_PLAN,
    ids: [...task.ids],
    election: "chang-roberts",
    mutex: task.algorithm,
    holdMs: task.algorithm === "token-ring" ? REST_MS : 0,
    preemptMs: -1,
    limits: RESTFUL,
    seed: task.seed ?? DEFAULT_PLAN.seed,
  };
}

/** @returns the frame types that belong to a protocol */
export function frameTypesOf(algorithm: string): string[] {
  return Object.keys(protocols.find(({ name }) => name === algorithm)?.frames ?? {});
}

/** Runs the task; the ids must be those of the ring. */
export function runSimulated(task: MutexTask): MutexRun {
  const records = new RecordColumns();
  const sim = new Simulation(textbookPlan(task), records);
  const coordinator = Math.max(...task.ids);
  sim.bootAll();
  elect(sim, sim.station(coordinator));
  while (sim.stations.some((s) => s.coordinator !== coordinator)) sim.step();
  const holder = task.algorithm === "token-ring" ? (task.tokenAt ?? coordinator) : -1;
  if (holder >= 0) {
    const { token } = sim.station(holder);
    while (!token.held) sim.step();
  }
  const run: MutexRun = { records, coordinator, holder, spans: [], unserved: [] };
  for (const batch of task.batches) {
    const from = records.length;
    for (const id of batch) request(sim, sim.station(id));
    run.unserved = serve(sim, batch, from);
    run.spans.push({ from, to: records.length });
    if (run.unserved.length) break;
  }
  return run;
}

/** Runs until every station of the batch has left and the links are quiet. @returns those that never will */
function serve(sim: Simulation, batch: readonly number[], from: number): number[] {
  const { records, settings } = sim;
  const { algorithm, types } = { algorithm: settings.mutex, types: frameTypesOf(settings.mutex) };
  const slice = Math.ceil(1000 * settings.limits.rotation);
  const patience = PATIENCE * (slice + 1000 * Math.max(0, settings.criticalMs));
  let movedAt = sim.clock.now;
  let served = 0;
  for (;;) {
    const start = records.length;
    sim.runUntil(sim.clock.now + slice);
    const span = { from: start, to: records.length };
    served += countEvents(records, "exit", span);
    // The token of a ring goes round for ever: there only entries count as movement.
    const moved = algorithm !== "token-ring" && countHops(records, types, span) > 0;
    if (served === batch.length && !moved) return [];
    if (moved || countEvents(records, "exit", span) > 0) movedAt = sim.clock.now;
    else if (sim.clock.now - movedAt > patience) return unserved(records, batch, from);
  }
}

function unserved(records: RecordColumns, batch: readonly number[], from: number): number[] {
  const done = new Set<number>();
  for (let i = from; i < records.length; i++) {
    if (records.event[i] === EVENT_CODE.exit) done.add(records.station[i] as number);
  }
  return batch.filter((id) => !done.has(id));
}
