/** Which records tell a story, and which are only the ring at rest. */
import type { RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE, FRAME_EVENTS } from "../../log/records.ts";

/** Frames that go round while nothing happens. */
const IDLE_FRAMES = new Set(["TOK", "AMP"]);

/** Events that only repeat what another one says. */
const QUIET = new Set<number>([EVENT_CODE.received, EVENT_CODE.hello, EVENT_CODE.stamp, EVENT_CODE.clock]);

/** @returns whether record `i` is more than an idle rotation */
export function isNotable(columns: RecordColumns, i: number): boolean {
  const code = columns.event[i] as number;
  if (code >= FRAME_EVENTS.length) return true;
  return code !== 0 || !IDLE_FRAMES.has(columns.frameTypes[columns.type[i] as number] as string);
}

/** @returns whether record `i` is told in a sentence: what happens to frames only where it is a fault */
export function isTold(columns: RecordColumns, i: number): boolean {
  const code = columns.event[i] as number;
  if (code === 0 || code === EVENT_CODE.transmitted) return false;
  return !QUIET.has(code);
}
