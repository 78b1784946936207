/** How a run ends, in few numbers, so that two branches can be compared. */
import type { RecordColumns } from "../../../log/columns.ts";
import { Tally } from "../../../log/summary/tally.ts";

export interface RunEnd {
  /** Microseconds. */
  until: number;
  coordinator: number;
  epoch: number;
  entries: number;
  /** Messages in the textbook's sense. */
  messages: number;
  tokensLost: number;
  violation: string;
}

export function endOf(columns: RecordColumns, until: number, violation: string): RunEnd {
  const tally = new Tally();
  tally.write(columns, 0, columns.length);
  return {
    until,
    coordinator: tally.coordinator,
    epoch: tally.epoch,
    entries: tally.count("enter"),
    messages: Object.values(tally.messages).reduce((sum, n) => sum + n, 0),
    tokensLost: tally.count("lost"),
    violation,
  };
}
