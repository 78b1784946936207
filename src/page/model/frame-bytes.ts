/** A frame's line as it stands on the wire, field by field. */
import { crc32 } from "../../../firmware/crc32.js";
import { EVERY, encode, NEIGHBOUR } from "../../../firmware/frame.js";
import { frameTypes } from "../../../firmware/registry.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { escapeControls } from "../../errors.ts";
import type { RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE } from "../../log/records.ts";
import { fieldsOf } from "../../protocols/frames.ts";
import type { Arrow } from "./arrows.ts";

export interface LineField {
  text: string;
  /** What it is; "" for what only stands between. */
  name: string;
  /** The bytes in hexadecimal. */
  bytes: string;
}

/** @returns the fields of a frame's line, newline included */
export function lineFields(frame: Frame): LineField[] {
  const line = encode(frame, crc32);
  const star = line.lastIndexOf("*");
  const names = fieldsOf(frame.type);
  const fields: [string, string][] = [["$", "start"]];
  line
    .slice(1, star)
    .split(",")
    .forEach((text, i) => {
      if (i > 0) fields.push([",", ""]);
      fields.push([text, nameOf(i, text, names)]);
    });
  fields.push(["*", "end of the body"], [line.slice(star + 1, star + 9), "frame check, CRC-32 of the body"]);
  const flags = line.slice(star + 9, -1);
  for (const flag of flags) fields.push([flag, flag === "c" ? "copied" : "seen by the monitor"]);
  fields.push(["\n", "end of the line"]);
  return fields.map(([text, name]) => ({
    text: escapeControls(text),
    name,
    bytes: Array.from(text, (char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join(" "),
  }));
}

function nameOf(i: number, text: string, names: readonly string[]): string {
  if (i === 0) return frameTypes[text]?.message ? `type: ${frameTypes[text].message}` : "type";
  if (i === 1) return "sender";
  if (i === 2) {
    if (text === String(NEIGHBOUR)) return "to the successor";
    return text === String(EVERY) ? "to every station" : "destination";
  }
  const name = names[i - 3] ?? names.at(-1) ?? "argument";
  return name.replace("...", "");
}

/** @returns the frame that carries an arrow; undefined where no record has it */
export function frameOf(columns: RecordColumns, { first, name, from, to }: Arrow): Frame | undefined {
  if ((columns.event[first] as number) <= EVENT_CODE.corrupted) return columns.frame(first);
  const number = columns.value(first, 2);
  for (let i = first; i < Math.min(columns.length, first + 4000); i++) {
    if ((columns.event[i] as number) > EVENT_CODE.dropped || columns.station[i] !== from) continue;
    const frame = columns.frame(i);
    const message = frameTypes[frame.type]?.message;
    const meant = frame.dst === to || frame.dst === NEIGHBOUR || frame.dst === EVERY;
    if (message === name && frame.src === from && meant && (number === undefined || frame.args[0] === number))
      return frame;
  }
  return undefined;
}
