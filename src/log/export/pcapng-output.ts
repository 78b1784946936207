/** A capture that is written while the ring runs, to a file, a named pipe or stdout. */
import type { RecordColumns } from "../columns.ts";
import type { RecordConsumer } from "../consumer.ts";
import type { Output } from "../file/output.ts";
import type { RunHeader } from "../records.ts";
import { PcapngStream } from "./pcapng.ts";

export class PcapngOutput implements RecordConsumer {
  readonly #output: Output;
  readonly #stream: PcapngStream;

  /** @throws UsageError where it cannot be written; a reader that went away is one line too */
  constructor(output: Output, header: RunHeader) {
    this.#output = output;
    this.#stream = new PcapngStream((bytes) => output.write(bytes), header);
  }

  /** @throws UsageError where it cannot be written */
  write(columns: RecordColumns, from: number, to: number): void {
    this.#stream.write(columns, from, to);
  }

  ready(): Promise<void> | null {
    return this.#output.ready();
  }

  close(): void | Promise<void> {
    return this.#output.finish();
  }
}
