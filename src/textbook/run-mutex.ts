/** One batch of requests for the critical section on a simulated ring, counted beside the textbook's numbers. */
import { boundOf, SEVERAL, serviceBound } from "../check/bounds.ts";
import { quote, UsageError } from "../errors.ts";
import type { RecordColumns } from "../log/columns.ts";
import { EVENT_CODE } from "../log/records.ts";
import { frameTypesOf, mutexNames, traitsOf } from "../protocols/registry.ts";
import { limitsOf } from "../simulation/plan.ts";
import { mutexNamed } from "./algorithms.ts";
import { judge, type Verdict } from "./bounds.ts";
import {
  countHops,
  countMessages,
  type Entry,
  entriesOf,
  type Messages,
  type Span,
  violationsOf,
} from "./counts.ts";
import { runSimulated, textbookPlan } from "./simulated-ring.ts";

export interface MutexRequest {
  algorithm: string;
  /** Ids in ring order. */
  ids: readonly number[];
  /** Ids that ask at the same instant, each once. */
  requests: readonly number[];
  seed?: number;
  /** Token ring: the station at which the token rests as they ask; the coordinator (highest id) when left out. */
  tokenAt?: number;
  /** Ids that are dead before the others ask. */
  down?: readonly number[];
}

export interface MutexResult {
  /** Ids in the order in which they entered. */
  entryOrder: number[];
  entries: Entry[];
  /** Where a token goes round for ever, its passes count as the messages. */
  messages: Messages;
  /** Passages of the algorithm's frames over links. */
  hops: number;
  /** Longest time from a request to its entry, and the limit for it, ms. */
  waitedMs: number;
  limitMs: number;
  /** What went wrong, as sentences; empty in a good run. */
  violations: string[];
  textbook: Verdict;
  records: RecordColumns;
}

/** The textbook counts on every station being there. */
const WITH_THE_DEAD = { least: 0, most: Infinity, formula: "no formula where stations are dead" };

/**
 * Lets stations ask at the same instant and runs until all are served.
 * @throws UsageError for an algorithm or a station that does not exist, or one that asks twice
 */
export function runMutex(task: MutexRequest): MutexResult {
  checkRequest(task);
  const { algorithm, ids, requests } = task;
  const run = runSimulated({ ...task, batches: [requests] });
  const { records, coordinator } = run;
  const [batch = { from: 0, to: 0, holder: -1 }] = run.batches;
  const entries = entriesOf(records, batch);
  const { messages, hops } = costOf(records, algorithm, batch);
  const { holder } = batch;
  const waitedMs = entries.reduce(
    (most, { requested, entered }) => Math.max(most, (entered - requested) / 1000),
    0,
  );
  const limitMs = limitOf(task);
  return {
    entryOrder: entries.map(({ station }) => station),
    entries,
    messages,
    hops,
    waitedMs,
    limitMs,
    violations: [
      ...violationsOf(entries),
      ...(waitedMs > limitMs
        ? [`a station waited for ${waitedMs.toFixed(1)} ms, the limit is ${limitMs.toFixed(1)} ms`]
        : []),
      ...run.reasons,
      ...run.unserved.map((id) => `station ${id} asked and was not served`),
    ],
    textbook: judge(
      task.down?.length
        ? WITH_THE_DEAD
        : mutexNamed(algorithm).theory({ ids, contenders: requests, coordinator, holder }),
      messages.total,
    ),
    records,
  };
}

/** @returns how long a request may wait, ms; the ring must first recover where stations have died */
function limitOf(task: MutexRequest): number {
  const plan = textbookPlan(task);
  const ring = { ...plan, limits: limitsOf(plan) };
  return serviceBound(ring).ms + (task.down?.length ? boundOf(ring, SEVERAL).ms : 0);
}

/** @returns messages and hops of a batch; those of a token that never rests are counted until the last entry */
export function costOf(
  records: RecordColumns,
  algorithm: string,
  batch: Span,
): { messages: Messages; hops: number } {
  const span = { from: batch.from, to: batch.to };
  const { token } = traitsOf(algorithm);
  if (!token?.circulates) {
    return {
      messages: countMessages(records, span),
      hops: countHops(records, frameTypesOf(algorithm), span),
    };
  }
  while (span.to > span.from && records.event[span.to - 1] !== EVENT_CODE.enter) span.to--;
  const hops = countHops(records, [token.type], span);
  return { messages: { TOKEN: hops, total: hops }, hops };
}

function checkRequest({ algorithm, ids, requests, tokenAt, down = [] }: MutexRequest): void {
  const names = mutexNames();
  if (!names.includes(algorithm)) {
    throw new UsageError(`${quote(algorithm)} is no mutual exclusion: use one of ${names.join(", ")}`);
  }
  const unknown = [...requests, ...down, ...(tokenAt === undefined ? [] : [tokenAt])].find(
    (id) => !ids.includes(id),
  );
  if (unknown !== undefined) {
    throw new UsageError(`station ${quote(unknown)} is not in this ring: its ids are ${listOf(ids)}`);
  }
  const dead = requests.find((id) => down.includes(id));
  if (dead !== undefined) throw new UsageError(`station ${dead} is down and cannot ask`);
  const twice = requests.find((id, i) => requests.indexOf(id) !== i);
  if (twice !== undefined)
    throw new UsageError(`station ${twice} asks twice: a station asks for one entry at a time`);
}

function listOf(ids: readonly number[]): string {
  return ids.length > 12 ? `${ids[0]} to ${ids[ids.length - 1]} (${ids.length})` : ids.join(", ");
}
