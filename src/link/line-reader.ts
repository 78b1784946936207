import { ReadlineParser } from "@serialport/parser-readline";
import { LineGuard } from "./line-guard.ts";

export interface ReaderSink {
  line(text: string, at: number): void;
  overflow(count: number, head: string): void;
  truncated(text: string, at: number): void;
}

/** Makes lines of the bytes of one connection: the guard, then the ReadlineParser. */
export class LineReader {
  readonly #guard: LineGuard;
  readonly #sink: ReaderSink;
  #at = 0;
  #stopped = false;

  /** @throws RangeError on a limit that is no whole number of at least 1 */
  constructor(limit: number, sink: ReaderSink) {
    // Object mode keeps line and line apart, in byte mode a reader may get two glued together.
    const parser = new ReadlineParser({ delimiter: "\n", readableObjectMode: true, encoding: "latin1" });
    this.#sink = sink;
    this.#guard = new LineGuard(limit, {
      // With a data listener and nothing buffered a Transform passes on within the call, so `#at` is that of the chunk.
      lines: (bytes) => parser.write(bytes),
      overflow: (count, head) => {
        if (!this.#stopped) sink.overflow(count, head);
      },
    });
    parser.on("data", (line: string) => {
      if (!this.#stopped) sink.line(line.endsWith("\r") ? line.slice(0, -1) : line, this.#at);
    });
  }

  get flowControl(): number {
    return this.#guard.flowControl;
  }

  push(chunk: Uint8Array, at: number): void {
    this.#at = at;
    this.#guard.push(chunk);
  }

  /** Ends the connection's stream, reports an unterminated tail, and gives no line after that. */
  end(at: number): void {
    if (this.#stopped) return;
    this.#stopped = true;
    const tail = this.#guard.end();
    if (tail !== "") this.#sink.truncated(tail, at);
  }
}
