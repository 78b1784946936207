/** Which records of a run a person wants to see. */
import { ASIDE, FRAME_KIND, type RecordColumns } from "./columns.ts";
import { EVENT_CODE, EVENT_NAMES, type EventName, FRAME_EVENTS } from "./records.ts";

export interface Filter {
  /** Ids: the station's own events, and frames that it transmits or receives. */
  stations?: readonly number[];
  /** Names of events. */
  events?: readonly EventName[];
  /** Types of frames: what happens to these frames on the links. With `events` too, either is enough. */
  frameTypes?: readonly string[];
  /** Microseconds, both included. */
  from?: number;
  to?: number;
}

/** @returns whether record `i` of the columns passes */
export function makeFilter(filter: Filter): (columns: RecordColumns, i: number) => boolean {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  const stations = filter.stations && new Set(filter.stations);
  const types = new Set(filter.frameTypes);
  const byEvent = filter.events !== undefined || filter.frameTypes !== undefined;
  const events = new Uint8Array(EVENT_NAMES.length);
  for (const name of filter.events ?? []) events[EVENT_CODE[name]] = 1;
  return (columns, i) => {
    const t = columns.t[i] as number;
    if (t < from || t > to) return false;
    const code = columns.event[i] as number;
    const isFrame = code < FRAME_EVENTS.length;
    if (byEvent && !events[code] && !(isFrame && types.size && types.has(frameType(columns, i))))
      return false;
    if (!stations) return true;
    return stations.has(columns.station[i] as number) || (isFrame && stations.has(columns.peer[i] as number));
  };
}

function frameType(columns: RecordColumns, i: number): string {
  if (((columns.flags[i] as number) & FRAME_KIND) === ASIDE) return columns.frame(i).type;
  return columns.frameTypes[columns.type[i] as number] as string;
}
