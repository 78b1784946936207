/** The records that led to a violation, in words. */
import type { Violation } from "../../check/observer.ts";
import type { RecordColumns } from "../../log/columns.ts";
import { recordLine } from "../../log/file/lines.ts";
import { EVENT_CODE } from "../../log/records.ts";

/** Records right before the violation. */
const LAST = 18;
/** Faults before those. */
const FAULTS = 8;

/** @returns at most 27 lines: the last faults, then the last records, the last of which shows the violation */
export function traceOf(records: RecordColumns, violation: Violation): string[] {
  const last: number[] = [];
  let i = violation.record;
  // What was transmitted shows again when it arrives.
  for (; i >= 0 && last.length < LAST; i--) {
    if (records.event[i] !== EVENT_CODE.transmitted) last.unshift(i);
  }
  const faults: number[] = [];
  for (; i >= 0 && faults.length < FAULTS; i--) {
    if (records.event[i] === EVENT_CODE.fault) faults.unshift(i);
  }
  const lines = (places: readonly number[]) => places.map((place) => recordLine(records.get(place)));
  return faults.length ? [...lines(faults), "...", ...lines(last)] : lines(last);
}
