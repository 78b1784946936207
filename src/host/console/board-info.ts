/** What a board says of itself; it comes from outside, so every field is checked. */
import { LAST_ID } from "../../../firmware/frame.js";

/** What a board answers to `station.info`. */
export interface BoardInfo {
  /** Version of the console's calls; NaN where it says none. */
  console: number;
  /** The station's id, on a board that has been configured. */
  id?: number;
  /** Another number at each start of the board. */
  boot: number;
  /** Highest epoch that it knows; 0: none. */
  epoch: number;
  /** Names of the protocols that it carries beside the core. */
  protocols: string[];
  /** Espruino's name of the board type. */
  board: string;
  version: string;
  serial: string;
  /** Variables in use, of `total`. */
  usage: number;
  total: number;
}

const LONGEST_NAME = 40;
const MOST_NAMES = 40;

/** A text or a number, clipped; "" for anything else: an object may not even have a text. */
function words(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, LONGEST_NAME) : "";
}

/** @returns null for anything but a JSON object */
export function readInfo(json: string): BoardInfo | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const fields = value as { [name: string]: unknown };
  const number = (name: string) => (typeof fields[name] === "number" ? (fields[name] as number) : Number.NaN);
  const text = (name: string) => words(fields[name]);
  const id = number("id");
  const known = number("known");
  const names = Array.isArray(fields.has) ? fields.has.slice(0, MOST_NAMES) : [];
  return {
    console: number("console"),
    ...(Number.isInteger(id) && id >= 0 && id <= LAST_ID ? { id } : {}),
    boot: number("boot"),
    epoch: Number.isSafeInteger(known) && known > 0 ? known : 0,
    protocols: names.filter((name) => typeof name === "string").map(words),
    board: text("board"),
    version: text("version"),
    serial: text("serial"),
    usage: number("usage"),
    total: number("total"),
  };
}
