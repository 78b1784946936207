/**
 * What the textbook counts, read from the records of a run. A message is one send from a station to a station,
 * counted where it is sent; a hop is the passage of a frame over one link.
 */
import type { RecordColumns } from "../log/columns.ts";
import { EVENT_CODE } from "../log/records.ts";

/** Messages by the textbook's names (REQUEST, REPLY, ELECTION, ...), and their sum. */
export interface Messages {
  [name: string]: number;
  total: number;
}

/** Records `from` to `to` - 1 of a run. */
export interface Span {
  from: number;
  to: number;
}

/** @returns the span of all records */
export function wholeRun(records: RecordColumns): Span {
  return { from: 0, to: records.length };
}

/** Counts the messages that stations sent; a repetition (record `retry`) is none of the textbook's. */
export function countMessages(records: RecordColumns, span = wholeRun(records)): Messages {
  const messages: Messages = { total: 0 };
  for (let i = span.from; i < span.to; i++) {
    if (records.event[i] !== EVENT_CODE.sent) continue;
    const name = String(records.value(i, 0));
    messages[name] = (messages[name] ?? 0) + 1;
    messages.total++;
  }
  return messages;
}

/** Counts the records of an event. */
export function countEvents(
  records: RecordColumns,
  event: keyof typeof EVENT_CODE,
  span = wholeRun(records),
): number {
  let count = 0;
  for (let i = span.from; i < span.to; i++) if (records.event[i] === EVENT_CODE[event]) count++;
  return count;
}

/** Counts the hops of frames of the given types. */
export function countHops(
  records: RecordColumns,
  types: readonly string[],
  span = wholeRun(records),
): number {
  const wanted = records.frameTypes.map((type) => types.includes(type));
  let hops = 0;
  for (let i = span.from; i < span.to; i++) {
    if (records.event[i] === EVENT_CODE.hop && wanted[records.type[i] as number]) hops++;
  }
  return hops;
}

/** One entry into the critical section. */
export interface Entry {
  station: number;
  /** Microseconds on the run's time line; `left` is Infinity when the station is still inside at the end. */
  requested: number;
  entered: number;
  left: number;
  /** The fence. */
  epoch: number;
  grant: number;
}

/** @returns every entry in the order of entering */
export function entriesOf(records: RecordColumns, span = wholeRun(records)): Entry[] {
  const entries: Entry[] = [];
  const requested = new Map<number, number>();
  const inside = new Map<number, Entry>();
  for (let i = span.from; i < span.to; i++) {
    const code = records.event[i];
    const station = records.station[i] as number;
    const t = records.t[i] as number;
    if (code === EVENT_CODE.request) requested.set(station, t);
    else if (code === EVENT_CODE.enter) {
      const entry = {
        station,
        requested: requested.get(station) ?? t,
        entered: t,
        left: Infinity,
        epoch: records.value(i, 0) as number,
        grant: records.value(i, 1) as number,
      };
      inside.set(station, entry);
      entries.push(entry);
    } else if (code === EVENT_CODE.exit || code === EVENT_CODE.crash) {
      const entry = inside.get(station);
      if (entry) entry.left = t;
      inside.delete(station);
    }
  }
  return entries;
}

/** What must never happen, as sentences: two stations inside at once, a fence that does not grow. */
export function violationsOf(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  let inside: Entry | undefined;
  let last: Entry | undefined;
  for (const entry of entries) {
    if (inside && inside.left > entry.entered) {
      found.push(`station ${entry.station} entered while station ${inside.station} was inside`);
    }
    if (last && (entry.epoch < last.epoch || (entry.epoch === last.epoch && entry.grant <= last.grant))) {
      found.push(
        `station ${entry.station} entered with fence ${entry.epoch}/${entry.grant} after ${last.epoch}/${last.grant}`,
      );
    }
    last = entry;
    if (!inside || entry.left > inside.left) inside = entry;
  }
  return found;
}
