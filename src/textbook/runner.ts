/**
 * What a textbook table needs of a ring: it is given an algorithm, ids and who asks when, and hands back the records.
 * The simulation is one such ring; a bench of boards is another.
 */
import type { RecordColumns } from "../log/columns.ts";
import type { Span } from "./counts.ts";

export interface MutexTask {
  /** Name of the mutual exclusion protocol, as the firmware's table has it. */
  algorithm: string;
  /** Ids in ring order. */
  ids: readonly number[];
  /** Ids that ask at the same instant; the next batch begins when all of one are served. */
  batches: readonly (readonly number[])[];
  seed?: number;
  /** Station at which the token of the token ring is when the first batch asks; the coordinator when left out. */
  tokenAt?: number;
  /** Ids that are dead before the first batch asks. */
  down?: readonly number[];
}

export interface Batch extends Span {
  /** Station that has the token as the batch asks; -1 where the algorithm has none that rests. */
  holder: number;
}

export interface MutexRun {
  records: RecordColumns;
  coordinator: number;
  /** The records of each batch, from its requests until its last message has gone. */
  batches: Batch[];
  /** Requests that were still unserved when nothing moved any more. */
  unserved: number[];
  /** Why they are, as sentences. */
  reasons: string[];
}

/** A ring to run a task on. Its records are those that stations make, whatever they are made of. */
export type Runner = (task: MutexTask) => MutexRun | Promise<MutexRun>;
