/** Simulated rings for the tests, and what their records say. */
import { crc32 } from "../../firmware/crc32.js";
import { encode } from "../../firmware/frame.js";
import type { Frame } from "../../firmware/types.d.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import {
  type FrameRecord,
  isFrameRecord,
  type RunRecord,
  type StationRecord,
} from "../../src/log/records.ts";
import { DEFAULT_PLAN, type Plan } from "../../src/simulation/plan.ts";
import { Simulation } from "../../src/simulation/simulation.ts";

/** A ring whose stations are not powered up: nothing moves but what the test sends. */
export function quietRing(changes: Partial<Plan> = {}): Simulation {
  return new Simulation({ ...DEFAULT_PLAN, ...changes }, new RecordColumns());
}

export function recordsOf(sim: Simulation): RunRecord[] {
  return Array.from({ length: sim.records.length }, (_, i) => sim.records.get(i));
}

export function framesOf(sim: Simulation): FrameRecord[] {
  return recordsOf(sim).filter(isFrameRecord);
}

export function eventsOf(sim: Simulation): StationRecord[] {
  return recordsOf(sim).filter((record): record is StationRecord => !isFrameRecord(record));
}

/** A neighbour frame that its receiver records and does not pass on. */
export const hello = (src: number, boot: number): Frame => ({
  type: "HEL",
  src,
  dst: 253,
  args: [boot],
  flags: 0,
});

export const bytesOf = (frame: Frame): number => encode(frame, crc32).length;
