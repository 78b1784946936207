import type { Timers } from "./time.ts";

/** Small enough to be through within a time limit at 9600 baud, large enough to cost no speed. */
const PIECE_BYTES = 1024;

export interface WriteQueueOptions {
  maxBytes: number;
  limitMs: number;
  timers: Timers;
  /** Hands one piece to the line; `done` once the line has taken it. One at a time. */
  send(piece: Buffer, done: (error?: Error | null) => void): void;
  sent(count: number): void;
  /** The line did not take a piece: an error, or the time limit. The queue sends nothing more. */
  failed(reason: string): void;
}

/** Bytes waiting for a line, bounded in size and time. */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: Buffer[] = [];
  #pending = 0;
  #sending = false;
  #stopped = false;
  #whenEmpty: (() => void)[] = [];
  #cancelLimit: () => void = () => {};

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** @returns false when it does not fit */
  push(bytes: Buffer): boolean {
    if (this.#stopped || this.#pending + bytes.length > this.#options.maxBytes) return false;
    if (bytes.length === 0) return true;
    this.#waiting.push(bytes);
    this.#pending += bytes.length;
    this.#sendNext();
    return true;
  }

  /** Calls `run` as soon as the line has taken everything; never when the queue is stopped before. */
  whenEmpty(run: () => void): void {
    if (this.#pending === 0) run();
    else this.#whenEmpty.push(run);
  }

  /** Sends nothing more. @returns how many bytes were accepted and not taken by the line */
  stop(): number {
    const unsent = this.#pending;
    this.#stopped = true;
    this.#cancelLimit();
    this.#waiting = [];
    this.#whenEmpty = [];
    this.#pending = 0;
    return unsent;
  }

  #sendNext(): void {
    if (this.#sending || this.#stopped || this.#waiting.length === 0) return;
    const piece = this.#takePiece();
    const { limitMs, timers, send, sent, failed } = this.#options;
    let settled = false;
    this.#sending = true;
    this.#cancelLimit = timers.after(limitMs, () => {
      if (!this.#stopped && !settled)
        failed(`nothing read for ${limitMs} ms while ${this.#pending} bytes wait`);
    });
    send(piece, (error) => {
      if (settled || this.#stopped) return;
      settled = true;
      this.#cancelLimit();
      if (error) return failed(error.message);
      this.#sending = false;
      this.#pending -= piece.length;
      sent(piece.length);
      this.#sendNext();
      if (this.#pending > 0) return;
      const waiting = this.#whenEmpty;
      this.#whenEmpty = [];
      for (const run of waiting) run();
    });
  }

  #takePiece(): Buffer {
    const first = this.#waiting.shift() ?? Buffer.alloc(0);
    if (first.length > PIECE_BYTES) {
      this.#waiting.unshift(first.subarray(PIECE_BYTES));
      return first.subarray(0, PIECE_BYTES);
    }
    let count = 0;
    let size = first.length;
    for (const next of this.#waiting) {
      if (size + next.length > PIECE_BYTES) break;
      size += next.length;
      count += 1;
    }
    return count === 0 ? first : Buffer.concat([first, ...this.#waiting.splice(0, count)]);
  }
}
