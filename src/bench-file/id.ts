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

/** Ids above 250 up to this one are no stations: broadcast, neighbour and their like. */
const LAST_RESERVED = 255;

/** The highest id of a simulated ring that is wider than any board's. */
export const LAST_WIDE_ID = 999_999;

/** Whether a value is the id of a station, on a board or in a simulated ring that is wider than those of boards. */
export function isWideId(value: unknown): value is number {
  return (
    isId(value) ||
    (Number.isInteger(value) && (value as number) > LAST_RESERVED && (value as number) <= LAST_WIDE_ID)
  );
}

/** A list longer than this is a mistake. */
const MOST_IDS = 100_000;

/**
 * Reads a list of station ids that a person typed, each once: `3`, `1,4,7`, `0-7` or `1-3,9`. In simulated rings ids go on
 * from 256, since 251 to 255 are reserved: a range must not run across them.
 *
 * @param text what was typed
 * @param where what it was typed for (`--down`), put before the message
 * @throws UsageError with one line
 */
export function parseIds(text: string, where: string): number[] {
  const seen = new Set<number>();
  for (const part of text.split(",")) {
    const range = /^(\d+)-(\d+)$/.exec(part);
    const from = parseWideId(range ? (range[1] as string) : part, where);
    const to = range ? parseWideId(range[2] as string, where) : from;
    if (to < from)
      throw new UsageError(`${where}: ${quote(part)} is no range: write the lower id first, ${to}-${from}`);
    if (from <= MAX_ID && to > LAST_RESERVED) {
      throw new UsageError(
        `${where}: ${quote(part)} has the reserved ids 251 to 255 in it: write ${from}-${MAX_ID},${LAST_RESERVED + 1}-${to}`,
      );
    }
    if (seen.size + to - from >= MOST_IDS)
      throw new UsageError(`${where}: ${quote(part)} is too long a list: write at most ${MOST_IDS} ids`);
    for (let id = from; id <= to; id++) {
      if (seen.has(id)) throw new UsageError(`${where}: ${id} is there twice`);
      seen.add(id);
    }
  }
  return [...seen];
}

function parseWideId(text: string, where: string): number {
  const wide = /^[1-9]\d{2,5}$/.test(text) ? Number(text) : 0;
  if (wide > LAST_RESERVED) return wide;
  if (wide > MAX_ID) {
    throw new UsageError(
      `${where}: ${wide} is reserved: ids are 0 to ${MAX_ID}, and from ${LAST_RESERVED + 1} in wider simulated rings`,
    );
  }
  return parseId(text, where);
}
