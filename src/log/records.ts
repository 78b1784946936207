/**
 * The record types of a run. Every layer above the firmware speaks in these, and every export
 * is a function of them.
 *
 * Times are integer microseconds on the host's time line; `seq` counts from 0 and gives the order.
 */

/** Version of the file format; a reader refuses a later one. */
export const SCHEMA = 1;

/**
 * Events that a frame makes on a link: hop is its passage, transmitted its start (kept only for an observer),
 * the others are what a fault did to it.
 */
export const FRAME_EVENTS = ["hop", "dropped", "corrupted", "duplicated", "delayed", "transmitted"] as const;
export type FrameEvent = (typeof FRAME_EVENTS)[number];

/** Events of a station, each with the names of its fields. */
export const STATION_FIELDS = {
  request: [],
  enter: ["epoch", "grant"],
  exit: ["epoch", "grant"],
  /** Of a duplicate id: boot ids, or ports, of the board that is refused and of the one that has the id. */
  refused: ["cause", "who", "by"],
  /** Another board with the station's own id has come: its boot id, and that of the station, which stays. */
  duplicate: ["who", "by"],
  sent: ["message", "to", "number"],
  retry: ["message", "to", "number"],
  received: ["message", "from", "number"],
  elect: ["election", "cause"],
  coordinator: ["coordinator", "election"],
  stepdown: ["to", "cause"],
  abandoned: ["election"],
  joined: ["epoch"],
  stale: ["epoch", "hop"],
  lost: ["epoch", "cause"],
  regenerated: ["epoch"],
  beacon: ["predecessor"],
  closed: [],
  orphan: ["type", "src"],
  bad: ["cause", "count"],
  data: ["from", "text"],
  hello: ["from", "boot"],
  restart: ["boot"],
  crash: ["cause"],
  bypass: ["cause"],
  insert: ["cause"],
  fault: ["kind", "detail"],
  console: ["text"],
  write: ["epoch", "grant", "verdict"],
  clock: ["offset", "bound", "drift"],
  verdict: ["verdict", "detail"],
  absent: ["to", "message"],
  stamp: ["lamport", "hybrid", "vector"],
  acquire: ["resource"],
  hold: ["resource"],
  free: ["resource"],
  deadlock: ["resource", "through"],
  /** The host has lost the port of a board, and has it again: whether the board has lost its power only its boot id tells. */
  unplug: ["cause"],
  plug: [],
} as const;
export type StationEvent = keyof typeof STATION_FIELDS;
export type EventName = FrameEvent | StationEvent;

/** All event names; the index is the code used in columns. */
export const EVENT_NAMES: readonly EventName[] = [
  ...FRAME_EVENTS,
  ...(Object.keys(STATION_FIELDS) as StationEvent[]),
];

/** Codes of event names. */
export const EVENT_CODE = Object.fromEntries(EVENT_NAMES.map((name, code) => [name, code])) as Record<
  EventName,
  number
>;

/** The station number of a record that no station made (a fault of the medium, a verdict). */
export const HOST = -1;

/** A frame on the link from a station to its successor. */
export interface FrameRecord {
  seq: number;
  /** Microseconds; when the frame had arrived whole. */
  t: number;
  event: FrameEvent;
  /** Ids of the transmitter and the receiver of this hop. */
  from: number;
  to: number;
  /** Microseconds from the start of the transmission to its end. */
  took: number;
  type: string;
  /** Sender and destination in the frame; left out of files where src is `from` and dst is 253. */
  src: number;
  dst: number;
  args: (number | string)[];
  /** Sum of 1 (copied) and 2 (seen by the monitor). */
  flags: number;
}

/** Something that happened in or to a station. Its fields are named in STATION_FIELDS. */
export interface StationRecord {
  seq: number;
  t: number;
  event: StationEvent;
  /** Id of the station, or HOST. */
  station: number;
  /** The station's own time, microseconds, where it comes from a board. */
  board?: number;
  fields: { [name: string]: number | string };
}

export type RunRecord = FrameRecord | StationRecord;

/** @returns true for an event of a link */
export function isFrameRecord(record: RunRecord): record is FrameRecord {
  return "type" in record;
}

/** First line of a run's file. */
export interface RunHeader {
  schema: number;
  program: string;
  /** What ran: "simulation", "boards" or "watch". */
  kind: string;
  seed?: number;
  /** Ids in ring order. */
  stations: number[];
  wiring: string;
  baud: number;
  election: string;
  /** The ring's time limits by name, ms. */
  limits?: { [name: string]: number };
  /** Everything that replay needs to run the simulation again. */
  plan?: unknown;
}

/** Last line of a run's file; without it the file was cut. */
export interface RunFooter {
  records: number;
  counts: { [event: string]: number };
  verdict: string;
}
