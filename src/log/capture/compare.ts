/** The frames that were captured on a station's line against those that a run's log has from this station. */

import { wireLine } from "../crc.ts";
import type { RunSource } from "../file/source.ts";
import type { FrameRecord } from "../records.ts";
import { EVENT_CODE } from "../records.ts";
import { align } from "./align.ts";
import type { CapturedFrame } from "./frame-decoder.ts";

export interface LoggedFrame {
  seq: number;
  /** When the transmission started, microseconds of the run. */
  t: number;
  to: number;
  line: string;
}

export interface LineComparison {
  station: number;
  equal: number;
  /** In the log and not in the capture, between two that are equal. */
  missing: LoggedFrame[];
  /** In the capture and not in the log, or no good frame. */
  extra: CapturedFrame[];
  /** In the log before the first and behind the last equal frame: the capture may not have been running. */
  outside: number;
  /** What to add to a time of the capture to get the run's, microseconds; absent where the capture has no times. */
  offset?: number;
  /** How far the times are apart with the offset taken off, microseconds. */
  apart?: { p50: number; max: number };
}

/** Frames on the line of each station, in the order in which they were transmitted. */
export function loggedFrames(source: RunSource): Map<number, LoggedFrame[]> {
  const lines = new Map<number, LoggedFrame[]>(source.header.stations.map((id) => [id, []]));
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) {
      const event = columns.event[i];
      const took = columns.took[i] as number;
      if (event !== EVENT_CODE.hop && !(event === EVENT_CODE.dropped && took > 0)) continue;
      const record = columns.get(i) as FrameRecord;
      const frame = { seq: record.seq, t: record.t - took, to: record.to, line: wireLine(record) };
      const list = lines.get(record.from);
      if (list) list.push(frame);
      else lines.set(record.from, [frame]);
    }
  }
  for (const list of lines.values()) list.sort((a, b) => a.t - b.t || a.seq - b.seq);
  return lines;
}

export function compareLine(
  station: number,
  logged: readonly LoggedFrame[],
  captured: readonly CapturedFrame[],
): LineComparison {
  const good = captured.filter(({ line }) => line !== undefined);
  const pairs = align(
    logged.map(({ line }) => line),
    good.map(({ line }) => line as string),
  );
  const [first, last] = [pairs[0]?.[0] ?? 0, pairs.at(-1)?.[0] ?? -1];
  const inLog = new Set(pairs.map(([i]) => i));
  const inCapture = new Set(pairs.map(([, j]) => good[j]));
  const missing = logged.filter((_, i) => i > first && i < last && !inLog.has(i));
  const comparison: LineComparison = {
    station,
    equal: pairs.length,
    missing,
    extra: captured.filter((frame) => !inCapture.has(frame)),
    outside: logged.length - pairs.length - missing.length,
  };
  const ahead = pairs.flatMap(([i, j]) => {
    const at = good[j]?.at;
    return at === undefined ? [] : [(logged[i] as LoggedFrame).t - at];
  });
  if (ahead.length === 0) return comparison;
  const offset = middle(ahead);
  const apart = ahead.map((difference) => Math.abs(difference - offset));
  return {
    ...comparison,
    offset,
    apart: { p50: middle(apart), max: apart.reduce((a, b) => Math.max(a, b), 0) },
  };
}

/**
 * Which station's line it is: the one whose log has most of the captured frames.
 * @returns undefined where no station's log has any
 */
export function findStation(
  logged: ReadonlyMap<number, readonly LoggedFrame[]>,
  captured: readonly CapturedFrame[],
): number | undefined {
  const lines = new Set(captured.map(({ line }) => line));
  let best: number | undefined;
  let most = 0;
  for (const [station, frames] of logged) {
    const hits = new Set(frames.map(({ line }) => line).filter((line) => lines.has(line))).size;
    if (hits > most) [best, most] = [station, hits];
  }
  return best;
}

function middle(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] as number;
}
