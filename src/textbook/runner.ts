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
}

export interface MutexRun {
  records: RecordColumns;
  coordinator: number;
  /** Station that holds the token as the first batch asks; -1 where the algorithm has none. */
  holder: number;
  /** The records of each batch, from its requests until its last message has gone. */
  spans: Span[];
  /** Requests that were still unserved when nothing moved any more. */
  unserved: number[];
}

export type Runner = (task: MutexTask) => MutexRun | Promise<MutexRun>;
