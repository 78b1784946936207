/** The arguments of the faults of frames, `drop 3 2 TOK` and `noise 3 10 2s`, as rules for a link. */

import type { LinkFaultKind, LinkRule } from "./link-faults.ts";
import { parseCount, parseFrameType, parseNumber, parseTime } from "./script/arguments.ts";

const MOST_FRAMES = 1_000_000;

/** A rule for a link that is still to be named. */
export type Rule = Omit<LinkRule, "position">;

/** @param args `[COUNT] [TYPE]`, with a time in front for `delay` @throws UsageError */
export function frameRule(kind: LinkFaultKind, args: readonly string[]): Rule {
  const [time = "", ...rest] = kind === "delay" ? args : ["", ...args];
  const delay = kind === "delay" ? parseTime(time) : 0;
  const [count = "1", type] = rest;
  const left = parseCount(count, "a number of frames", 1, MOST_FRAMES);
  const only = type === undefined ? {} : { type: parseFrameType(type) };
  return { kind, ...only, left, until: Infinity, chance: 1, delay };
}

/**
 * @param args `PERCENT TIME`
 * @returns the rule that holds from a time on, µs, in a ring with a rotation of so many ms
 * @throws UsageError
 */
export function noiseRule([share = "", time = ""]: readonly string[]): (
  now: number,
  rotation: number,
) => Rule {
  const chance = parseNumber(share, "a percentage", 0, 100) / 100;
  const micros = parseTime(time);
  return (now, rotation) => ({ left: Infinity, until: now + micros, chance, delay: rotation * 1000 });
}
