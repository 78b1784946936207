/** What the frames that pass tell of a ring to who has missed the records of its elections. */
import { FRAME_KIND, type RecordColumns, TO_NEIGHBOUR } from "./columns.ts";

/** @returns the epoch of record `i`, a token; -1 for text, as a file can have it */
export function tokenEpoch(columns: RecordColumns, i: number): number {
  const plain = ((columns.flags[i] as number) & FRAME_KIND) === TO_NEIGHBOUR;
  return plain ? (columns.a[i] as number) : numberOf(columns.frame(i).args[0]);
}

/** @returns what record `i` says, an announcement: the active monitor is the coordinator */
export function announcementOf(columns: RecordColumns, i: number): { coordinator: number; epoch: number } {
  const { src, args } = columns.frame(i);
  return { coordinator: src, epoch: numberOf(args[0]) };
}

function numberOf(value: number | string | undefined): number {
  return typeof value === "number" ? value : -1;
}
