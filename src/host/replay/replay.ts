/** Runs a recorded simulation again beside its file, and checks the records of boards once more. */
import type { Violation } from "../../check/observer.ts";
import { RecordColumns } from "../../log/columns.ts";
import type { RecordConsumer } from "../../log/consumer.ts";
import { plainJson } from "../../log/file/json-text.ts";
import { recordJson, recordLine } from "../../log/file/lines.ts";
import type { NdjsonReader } from "../../log/file/ndjson-reader.ts";
import type { RunRecord } from "../../log/records.ts";
import { watchOf } from "../ring/run-watch-of.ts";
import { runSession } from "../ring/session.ts";
import { recordedPlan } from "./recorded-plan.ts";

/** The first record that is not the same. */
export interface Difference {
  seq: number;
  /** The record in the file; null: it has none. */
  recorded: string | null;
  /** The record of the repetition; null: it makes none. */
  repeated: string | null;
}

export interface Repetition {
  /** Records that are the same. */
  same: number;
  difference: Difference | null;
  /** What is wrong with the file itself, a line each. */
  warnings: string[];
}

/**
 * Repeats a simulation. Of a file that is cut, or of a run that was stopped, as much as there is.
 * @param reader a file of kind "simulation"
 * @throws UsageError where its plan cannot be used
 */
export async function repeat(reader: NdjsonReader, signal?: AbortSignal): Promise<Repetition> {
  const { plan, script, until } = recordedPlan(reader.path, reader.header);
  const stop = new AbortController();
  const comparison = new Comparison(reader, () => stop.abort());
  const signals = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  try {
    await runSession({
      plan,
      actions: script,
      until,
      pace: Infinity,
      consumers: [comparison],
      signal: signals,
      onReady: () => {},
    });
    if (!signal?.aborted) comparison.end();
  } finally {
    reader.close();
  }
  return { same: comparison.same, difference: comparison.difference, warnings: reader.warnings() };
}

class Comparison implements RecordConsumer {
  same = 0;
  difference: Difference | null = null;
  readonly #reader: NdjsonReader;
  readonly #recorded: Iterator<RunRecord>;
  readonly #onEnd: () => void;
  #over = false;

  constructor(reader: NdjsonReader, onEnd: () => void) {
    this.#reader = reader;
    this.#recorded = reader.records();
    this.#onEnd = onEnd;
  }

  write(columns: RecordColumns, from = 0, to = columns.length): void {
    for (let i = from; i < to && !this.#over; i++) {
      const repeated = columns.get(i);
      const { value: recorded } = this.#recorded.next() as { value?: RunRecord };
      if (recorded && sameRecord(recorded, repeated)) this.same++;
      else if (recorded || this.#reader.footer?.verdict === "done") this.#differ(recorded, repeated);
      else this.#finish();
    }
  }

  /** The repetition is over. */
  end(): void {
    if (this.#over) return;
    const { value: recorded } = this.#recorded.next() as { value?: RunRecord };
    if (recorded) this.#differ(recorded, undefined);
  }

  #differ(recorded: RunRecord | undefined, repeated: RunRecord | undefined): void {
    const seq = Math.min(recorded?.seq ?? Infinity, repeated?.seq ?? Infinity);
    const here = recorded?.seq === seq ? recorded : undefined;
    const there = repeated?.seq === seq ? repeated : undefined;
    // Not everything in a record shows in its words.
    const words = here && there && recordLine(here) === recordLine(there) ? jsonLine : recordLine;
    this.difference = { seq, recorded: here ? words(here) : null, repeated: there ? words(there) : null };
    this.#finish();
  }

  #finish(): void {
    this.#over = true;
    this.#onEnd();
  }
}

function jsonLine(record: RunRecord): string {
  return plainJson(recordJson(record));
}

function sameRecord(one: RunRecord, other: RunRecord): boolean {
  return one.seq === other.seq && jsonLine(one) === jsonLine(other);
}

export interface Recheck {
  records: number;
  violation: (Pick<Violation, "claim" | "text" | "t"> & { seq: number }) | null;
  /** The records up to the violation, in words. */
  trace: string[];
  warnings: string[];
}

/** So many records before a violation are shown. */
const TRACE = 20;

/**
 * Checks the invariants in the records of boards, up to the first violation. Clocks of boards are aligned only to within
 * a bound: claims that rest on the exact order of events are left out.
 * @param signal ends the check early: of a part of the records
 * @throws UsageError where the file's plan cannot be used
 */
export async function recheck(reader: NdjsonReader, signal?: AbortSignal): Promise<Recheck> {
  const watch = watchOf(recordedPlan(reader.path, reader.header).plan, false);
  const one = new RecordColumns(1);
  const last: RunRecord[] = [];
  let records = 0;
  for (const columns of reader.blocks()) {
    for (let i = 0; i < columns.length; i++) {
      records++;
      const record = columns.get(i);
      last.push(record);
      if (last.length > TRACE) last.shift();
      one.clear();
      one.copy(columns, i);
      watch.write(one);
      if (!watch.violation) continue;
      const { claim, text, t } = watch.violation;
      return {
        records,
        violation: { claim, text, t, seq: record.seq },
        trace: last.map(recordLine),
        warnings: reader.warnings(),
      };
    }
    // Ctrl-C must get through.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (signal?.aborted) break;
  }
  return { records, violation: null, trace: [], warnings: reader.warnings() };
}
