/** Running totals of a run, for the table at its end. */
import type { RecordColumns } from "./columns.ts";
import type { RecordConsumer } from "./consumer.ts";
import { EVENT_CODE, EVENT_NAMES } from "./records.ts";

export class Tally implements RecordConsumer {
  /** Number of records by event code. */
  readonly counts = new Float64Array(EVENT_NAMES.length);
  /** Messages in the textbook's sense, by name. */
  readonly messages: { [name: string]: number } = {};
  /** Hops by frame type. */
  readonly hopsByType: { [type: string]: number } = {};
  coordinator = -1;
  epoch = 0;
  records = 0;

  count(event: keyof typeof EVENT_CODE): number {
    return this.counts[EVENT_CODE[event]] as number;
  }

  write(columns: RecordColumns, from: number, to: number): void {
    this.records += to - from;
    const types = new Float64Array(columns.frameTypes.length);
    for (let i = from; i < to; i++) {
      const code = columns.event[i] as number;
      this.counts[code] = (this.counts[code] as number) + 1;
      if (code === EVENT_CODE.hop) {
        const type = columns.type[i] as number;
        types[type] = (types[type] as number) + 1;
      } else if (code === EVENT_CODE.sent) {
        const name = String(columns.value(i, 0));
        this.messages[name] = (this.messages[name] ?? 0) + 1;
      } else if (code === EVENT_CODE.coordinator) this.coordinator = columns.a[i] as number;
      else if (code === EVENT_CODE.regenerated) this.epoch = columns.a[i] as number;
    }
    types.forEach((n, type) => {
      const name = columns.frameTypes[type] as string;
      if (n) this.hopsByType[name] = (this.hopsByType[name] ?? 0) + n;
    });
  }
}
