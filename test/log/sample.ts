/** Runs of the simulated ring whose records the log's tests work on. */
import { RecordColumns } from "../../src/log/columns.ts";
import { memorySource, type RunSource } from "../../src/log/file/source.ts";
import { type RunHeader, SCHEMA } from "../../src/log/records.ts";
import { DEFAULT_PLAN, limitsOf, type Plan } from "../../src/simulation/plan.ts";
import { parseAction, schedule } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";

export interface SampleRun extends RunSource {
  columns: RecordColumns;
}

/**
 * @param actions lines of a script, such as "2s crash 5"
 * @param until virtual seconds
 */
export function sampleRun(
  actions: readonly string[] = [],
  until = 5,
  changes: Partial<Plan> = {},
): SampleRun {
  const plan = { ...DEFAULT_PLAN, ...changes };
  const columns = new RecordColumns();
  const sim = new Simulation(plan, columns);
  sim.bootAll();
  schedule(sim, actions.map(parseAction));
  sim.runUntil(until * 1e6);
  return { columns, ...memorySource(sampleHeader(plan), columns) };
}

export function sampleHeader(plan: Plan): RunHeader {
  const { seed, ids: stations, wiring, baud, election } = plan;
  return {
    schema: SCHEMA,
    program: "ringlab test",
    kind: "simulation",
    seed,
    stations,
    wiring,
    baud,
    election,
    limits: { ...limitsOf(plan) },
  };
}

/** Entries, data, the crash of the coordinator, an election, its return, a broken and mended ring. */
export const EVENTFUL = [
  "2500ms request 2,4",
  "3s crash 5",
  "5500ms send 1 3 hello",
  "6s request all",
  "7s restart 5",
  "9s cut 2",
  "11s mend 2",
  "12s request 1,3",
];
export const eventfulRun = (changes: Partial<Plan> = {}): SampleRun => sampleRun(EVENTFUL, 16, changes);
