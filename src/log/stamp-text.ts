/** Clocks of a record in words and in JSON. */
import type { Stamp, StampedRecord } from "./clocks.ts";

/** Vectors of rings wider than this show only the entries that are not 0. */
const WIDE = 16;

/** @returns for example `L 7 V [2,1,0]`, with `send L 5 V [1,1,0],` before it for a hop */
export function stampText({ stamp, send }: StampedRecord, stations: readonly number[]): string {
  const own = stamp && clockText(stamp, stations);
  if (!send) return own ?? "";
  const sent = `send ${clockText(send, stations)}`;
  return own ? `${sent}, ${own}` : sent;
}

function clockText({ lamport, vector }: Stamp, stations: readonly number[]): string {
  if (stations.length <= WIDE && vector.length <= stations.length) {
    return `L ${lamport} V [${stations.map((_, k) => vector[k] ?? 0).join(",")}]`;
  }
  const known = Object.entries(byStation(vector, stations));
  return `L ${lamport} V {${known.map(([id, count]) => `${id}:${count}`).join(",")}}`;
}

/** The entries of a vector that are not 0, by the ids of the stations. */
export function byStation(vector: readonly number[], stations: readonly number[]): { [id: string]: number } {
  const known: { [id: string]: number } = {};
  vector.forEach((count, k) => {
    if (count) known[stations[k] ?? `#${k}`] = count;
  });
  return known;
}

/** @returns `clock` and `send` as JSON has them beside the record's own fields */
export function stampJson(
  { stamp, send }: StampedRecord,
  stations: readonly number[],
): { [name: string]: unknown } {
  const json = (s: Stamp) => ({
    station: s.station,
    lamport: s.lamport,
    vector: byStation(s.vector, stations),
  });
  return { ...(stamp && { clock: json(stamp) }), ...(send && { send: json(send) }) };
}
