/** Which faults a run had. */
import type { RecordColumns } from "../log/columns.ts";
import { EVENT_CODE } from "../log/records.ts";

/** Recorded like faults, but they only end one. */
const ENDS = new Set(["calm", "heal", "mend", "resume", "insert"]);

/** @returns the number of faults injected, by kind */
export function faultsOf(records: RecordColumns): { [kind: string]: number } {
  const counts: { [kind: string]: number } = {};
  const down = new Set<number>();
  for (let i = 0; i < records.length; i++) {
    const station = records.station[i] as number;
    if (records.event[i] === EVENT_CODE.crash) down.add(station);
    if (records.event[i] === EVENT_CODE.restart) down.delete(station);
    if (records.event[i] !== EVENT_CODE.fault) continue;
    const kind = String(records.value(i, 0));
    const ends =
      ENDS.has(kind) ||
      (kind === "restart" && down.has(station)) ||
      (kind === "slow" && records.value(i, 1) === "1");
    if (!ends) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
