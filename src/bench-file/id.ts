import { quote, UsageError } from "../errors.ts";

/** The highest station id; 251 to 255 are kept for addresses with a meaning of their own. */
export const MAX_ID = 250;

/** Ids in words, for messages. */
export const ID_RANGE = `a whole number from 0 to ${MAX_ID}`;

/** Whether a value is a station id. */
export function isId(value: unknown): value is number {
  return (
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_ID && !Object.is(value, -0)
  );
}

/**
 * Reads a station id that a person typed. There is one way to write an id: decimal digits, nothing before or after
 * them, no leading zero. So that a station has the same name in every map, log and frame, every other way of writing
 * a number (`03`, `3.0`, ` 3`, `+3`, `0x3`) is refused, with the right way where there is one.
 *
 * @param text what was typed
 * @param where what it was typed for (`--down`), put before the message
 * @throws UsageError with one line
 */
export function parseId(text: string, where = "station id"): number {
  if (text === "") throw new UsageError(`${where} is missing: write ${ID_RANGE}`);
  const value = Number(text);
  if (text.trim() === "" || !isId(value === 0 ? 0 : value)) {
    throw new UsageError(`${where} must be ${ID_RANGE}, not ${quote(text)}`);
  }
  const normal = String(Math.abs(value));
  if (text !== normal) throw new UsageError(`${where}: write ${normal}, not ${quote(text)}`);
  return value;
}
