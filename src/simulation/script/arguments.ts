/** What the actions of a script take as arguments: stations, times, numbers, frames. */
import { crc32 } from "../../../firmware/crc32.js";
import { decode, encode } from "../../../firmware/frame.js";
import { frameTypes } from "../../../firmware/registry.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { parseIds } from "../../bench-file/id.ts";
import { quote, UsageError } from "../../errors.ts";
import { MOST_MS } from "../plan.ts";

/** What an argument may name: the stations of a ring, by id. */
export interface Members {
  readonly plan: { readonly ids: readonly number[] };
  /** @returns -1 when no station has this id */
  positionOf(id: number): number;
}

const MOST_MICROS = 1000 * MOST_MS;

/**
 * @param text a duration up to 24 days: `2s`, `250ms`, `40us`, `1m`
 * @returns microseconds
 * @throws UsageError
 */
export function parseTime(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(us|µs|ms|s|m)$/.exec(text);
  if (!match) throw new UsageError(`${quote(text)} is not a time: write for example 2s, 250ms, 40us or 1m`);
  const unit = { us: 1, µs: 1, ms: 1e3, s: 1e6, m: 6e7 }[match[2] as "us"];
  const micros = Math.round(Number(match[1]) * unit);
  if (micros > MOST_MICROS)
    throw new UsageError(`${quote(text)} is too long: write at most ${MOST_MICROS / 6e7}m (24 days)`);
  return micros;
}

/** @returns microseconds, negative for `-2s` @throws UsageError */
export function parseSignedTime(text: string): number {
  return text.startsWith("-") ? -parseTime(text.slice(1)) : parseTime(text);
}

/** @throws UsageError when the text is no number, or outside the range */
export function parseNumber(text: string, what: string, least: number, most: number): number {
  const n = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(n >= least && n <= most)) {
    throw new UsageError(`${quote(text)} is not ${what}: write a number from ${least} to ${most}`);
  }
  return n;
}

/** @throws UsageError when the text is no whole number, or outside the range */
export function parseCount(text: string, what: string, least: number, most: number): number {
  const n = parseNumber(text, what, least, most);
  if (!Number.isInteger(n)) throw new UsageError(`${quote(text)} is not ${what}: write a whole number`);
  return n;
}

/** @returns the type of a frame @throws UsageError when no protocol has it */
export function parseFrameType(text: string): string {
  if (!Object.hasOwn(frameTypes, text)) {
    throw new UsageError(
      `${quote(text)} is no type of frame: use one of ${Object.keys(frameTypes).join(", ")}`,
    );
  }
  return text;
}

/** @param text the body of a frame without `$` and frame check: `TOK,3,253,258,912,57` @throws UsageError */
export function parseFrame(text: string): Frame {
  const [type = "", src = "", dst = "", ...args] = text.split(",");
  const line = encode({ type, src: Number(src), dst: Number(dst), args, flags: 0 }, crc32);
  const frame = decode(line.trimEnd(), crc32, frameTypes);
  if (typeof frame === "string") {
    throw new UsageError(`${quote(text)} is no frame (${frame}): write for example TOK,3,253,258,912,57`);
  }
  return frame;
}

/** @returns the positions of stations written as `3`, `1,4`, `2-5` or `all` @throws UsageError */
export function positions(sim: Members, ids: string): number[] {
  if (ids === "all") return sim.plan.ids.map((_, i) => i);
  // One name alone may be any text: what is said of it is whom the ring has.
  if (!/[,-]/.test(ids)) return [position(sim, ids)];
  return parseIds(ids, "the list of stations").map((id) => position(sim, String(id)));
}

/** @returns the position of one station @throws UsageError when the ring has none with this id */
export function position(sim: Members, text: string): number {
  const found = /^(0|[1-9]\d*)$/.test(text) ? sim.positionOf(Number(text)) : -1;
  if (found < 0) {
    throw new UsageError(`no station of this ring is called ${quote(text)}: it has ${range(sim.plan.ids)}`);
  }
  return found;
}

/** @returns ids as a person reads them */
function range(ids: readonly number[]): string {
  return ids.length > 12 ? `${ids.length} stations, ${ids[0]} to ${ids[ids.length - 1]}` : ids.join(", ");
}

/** A text for a station: to whom, and the words as a frame can carry them. @throws UsageError when the id is none */
export function parseMessage([to = "", ...words]: readonly string[]): { to: number; text: string } {
  const text = encodeURIComponent(words.join(" ").replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /[*']/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return { to: parseCount(to, "a station's id", 0, 2 ** 31), text };
}
