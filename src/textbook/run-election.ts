/** One election on a simulated ring, counted beside the textbook's numbers. */
import { hopMs } from "../../firmware/limits.js";
import { elect } from "../../firmware/station.js";
import { quote, UsageError } from "../errors.ts";
import { RecordColumns } from "../log/columns.ts";
import { electionNames, frameTypesOf } from "../protocols/registry.ts";
import { DEFAULT_PLAN, timing } from "../simulation/plan.ts";
import { crash } from "../simulation/power.ts";
import { Simulation } from "../simulation/simulation.ts";
import { electionNamed } from "./algorithms.ts";
import { judge, type Verdict } from "./bounds.ts";
import { countEvents, countHops, countMessages, type Messages } from "./counts.ts";
import type { ElectionCase } from "./descriptor.ts";
import { RESTFUL } from "./simulated-ring.ts";

export interface ElectionTask extends ElectionCase {
  /** One of electionNames(). */
  algorithm: string;
  seed?: number;
}

export interface ElectionResult {
  /** What the live stations agreed on; -1 when they did not. */
  coordinator: number;
  agreed: boolean;
  messages: Messages;
  /** Messages that a time limit made a station send again; the textbook knows none. */
  retries: number;
  hops: number;
  /** Ring election: the list that came back to each starter. */
  lists: { [starter: string]: number[] };
  textbook: Verdict;
  records: RecordColumns;
}

/**
 * Lets the starters begin at the same instant, on a ring whose `down` stations are dead, and runs until the live ones
 * agree and no message is under way.
 * @throws UsageError for an algorithm, a starter or a dead station that does not exist
 */
export function runElection(task: ElectionTask): ElectionResult {
  checkElection(task);
  const records = new RecordColumns();
  const plan = {
    ...DEFAULT_PLAN,
    ids: [...task.ids],
    election: task.algorithm,
    preemptMs: -1,
    limits: RESTFUL,
    seed: task.seed ?? DEFAULT_PLAN.seed,
  };
  const sim = new Simulation(plan, records);
  const types = frameTypesOf(task.algorithm);
  const n = plan.ids.length;
  const slice = Math.ceil(2000 * n * hopMs(timing(plan), 46 + 6 * n));

  sim.bootAll();
  for (const id of task.down) crash(sim, sim.positionOf(id));
  // Until every station has taken its place.
  sim.runUntil(10_000 * sim.settings.limits.probe);
  for (const id of task.starters) elect(sim, sim.station(id));
  const deadline = sim.clock.now + 10_000 * sim.settings.limits.election;
  let span: { from: number; to: number };
  do {
    span = { from: records.length, to: records.length };
    sim.runUntil(sim.clock.now + slice);
    span.to = records.length;
  } while (
    sim.clock.now < deadline &&
    (agreedOn(sim) < 0 || countMessages(records, span).total > 0 || countHops(records, types, span) > 0)
  );

  const coordinator = agreedOn(sim);
  const messages = countMessages(records);
  return {
    coordinator,
    agreed: coordinator >= 0,
    messages,
    retries: countEvents(records, "retry"),
    hops: countHops(records, types),
    lists: listsOf(records),
    textbook: judge(electionNamed(task.algorithm).theory(task), messages.total),
    records,
  };
}

/** @returns the coordinator that every running station knows, -1 when they differ */
function agreedOn(sim: Simulation): number {
  const known = new Set(sim.stations.filter((_, p) => sim.power[p] === 0).map((s) => s.coordinator));
  return known.size === 1 ? ([...known][0] as number) : -1;
}

/** The lists of the Ring election, each as it came back to its starter. */
function listsOf(records: RecordColumns): { [starter: string]: number[] } {
  const lists: { [starter: string]: number[] } = {};
  for (let i = 0; i < records.length; i++) {
    if (records.event[i] !== 0 || records.frameTypes[records.type[i] as number] !== "ELN") continue;
    const [, ...ids] = records.frame(i).args as number[];
    if (ids[0] === records.peer[i]) lists[String(ids[0])] = ids;
  }
  return lists;
}

function checkElection({ algorithm, ids, down, starters }: ElectionTask): void {
  const names = electionNames();
  if (!names.includes(algorithm)) {
    throw new UsageError(`${quote(algorithm)} is no election: use one of ${names.join(", ")}`);
  }
  for (const id of [...down, ...starters]) {
    if (!ids.includes(id))
      throw new UsageError(`station ${quote(id)} is not in this ring: its ids are ${ids.join(", ")}`);
  }
  const dead = starters.find((id) => down.includes(id));
  if (dead !== undefined) throw new UsageError(`station ${dead} is down and cannot start an election`);
  if (starters.length === 0) throw new UsageError("nobody starts the election: name at least one starter");
}
