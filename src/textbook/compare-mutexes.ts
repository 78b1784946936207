/** Measures the textbook's tables of mutual exclusion on any ring. */

import { mutexNamed } from "./algorithms.ts";
import { type Bounds, judge } from "./bounds.ts";
import type { ContendedRow, PerEntryRow, SimultaneousRow } from "./comparison.ts";
import { CONTENDED } from "./contended-trace.ts";
import { entriesOf, violationsOf } from "./counts.ts";
import type { EntryCase } from "./descriptor.ts";
import { delaysOf } from "./message-times.ts";
import { costOf } from "./run-mutex.ts";
import type { MutexRun, MutexTask, Runner } from "./runner.ts";

/** The cases of an algorithm; one entry of the lowest id where it names none. */
function casesOf(algorithm: string, ids: readonly number[]): EntryCase[] {
  return mutexNamed(algorithm).cases?.(ids) ?? [{ name: "", requester: Math.min(...ids) }];
}

/** Runs one entry for each case of an algorithm, and one with a second station that waits. */
export async function perEntry(
  algorithm: string,
  ids: readonly number[],
  run: Runner,
  seed: number,
): Promise<PerEntryRow[]> {
  const rows: PerEntryRow[] = [];
  for (const { name, requester, tokenAt } of casesOf(algorithm, ids)) {
    const place = tokenAt === undefined ? {} : { tokenAt };
    const task = { algorithm, ids, batches: [[requester]], seed, ...place };
    const alone = await run(task);
    const batch = alone.batches[0] ?? { from: 0, to: 0, holder: -1 };
    const { messages, hops } = costOf(alone.records, algorithm, batch);
    const waiter = ids[(ids.indexOf(requester) + Math.max(1, ids.length >> 1)) % ids.length] as number;
    const two = await run({ ...task, batches: [[requester, waiter]] });
    const twoBatch = two.batches[0] ?? batch;
    const [entry] = entriesOf(alone.records, batch);
    const bounds = theoryOf(task, alone, 0);
    rows.push({
      algorithm,
      stations: ids.length,
      case: name,
      messages: messages.total,
      theory: numberOf(bounds),
      hops,
      delay: delaysOf(alone.records, algorithm, batch).entry,
      synchronisation:
        waiter === requester ? null : delaysOf(two.records, algorithm, twoBatch).synchronisation,
      delayMs: entry ? Math.round(entry.entered - entry.requested) / 1000 : null,
      matches: isGood(alone) && isGood(two) && judge(bounds, messages.total).matches,
    });
  }
  return rows;
}

/** Runs a batch of stations that ask at the same instant: the first ids of the ring. */
export async function simultaneous(
  algorithm: string,
  ids: readonly number[],
  contenders: number,
  run: Runner,
  seed: number,
): Promise<SimultaneousRow> {
  const task = { algorithm, ids, batches: [ids.slice(0, contenders)], seed };
  const done = await run(task);
  const { messages, hops } = costOf(done.records, algorithm, done.batches[0] ?? { from: 0, to: 0 });
  const bounds = theoryOf(task, done, 0);
  return {
    algorithm,
    stations: ids.length,
    contenders,
    messages: messages.total,
    theory: bounds.least === bounds.most ? bounds.least : null,
    perEntry: messages.total / contenders,
    hops,
    matches: isGood(done) && judge(bounds, messages.total).matches,
  };
}

/** Runs the contended trace: every batch as real contention, one after the other. */
export async function contended(
  algorithm: string,
  mean: string,
  ids: readonly number[],
  run: Runner,
  seed: number,
): Promise<ContendedRow> {
  const batches = (CONTENDED[mean] ?? []).map((batch) => batch.map((k) => ids[k - 1] as number));
  const task = { algorithm, ids, batches, seed };
  const done = await run(task);
  let messages = 0;
  const sum: Bounds = { least: 0, most: 0, formula: "" };
  done.batches.forEach((batch, k) => {
    messages += costOf(done.records, algorithm, batch).messages.total;
    const bounds = theoryOf(task, done, k);
    sum.least += bounds.least;
    sum.most += bounds.most;
  });
  return {
    algorithm,
    meanContenders: Number(mean),
    stations: ids.length,
    entries: entriesOf(done.records).length,
    messages,
    theory: sum.least === sum.most ? sum.least : null,
    matches: isGood(done) && judge(sum, messages).matches,
  };
}

function theoryOf(task: MutexTask, run: MutexRun, k: number): Bounds {
  const contenders = task.batches[k] ?? [];
  const holder = run.batches[k]?.holder ?? -1;
  return mutexNamed(task.algorithm).theory({
    ids: task.ids,
    contenders,
    coordinator: run.coordinator,
    holder,
  });
}

function numberOf({ most }: Bounds): number | null {
  return Number.isFinite(most) ? most : null;
}

function isGood(run: MutexRun): boolean {
  return run.unserved.length === 0 && violationsOf(entriesOf(run.records)).length === 0;
}
