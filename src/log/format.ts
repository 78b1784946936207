/** Records in words: one readable line per event, the same in every command. */
import { EVERY, NEIGHBOUR, UNKNOWN } from "../../firmware/frame.js";
import { escapeControls } from "../errors.ts";
import { fieldsOf } from "../protocols/frames.ts";
import { type FrameRecord, HOST, isFrameRecord, type RunRecord, type StationRecord } from "./records.ts";

/** The columns of one line. Control characters are escaped, also those that came from boards. */
export interface RecordText {
  /** Seconds with six digits behind the point. */
  time: string;
  /** "3→4" for a frame on a link, "3" for a station, "host". */
  who: string;
  what: string;
}

/** Texts and lists longer than this are clipped. */
const LONGEST = 200;

/** What an entry is known by at the guarded resource: of two, the one with the higher epoch, then grant, is later. */
export interface Fence {
  epoch: number | string;
  grant: number | string;
}

export function formatRecord(record: RunRecord): RecordText {
  return formatGuarded(record, undefined);
}

/** @param seen the highest fence that the guarded resource has let pass, where that is known */
export function formatGuarded(record: RunRecord, seen: Fence | undefined): RecordText {
  const time = formatTime(record.t);
  if (isFrameRecord(record)) {
    return {
      time,
      who: `${formatStation(record.from)}→${formatStation(record.to)}`,
      what: frameWords(record),
    };
  }
  return { time, who: formatStation(record.station), what: clip(eventWords(record, seen)) };
}

/** @param micros whole microseconds @returns seconds with six digits behind the point */
export function formatTime(micros: number): string {
  const size = Math.abs(micros);
  const seconds = Math.floor(size / 1e6);
  const rest = String(Math.round(size - seconds * 1e6)).padStart(6, "0");
  return `${micros < 0 ? "-" : ""}${seconds}.${rest}`;
}

export function formatStation(id: number): string {
  return id === HOST ? "host" : String(id);
}

function frameWords(record: FrameRecord): string {
  const { event, type, src, dst, from, args, flags } = record;
  const names = fieldsOf(type);
  const words = [type];
  if (dst !== NEIGHBOUR || src !== from) {
    words.push(`${src} to ${dst === EVERY ? "all" : dst === NEIGHBOUR ? "successor" : dst}`);
  }
  for (const [i, arg] of args.entries()) {
    const name = names[i] ?? "";
    if (name.endsWith("...")) {
      words.push(`${name.slice(0, -3)} ${args.slice(i).join(",")}`);
      break;
    }
    words.push(name ? `${name} ${arg}` : String(arg));
  }
  if (flags & 1) words.push("copied");
  if (flags & 2) words.push("seen");
  const text = clip(escapeControls(words.join(" ")));
  if (event === "hop") return text;
  return event === "delayed" ? `${text} - delayed by ${record.took} µs` : `${text} - ${event}`;
}

