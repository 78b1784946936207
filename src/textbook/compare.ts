/** Measures the textbook's tables, all of them or some algorithms and sizes. */
import { quote, UsageError } from "../errors.ts";
import { mutexNames } from "../protocols/registry.ts";
import { consecutiveIds } from "../simulation/plan.ts";
import { comparedAlgorithms, electionAlgorithms } from "./algorithms.ts";
import { contended, perEntry, simultaneous } from "./compare-mutexes.ts";
import type { Comparison, ElectionRow } from "./comparison.ts";
import { CONTENDED, CONTENDED_STATIONS } from "./contended-trace.ts";
import type { ElectionRing } from "./descriptor.ts";
import { runElection } from "./run-election.ts";
import type { Runner } from "./runner.ts";
import { runSimulated } from "./simulated-ring.ts";

export interface CompareTask {
  /** Sizes of the rings; the textbook's are 4, 9, 16, 25 and 100. */
  stations: readonly number[];
  /** Names of comparedAlgorithms(). */
  algorithms: readonly string[];
  /** Stations that ask at the same instant in the second table; fewer in a smaller ring. */
  contenders: number;
  seed: number;
}

/** What fits a ring that is there already: its own size, no trace of eight stations, no elections. */
export interface CompareOnTask extends Omit<CompareTask, "stations"> {
  /** Ids in ring order. */
  ids: readonly number[];
}

/** The sizes of the textbook's table. */
export const SIZES: readonly number[] = [4, 9, 16, 25, 100];

/** @returns every algorithm of this process on rings of these sizes */
export function defaultTask(): CompareTask {
  const algorithms = comparedAlgorithms().map(({ name }) => name);
  return { stations: SIZES, algorithms, contenders: 4, seed: 1 };
}

/**
 * @param run the ring; the simulation when left out
 * @param progress told what is measured next
 * @throws UsageError for an algorithm that does not exist, or a ring that is too small
 */
export async function compare(
  task: CompareTask,
  run: Runner = runSimulated,
  progress: (what: string) => void = () => {},
): Promise<Comparison> {
  checkTask(task);
  const { seed, contenders } = task;
  const mutexes = mutexNames().filter((name) => task.algorithms.includes(name));
  const result: Comparison = {
    perEntry: [],
    simultaneous: [],
    contended: [],
    elections: [],
    matches: false,
  };
  for (const stations of task.stations) {
    const on = { ids: consecutiveIds(stations), algorithms: mutexes, contenders, seed };
    const tables = await compareOn(on, run, progress);
    result.perEntry.push(...tables.perEntry);
    result.simultaneous.push(...tables.simultaneous);
  }
  for (const mean of Object.keys(CONTENDED)) {
    for (const name of mutexes) {
      progress(`${name}, trace with ${mean} contenders on average`);
      result.contended.push(await contended(name, mean, consecutiveIds(CONTENDED_STATIONS), run, seed));
    }
  }
  for (const { name, rings } of electionAlgorithms()) {
    if (!task.algorithms.includes(name)) continue;
    for (const ring of rings) result.elections.push(...elections(name, ring, seed));
  }
  const rows = [result.perEntry, result.simultaneous, result.contended, result.elections].flat();
  result.matches = rows.every(({ matches }) => matches);
  return result;
}

/**
 * Measures the two tables that any ring allows.
 * @throws UsageError for an algorithm that is no mutual exclusion, or a ring that is too small
 */
export async function compareOn(
  task: CompareOnTask,
  run: Runner,
  progress: (what: string) => void = () => {},
): Promise<Pick<Comparison, "perEntry" | "simultaneous">> {
  const { ids, algorithms, seed } = task;
  checkTask({ ...task, stations: [ids.length] });
  const names = mutexNames();
  const election = algorithms.find((name) => !names.includes(name));
  if (election !== undefined) {
    throw new UsageError(`${quote(election)} is an election: these tables are of ${names.join(", ")}`);
  }
  const tables: Pick<Comparison, "perEntry" | "simultaneous"> = { perEntry: [], simultaneous: [] };
  for (const name of names.filter((one) => algorithms.includes(one))) {
    progress(`${name}, ${ids.length} stations`);
    tables.perEntry.push(...(await perEntry(name, ids, run, seed)));
    const contenders = Math.min(task.contenders, ids.length);
    tables.simultaneous.push(await simultaneous(name, ids, contenders, run, seed));
  }
  return tables;
}

/** One election from each live starter. */
function elections(algorithm: string, { stations, down }: ElectionRing, seed: number): ElectionRow[] {
  const ids = consecutiveIds(stations);
  const starters = ids.filter((id) => !down.includes(id));
  return starters.map((starter) => {
    const { messages, textbook, hops, coordinator, agreed } = runElection({
      algorithm,
      ids,
      down,
      starters: [starter],
      seed,
    });
    return {
      algorithm,
      stations,
      down,
      starter,
      messages: messages.total,
      theory: textbook.total,
      hops,
      coordinator,
      matches: agreed && textbook.matches,
    };
  });
}

function checkTask({ algorithms, stations, contenders }: CompareTask): void {
  const names = comparedAlgorithms().map(({ name }) => name);
  const unknown = algorithms.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`${quote(unknown)} is no algorithm: use some of ${names.join(", ")}`);
  }
  const small = stations.find((n) => !(n >= 2));
  if (small !== undefined)
    throw new UsageError(`a ring to compare on needs 2 stations or more, not ${small}`);
  if (!(contenders >= 1)) throw new UsageError(`at least 1 station must ask, not ${contenders}`);
}
