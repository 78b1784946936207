/** A capture that is written while the ring runs, to a file, a named pipe or stdout. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { RecordColumns } from "../columns.ts";
import type { RecordConsumer } from "../consumer.ts";
import { fileError } from "../file/file-error.ts";
import type { RunHeader } from "../records.ts";
import { PcapngStream } from "./pcapng.ts";

const STDOUT = 1;

/** How long to wait for a reader that is behind, ms, before trying again. */
const AGAIN_MS = 5;

export class PcapngOutput implements RecordConsumer {
  readonly #path: string;
  readonly #fd: number;
  readonly #stream: PcapngStream;

  /**
   * @param path `-` is stdout, on which nothing else may be written then
   * @throws UsageError where it cannot be opened or written; a reader that went away is one line too
   */
  constructor(path: string, header: RunHeader) {
    this.#path = path === "-" ? "stdout" : path;
    try {
      this.#fd = path === "-" ? STDOUT : openSync(path, "w");
    } catch (cause) {
      throw fileError(path, "open", cause);
    }
    this.#stream = new PcapngStream((bytes) => this.#put(bytes), header);
  }

  write(columns: RecordColumns, from: number, to: number): void {
    this.#stream.write(columns, from, to);
  }

  close(): void {
    if (this.#fd !== STDOUT) closeSync(this.#fd);
  }

  #put(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.#fd, bytes, at, bytes.length - at);
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== "EAGAIN") throw fileError(this.#path, "write", cause);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
      }
    }
  }
}
