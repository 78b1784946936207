/** Reads any line of a run's file through JSON, checking all that the columns and the exports rely on. */
import { NEIGHBOUR } from "../../../firmware/frame.js";
import { quote } from "../../errors.ts";
import type { RecordColumns } from "../columns.ts";
import {
  EVENT_CODE,
  FRAME_EVENTS,
  type FrameEvent,
  type RunFooter,
  type RunHeader,
  STATION_FIELDS,
  type StationEvent,
} from "../records.ts";
import { isDeeper } from "./depth.ts";

const LAST_STATION = 2147483647;
const LONGEST = 4294967295;
/** Brackets that are open at once: the plan in a header has half a dozen. */
const MOST_DEPTH = 32;
/** Characters of a text in the header. */
const LONGEST_TEXT = 200;
const MOST_STATIONS = 100_000;
const TYPE = /^[A-Z][A-Z0-9]{0,7}$/;

export type Json = { [key: string]: unknown };

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

/** @returns the object on a line, or why there is none */
export function parseLine(text: string): Json | string {
  if (isDeeper(text, MOST_DEPTH)) return `not a record: more than ${MOST_DEPTH} brackets are open`;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : "not a JSON object";
  } catch {
    return "not JSON";
  }
}

/** @returns the header, or what is wrong with it */
export function asHeader(line: Json): RunHeader | string {
  if (!isWhole(line.schema)) return "no schema number";
  for (const name of ["program", "kind", "wiring", "election"]) {
    const text = line[name];
    if (typeof text !== "string") return `its ${name} is ${quote(text)}, not a text`;
    if (text.length > LONGEST_TEXT) return `its ${name} has more than ${LONGEST_TEXT} characters`;
  }
  if (!isWhole(line.baud) || line.baud === 0) return `its baud is ${quote(line.baud)}, not a number above 0`;
  const { stations } = line;
  if (!Array.isArray(stations)) return "it lists no stations";
  if (stations.length > MOST_STATIONS) return `it lists more than ${MOST_STATIONS} stations`;
  const wrong = stations.find((id) => !isWhole(id, LAST_STATION));
  if (wrong !== undefined) return `its list of stations has ${quote(wrong)}, not an id`;
  const { limits = {}, seed = 0 } = line;
  if (!isWhole(seed)) return `its seed is ${quote(seed)}, not a whole number`;
  if (!isObject(limits) || !Object.values(limits).every(Number.isFinite)) return "its limits are no numbers";
  return line as unknown as RunHeader;
}

/** @returns the footer, or undefined where the line is none */
export function asFooter(line: Json): RunFooter | undefined {
  const { records, counts, verdict } = line;
  if (!isWhole(records) || !isObject(counts) || typeof verdict !== "string") return undefined;
  return Object.values(counts).every((count) => isWhole(count)) ? (line as unknown as RunFooter) : undefined;
}

/**
 * Adds the record on a line to the columns; its sequence number is the caller's business.
 * @returns what is wrong with it; nothing is added then
 */
export function addRecord(line: Json, columns: RecordColumns): string | undefined {
  const { t, event } = line;
  if (!Number.isSafeInteger(t)) return `its t is ${quote(t)}, not a whole number of microseconds`;
  if (typeof event !== "string" || !Object.hasOwn(EVENT_CODE, event)) return `its event is ${quote(event)}`;
  return (FRAME_EVENTS as readonly string[]).includes(event)
    ? addFrame(line, t as number, event as FrameEvent, columns)
    : addEvent(line, t as number, event as StationEvent, columns);
}

function addFrame(line: Json, t: number, event: FrameEvent, columns: RecordColumns): string | undefined {
  const { from, to, took, type, src = from, dst = NEIGHBOUR, args, flags = 0 } = line;
  if (!isStation(from)) return `its from is ${quote(from)}, not an id`;
  if (!isStation(to)) return `its to is ${quote(to)}, not an id`;
  if (!isWhole(took, LONGEST)) return `its took is ${quote(took)}, not microseconds`;
  if (typeof type !== "string" || !TYPE.test(type)) return `its type is ${quote(type)}`;
  // A frame may name what is no station.
  if (!isWhole(src) || !isWhole(dst)) return "its src or dst is not a whole number";
  if (!isWhole(flags, 3)) return `its flags are ${quote(flags)}`;
  if (!Array.isArray(args)) return "its args are not a list";
  if (!args.every((arg) => isWhole(arg)) && !args.every((arg) => typeof arg === "string")) {
    return "its args are neither all whole numbers nor all texts";
  }
  columns.addFrame(t, event, from, to, took, { type, src, dst, args, flags });
  return undefined;
}

function addEvent(line: Json, t: number, event: StationEvent, columns: RecordColumns): string | undefined {
  const { station, board } = line;
  if (!isStation(station)) return `its station is ${quote(station)}, not an id`;
  if (board !== undefined && !Number.isFinite(board)) return `its board is ${quote(board)}, not a time`;
  const values: (number | string | undefined)[] = [];
  for (const name of STATION_FIELDS[event]) {
    const value = line[name];
    if (value !== undefined && typeof value !== "string" && !Number.isFinite(value)) {
      return `its ${name} is ${quote(value)}`;
    }
    values.push(value as number | string | undefined);
  }
  const i = columns.addEvent(t, event, station, values[0], values[1], values[2]);
  if (board !== undefined) columns.setBoardTime(i, board as number);
  return undefined;
}

/** A station's id, or HOST. */
function isStation(value: unknown): value is number {
  return value === -1 || isWhole(value, LAST_STATION);
}
