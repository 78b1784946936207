/** What the frames that pass tell of a ring to who has missed the records of its elections. */
import type { RecordColumns } from "./columns.ts";

/** @returns the epoch of record `i`, a token; -1 for text, as a file can have it */
export function tokenEpoch(columns: RecordColumns, i: number): number {
  return columns.arg(i, 0);
}

/** @returns what record `i` says, an announcement: the active monitor is the coordinator */
export function announcementOf(columns: RecordColumns, i: number): { coordinator: number; epoch: number } {
  return { coordinator: columns.frame(i).src, epoch: columns.arg(i, 0) };
}
