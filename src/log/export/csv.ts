/**
 * CSV for spreadsheets and marking scripts: a header row, then a row per record, always with the same columns.
 * Source: RFC 4180 (CR LF, fields with comma or quote in quotes).
 *
 * Texts come from boards: control characters are escaped, and a text that a spreadsheet would take for a formula has an
 * apostrophe before it.
 */
import { escapeControls } from "../../errors.ts";
import { FRAME_KIND, type RecordColumns, TO_NEIGHBOUR } from "../columns.ts";
import { ascii, NUMBER_BYTES, putBytes, putNumber } from "../file/bytes.ts";
import type { RunSource } from "../file/source.ts";
import { FRAME_EVENTS, isFrameRecord, type RunRecord, STATION_FIELDS } from "../records.ts";
import type { Exporter } from "./exporter.ts";

const FRAME_COLUMNS = [
  "seq",
  "t",
  "event",
  "station",
  "from",
  "to",
  "took",
  "type",
  "src",
  "dst",
  "flags",
  "args",
];

/** Fields of stations' events that are none of the above, each once. */
const FIELD_COLUMNS = [...new Set(Object.values(STATION_FIELDS).flat())].filter(
  (name) => !FRAME_COLUMNS.includes(name),
);

export const COLUMNS: readonly string[] = [...FRAME_COLUMNS, "board", ...FIELD_COLUMNS];

const BLOCK = 64 * 1024;
const ROW_ROOM = 64 + 12 * NUMBER_BYTES + COLUMNS.length;

const COMMA = 44;
const SPACE = 32;
/** The empty fields behind the arguments of a frame, and the end of the row. */
const ROW_END = ascii(`${",".repeat(COLUMNS.length - FRAME_COLUMNS.length)}\r\n`);
/** `,hop,,` up to the column of the transmitter. */
const EVENT_START = FRAME_EVENTS.map((name) => ascii(`,${name},,`));

/** A hop to the successor with the type's name, the most frequent row, written without an object or a string. */
function putHop(bytes: Uint8Array, at: number, columns: RecordColumns, i: number, type: Uint8Array): number {
  const from = columns.station[i] as number;
  const count = columns.mask[i] as number;
  let p = putNumber(bytes, at, columns.firstSeq + i);
  bytes[p++] = COMMA;
  p = putNumber(bytes, p, columns.t[i] as number);
  p = putBytes(bytes, p, EVENT_START[columns.event[i] as number] as Uint8Array);
  p = putNumber(bytes, p, from);
  bytes[p++] = COMMA;
  p = putNumber(bytes, p, columns.peer[i] as number);
  bytes[p++] = COMMA;
  p = putNumber(bytes, p, columns.took[i] as number);
  bytes[p++] = COMMA;
  p = putBytes(bytes, p, type);
  bytes[p++] = COMMA;
  p = putNumber(bytes, p, from);
  p = putBytes(bytes, p, NEIGHBOUR_DST);
  p = putNumber(bytes, p, (columns.flags[i] as number) & 3);
  bytes[p++] = COMMA;
  p = putNumber(bytes, p, columns.a[i] as number);
  if (count > 1) {
    bytes[p++] = SPACE;
    p = putNumber(bytes, p, columns.b[i] as number);
  }
  if (count > 2) {
    bytes[p++] = SPACE;
    p = putNumber(bytes, p, columns.c[i] as number);
  }
  return putBytes(bytes, p, ROW_END);
}

const NEIGHBOUR_DST = ascii(",253,");

/** @returns the row of any record, with its line end */
function row(record: RunRecord): string {
  const { seq, t, event } = record;
  const values: { [column: string]: number | string } = isFrameRecord(record)
    ? { ...record, args: record.args.join(" ") }
    : { seq, t, event, station: record.station, ...record.fields };
  if (!isFrameRecord(record) && record.board !== undefined) values.board = record.board;
  return `${COLUMNS.map((name) => field(values[name])).join(",")}\r\n`;
}

function field(value: number | string | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  let text = escapeControls(value);
  if (/^[=+\-@]/.test(text)) text = `'${text}`;
  return /[",]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
}

function* rows(source: RunSource): Generator<string | Uint8Array, void, void> {
  yield `${COLUMNS.join(",")}\r\n`;
  for (const columns of source.blocks()) {
    const types = columns.frameTypes.map((name) => ascii(name));
    let bytes = Buffer.allocUnsafe(BLOCK);
    let used = 0;
    for (let i = 0; i < columns.length; i++) {
      const code = columns.event[i] as number;
      if (code < FRAME_EVENTS.length && ((columns.flags[i] as number) & FRAME_KIND) === TO_NEIGHBOUR) {
        const type = types[columns.type[i] as number] as Uint8Array;
        if (used + ROW_ROOM + type.length > BLOCK) {
          yield bytes.subarray(0, used);
          bytes = Buffer.allocUnsafe(BLOCK);
          used = 0;
        }
        used = putHop(bytes, used, columns, i, type);
      } else {
        const text = row(columns.get(i));
        if (used + text.length * 3 > BLOCK) {
          yield bytes.subarray(0, used);
          bytes = Buffer.allocUnsafe(BLOCK);
          used = 0;
        }
        if (text.length * 3 > BLOCK) yield text;
        else used += bytes.write(text, used);
      }
    }
    if (used) yield bytes.subarray(0, used);
  }
}

export const csv: Exporter = {
  name: "csv",
  ending: ".csv",
  begins: "seq,t,event,",
  about: "spreadsheets, marking scripts",
  pieces: rows,
};
