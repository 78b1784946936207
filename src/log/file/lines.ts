/** The records of a run as lines or JSON, those that a filter lets through. */
import type { RecordColumns } from "../columns.ts";
import { formatRecord } from "../format.ts";
import { isFrameRecord, type RunRecord } from "../records.ts";
import { plainJson } from "./json-text.ts";
import type { RunSource } from "./source.ts";

/** @returns one line in columns: time, who, what */
export function recordLine(record: RunRecord): string {
  const { time, who, what } = formatRecord(record);
  return `${time.padStart(12)}  ${who.padEnd(9)}  ${what}`;
}

/** @returns the record as it stands in a run's file */
export function recordJson(record: RunRecord): { [name: string]: unknown } {
  if (isFrameRecord(record)) return { ...record };
  const { fields, board, ...rest } = record;
  return { ...rest, ...fields, ...(board === undefined ? {} : { board }) };
}

export type Passes = (columns: RecordColumns, i: number) => boolean;

/** The records that pass, in order. */
export function* selected(source: RunSource, passes: Passes): Generator<RunRecord, void, void> {
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) if (passes(columns, i)) yield columns.get(i);
  }
}

/** The last `count` items, in order; all of them where `count` is undefined. */
export function* lastOf<T>(items: Iterable<T>, count: number | undefined): Generator<T, void, void> {
  if (count === undefined) {
    yield* items;
    return;
  }
  const last: T[] = [];
  let next = 0;
  for (const item of items) {
    last[next] = item;
    next = (next + 1) % count;
  }
  yield* last.slice(next);
  yield* last.slice(0, next);
}

/** One JSON object with a list in it, in pieces, so that the list need not be in memory. */
export function* jsonList(
  name: string,
  items: Iterable<unknown>,
  rest: () => object,
): Generator<string, void, void> {
  yield `{${JSON.stringify(name)}:[`;
  let comma = "";
  for (const item of items) {
    yield `${comma}${plainJson(item)}`;
    comma = ",";
  }
  const tail = plainJson(rest()).slice(1);
  yield `]${tail === "}" ? "" : ","}${tail}\n`;
}
