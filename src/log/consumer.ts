import type { RecordColumns } from "./columns.ts";

/** Takes records as they come: a writer, a view, a counter, an observer. */
export interface RecordConsumer {
  /** Records `from` to `to` - 1 of the columns; they are gone when the call returns. */
  write(columns: RecordColumns, from: number, to: number): void;
}