function eventWords(record: StationRecord, seen: Fence | undefined): string {
  const { fields } = record;
  const say = (name: string) => escapeControls(String(fields[name] ?? "?"));
  /** The field in brackets, nothing where the record does not have it. */
  const maybe = (name: string, lead = "") => ((fields[name] ?? "") === "" ? "" : ` (${lead}${say(name)})`);
  /** Boards that have one id are told apart by their boot ids, or by their ports. */
  const board = (name: string) => (typeof fields[name] === "number" ? `boot ${say(name)}` : say(name));
  const fence = () => `epoch ${say("epoch")} grant ${say("grant")}`;
  switch (record.event) {
    case "request":
      return "asks for the critical section";
    case "enter":
      return `enters, ${fence()}`;
    case "exit":
      return `leaves, ${fence()}`;
    case "refused":
      return fields.by === undefined
        ? `refused: ${say("cause")}`
        : `${board("who")} is refused: the id is taken by ${board("by")}`;
    case "duplicate":
      return `stays: ${board("who")} has come with its id, ${board("by")} has it`;
    case "sent":
      return `sends ${say("message")} to ${target(fields.to)}${maybe("number", "number ")}`;
    case "retry":
      return `sends ${say("message")} to ${target(fields.to)} again${maybe("number", "number ")}`;
    case "received":
      return `gets ${say("message")} from ${say("from")}${maybe("number", "number ")}`;
    case "elect":
      return `starts election ${say("election")}${maybe("cause")}`;
    case "coordinator":
      return fields.coordinator === record.station
        ? `is the coordinator${maybe("election", "election ")}`
        : `takes ${say("coordinator")} for coordinator${maybe("election", "election ")}`;
    case "stepdown":
      return `steps down for ${say("to")}${maybe("cause")}`;
    case "abandoned":
      return `gives up election ${say("election")}`;
    case "joined":
      return `joins, epoch ${say("epoch")}`;
    case "stale":
      return `drops a stale token, epoch ${say("epoch")} hop ${say("hop")}`;
    case "lost":
      // The first token of a ring replaces none.
      return fields.epoch === 0
        ? `finds no token in the ring yet${maybe("cause")}`
        : `finds the token lost, epoch ${say("epoch")}${maybe("cause")}`;
    case "regenerated":
      return `makes a new token, epoch ${say("epoch")}`;
    case "beacon":
      return fields.predecessor === UNKNOWN
        ? "hears nothing from its predecessor"
        : `hears nothing from its predecessor ${say("predecessor")}`;
    case "closed":
      return "finds the ring closed again";
    case "orphan":
      return `removes an orphan ${say("type")} of ${say("src")}`;
    case "bad":
      if (fields.cause === "damaged")
        return `${fields.count ?? ""} damaged line${fields.count ? "s" : ""} on its console, not used`.trim();
      if (fields.cause === "noise")
        return `${fields.count ?? 1} bytes on its console are noise: a wrong baud rate, a loose wire?`;
      return `refuses a frame: ${say("cause")}${maybe("count", "times ")}`;
    case "data":
      return `gets data from ${say("from")}: ${say("text")}`;
    case "hello":
      return `hears its predecessor ${say("from")}${maybe("boot", "boot ")}`;
    case "restart":
      return `restarts${maybe("boot", "boot ")}`;
    case "crash":
      return `crashes${maybe("cause")}`;
    case "bypass":
      return `is bypassed${maybe("cause")}`;
    case "insert":
      return `is inserted${maybe("cause")}`;
    case "fault":
      return `fault: ${say("kind")}${maybe("detail")}`;
    case "console":
      return `console: ${say("text")}`;
    case "write":
      return writeWords(say("verdict"), fence(), seen);
    case "clock":
      return `clock offset ${say("offset")} µs${clockWords(fields)}`;
    case "verdict":
      return `verdict: ${say("verdict")}${maybe("detail")}`;
    case "absent":
      return `finds ${say("to")} not there: its ${say("message")} came back uncopied`;
    case "stamp":
      return `event at Lamport ${say("lamport")}, hybrid ${say("hybrid")}, vector ${say("vector")}`;
    case "acquire":
      return `asks for resource ${say("resource")}`;
    case "hold":
      return `holds resource ${say("resource")}`;
    case "free":
      return `gives back resource ${say("resource")}`;
    case "unplug":
      return `is out of reach: its port is gone${maybe("cause")}`;
    case "plug":
      return "is within reach again: its port is back";
    case "deadlock":
      return `finds a deadlock: its probe for resource ${say("resource")} is back through ${say("through")}`;
  }
}

/** An entry opens the resource, and writes at its end. */
function writeWords(verdict: string, fence: string, seen: Fence | undefined): string {
  const known = seen ? escapeControls(` (it has seen epoch ${seen.epoch} grant ${seen.grant})`) : "";
  if (verdict === "opened") return `opens the resource, ${fence}`;
  if (verdict === "accepted") return `has its write accepted by the resource, ${fence}${known}`;
  if (verdict === "refused") return `has its write REFUSED by the resource, ${fence}${known}`;
  return `writes to the resource, ${fence}: ${verdict}`;
}

/** How sure an offset of clocks is, and how fast it grows, where that is known. */
function clockWords({ bound, drift }: StationRecord["fields"]): string {
  const sure = bound === undefined ? "" : ` ± ${escapeControls(String(bound))} µs`;
  return drift === undefined ? sure : `${sure}, drift ${escapeControls(String(drift))} ppm`;
}

function target(to: number | string | undefined): string {
  if (to === EVERY) return "all";
  return to === NEIGHBOUR ? "its successor" : escapeControls(String(to ?? "?"));
}

function clip(text: string): string {
  return text.length > LONGEST ? `${[...text.slice(0, LONGEST)].slice(0, -1).join("")}...` : text;
}
