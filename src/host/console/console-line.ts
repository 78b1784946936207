/** One line of a board's console, understood. */
import { checkOf } from "../../../firmware/board/console-check.js";
import { crc32 } from "../../../firmware/crc32.js";

const CURSOR_CODES = /\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f]/g;
const RECORD = /^>*@((\d{1,16}),([a-z]{1,16})(?:,(.*))?)\*([0-9a-z]{1,3})$/;
/** What is left of a record when some of it is not as it was: its head, or its tail. Noise looks like neither. */
const REMAINS = /^>*@\d+,[a-z]|^>*@\d[\x20-\x7e]*$|,[a-z]+(?:,[\x20-\x7e]*)?\*[0-9a-z]{1,3}$/;

export type ConsoleLine =
  /** Anything else that a board prints: banners, errors, what a person typed. */
  | { kind: "text"; text: string }
  /** `board`: the board's time in µs; `rest`: what follows the event, "" for nothing. */
  | { kind: "record"; board: number; event: string; rest: string }
  /** A record that does not fit its check: nothing in it can be believed. */
  | { kind: "damaged"; text: string };

/**
 * @param raw a line as it came, with the prompts and cursor codes of the REPL in it
 * @returns what stands in it, in order: where a newline was lost, the carriage return before it still parts two lines
 */
export function readLine(raw: string): ConsoleLine[] {
  return raw.split("\r").flatMap((part): ConsoleLine[] => {
    const text = part.replace(CURSOR_CODES, "").trim();
    if (text === "" || text === ">") return [];
    const [, checked = "", time, event = "", rest = "", check] = RECORD.exec(text) ?? [];
    if (check !== undefined && check === lineCheck(checked))
      return [{ kind: "record", board: Number(time), event, rest }];
    return [{ kind: REMAINS.test(text) ? "damaged" : "text", text }];
  });
}

/** @param text what stands between the `@` and the `*` of a record */
export function lineCheck(text: string): string {
  return checkOf(text, crc32).toString(36);
}
