/** Clocks of a record in words and in JSON. */
import type { Stamp, StampedRecord } from "./clocks.ts";

/** Vectors of rings wider than this show only the entries that are not 0. */
const WIDE = 16;

/** @returns for example `L 7 V [2,1,0]`, with `send L 5 V [1,1,0],` before it for a hop */
export function stampText({ stamp, send }: StampedRecord): string {
  const own = stamp && clockText(stamp);
  if (!send) return own ?? "";
  const sent = `send ${clockText(send)}`;
  return own ? `${sent}, ${own}` : sent;
}

function clockText(stamp: Stamp): string {
  const { lamport, vector, ids } = stamp;
  if (ids.length <= WIDE) return `L ${lamport} V [${ids.map((_, k) => vector[k] ?? 0).join(",")}]`;
  const known = Object.entries(byStation(stamp));
  return `L ${lamport} V {${known.map(([id, count]) => `${id}:${count}`).join(",")}}`;
}

/** The entries of a vector that are not 0, by the ids of the stations. */
export function byStation({ vector, ids }: Stamp): { [id: string]: number } {
  const known: { [id: string]: number } = {};
  vector.forEach((count, k) => {
    if (count) known[ids[k] as number] = count;
  });
  return known;
}

/** @returns `clock` and `send` as JSON has them beside the record's own fields */
export function stampJson({ stamp, send }: StampedRecord): { [name: string]: unknown } {
  const json = (s: Stamp) => ({ station: s.station, lamport: s.lamport, vector: byStation(s) });
  return { ...(stamp && { clock: json(stamp) }), ...(send && { send: json(send) }) };
}
