/**
 * Delays as the textbook counts them: in message times, the length of the longest chain of messages of which each is
 * sent after the one before has come. On the ring a message takes many hops; the chain does not depend on that.
 */
import type { RecordColumns } from "../log/columns.ts";
import { EVENT_CODE } from "../log/records.ts";
import { traitsOf } from "../protocols/registry.ts";
import { countHops, type Span } from "./counts.ts";

export interface Delays {
  /** From a request to its entry, nobody else asking; null when nobody entered. */
  entry: number | null;
  /** From an exit to the next entry, when somebody was waiting; null when nobody was. */
  synchronisation: number | null;
}

/** @returns the delays of the first entry, and of the first exit while another station waits */
export function delaysOf(records: RecordColumns, algorithm: string, span: Span): Delays {
  const enter = find(records, "enter", span);
  const exit = find(records, "exit", span);
  const next = exit < 0 ? -1 : find(records, "enter", { from: exit, to: span.to });
  return {
    entry: enter < 0 ? null : chain(records, algorithm, span.from, enter, records.station[enter] as number),
    synchronisation: next < 0 ? null : chain(records, algorithm, exit, next, records.station[exit] as number),
  };
}

function find(records: RecordColumns, event: "enter" | "exit", span: Span): number {
  for (let i = span.from; i < span.to; i++) if (records.event[i] === EVENT_CODE[event]) return i;
  return -1;
}

/**
 * @param from record from which messages count
 * @param to the record of an entry
 * @param origin station at which the chain starts
 * @returns the longest chain that ends at the station of record `to`
 */
function chain(records: RecordColumns, algorithm: string, from: number, to: number, origin: number): number {
  const { token } = traitsOf(algorithm);
  // One that goes round for ever comes whether it was asked for or not: its passes are counted.
  if (token?.circulates) return countHops(records, [token.type], { from, to });
  const depth = new Map([[origin, 0]]);
  const underWay = new Map<string, number[]>();
  for (let i = from; i < to; i++) {
    const code = records.event[i];
    const station = records.station[i] as number;
    if (code === EVENT_CODE.sent || code === EVENT_CODE.retry) {
      const at = depth.get(station);
      const key = `${records.value(i, 0)} ${station} ${records.value(i, 1)}`;
      // A message sent before the chain begins, or beside it, is none of its links.
      underWay.set(key, [...(underWay.get(key) ?? []), at === undefined ? -1 : at + 1]);
    } else if (code === EVENT_CODE.received) {
      const key = `${records.value(i, 0)} ${records.value(i, 1)} ${station}`;
      const length = underWay.get(key)?.shift() ?? -1;
      if (length > (depth.get(station) ?? -1)) depth.set(station, length);
    }
  }
  return depth.get(records.station[to] as number) ?? 0;
}
