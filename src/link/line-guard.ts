const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const XON = 0x11;
const XOFF = 0x13;
const HEAD_BYTES = 64;

export interface GuardSink {
  /** One or more whole lines, each with its newline. The bytes are valid during the call only. */
  lines(bytes: Buffer): void;
  /** See LinkListener.onOverflow. */
  overflow(count: number, head: string): void;
}

/**
 * Stands before a line parser that has no limit. Lets whole lines through, discards a line of more than `limit` bytes
 * (its line end not counted) up to the next newline, and takes out XON and XOFF. It keeps at most one line, so its
 * memory is bounded, and it looks at each byte a fixed number of times however the stream is cut.
 */
export class LineGuard {
  /** XON and XOFF bytes taken out. */
  flowControl = 0;
  readonly #limit: number;
  readonly #sink: GuardSink;
  /** The line under way. One byte more than the limit for a carriage return, and one for the newline. */
  readonly #line: Buffer;
  #held = 0;
  #discarding = false;

  /** @throws RangeError when `limit` is not a whole number of at least 1 */
  constructor(limit: number, sink: GuardSink) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`line limit ${limit}: give a whole number of bytes, 1 or more`);
    }
    this.#limit = limit;
    this.#sink = sink;
    this.#line = Buffer.alloc(limit + 2);
  }

  /** Bytes of the line under way that are kept. At most `limit` + 1. */
  get held(): number {
    return this.#held;
  }

  push(chunk: Uint8Array): void {
    const bytes = this.#withoutFlowControl(chunk);
    let passed = 0;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const whole = this.#held === 0 && !this.#discarding && this.#fits(bytes, start, end);
      if (!whole) {
        // Lines keep their order: first those that came before this one.
        if (passed < start) this.#sink.lines(bytes.subarray(passed, start));
        this.#add(bytes, start, end);
        this.#endLine();
        passed = end + 1;
      }
      start = end + 1;
    }
    if (passed < start) this.#sink.lines(bytes.subarray(passed, start));
    if (start < bytes.length) this.#add(bytes, start, bytes.length);
  }

  /** Ends the stream. Returns the unterminated tail, "" when there is none or when it was being discarded. */
  end(): string {
    const tail = this.#line.toString("latin1", 0, this.#held);
    this.#held = 0;
    this.#discarding = false;
    return tail;
  }

  #fits(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    return length <= this.#limit || (length === this.#limit + 1 && bytes[end - 1] === CARRIAGE_RETURN);
  }

  #add(bytes: Buffer, start: number, end: number): void {
    if (end === start) return;
    if (this.#discarding) {
      this.#sink.overflow(end - start, "");
      return;
    }
    const length = this.#held + end - start;
    const room = this.#line.length - 1;
    const copied = bytes.copy(this.#line, this.#held, start, Math.min(end, start + room - this.#held));
    this.#held += copied;
    if (length <= room && this.#fits(this.#line, 0, length)) return;
    this.#discarding = true;
    const head = this.#line.toString("latin1", 0, Math.min(this.#held, HEAD_BYTES));
    this.#held = 0;
    this.#sink.overflow(length, head);
  }

  #endLine(): void {
    const held = this.#held;
    const discarded = this.#discarding;
    this.#held = 0;
    this.#discarding = false;
    if (discarded) return;
    this.#line[held] = NEWLINE;
    this.#sink.lines(this.#line.subarray(0, held + 1));
  }

  #withoutFlowControl(chunk: Uint8Array): Buffer {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (!bytes.includes(XON) && !bytes.includes(XOFF)) return bytes;
    const kept = bytes.filter((byte) => byte !== XON && byte !== XOFF);
    this.flowControl += bytes.length - kept.length;
    return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  }
}
