import type { RecordColumns } from "./columns.ts";

/** Takes records as they come: a writer, a view, a counter, an observer. */
export interface RecordConsumer {
  /** Records `from` to `to` - 1 of the columns; they are gone when the call returns. */
  write(columns: RecordColumns, from: number, to: number): void;
  /** Null: it takes more now. Else settles when it does; a run that can wait waits for it. */
  ready?(): Promise<void> | null;
}

/** Hands records on to all that take them. They are gone afterwards, also where one of them fails. */
export function handOn(records: RecordColumns, consumers: readonly RecordConsumer[]): void {
  if (records.length === 0) return;
  try {
    for (const consumer of consumers) consumer.write(records, 0, records.length);
  } finally {
    records.clear();
  }
}
