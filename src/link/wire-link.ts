import { LinkError } from "./errors.ts";
import { LineReader } from "./line-reader.ts";
import type { Link, LinkCounters, LinkListener, LinkOptions, LinkState } from "./link.ts";
import { guarded } from "./listener.ts";
import { type Clock, hostClock, hostTimers, LATE, type Timers, within } from "./time.ts";
import { WriteQueue } from "./write-queue.ts";

/**
 * One connection of one kind of line. Made fresh for every opening and never opened again: what an ended connection
 * still has under way cannot reach the next one. Only `open` may fail, the rest must not throw.
 */
export interface Wire {
  /** Resolves when bytes can pass. Rejects with the raw cause. */
  open(): Promise<void>;
  /** `done` once the line has taken the bytes, or with the error. */
  write(bytes: Buffer, done: (error?: Error | null) => void): void;
  /** `done` once what the line has taken is out, as far as the system can tell. */
  drain(done: () => void): void;
  /** Frees the port, at any time, also while opening. `done` when it is free. */
  close(done: () => void): void;
}

export interface WireSink {
  /** Not before the wire is open. */
  bytes(chunk: Uint8Array): void;
  /** The other side went away. Later calls are ignored. */
  lost(reason: string): void;
}

/** What a kind of line brings. */
export interface WireKind {
  make(sink: WireSink): Wire;
  /** See `Link.otherReaders`. */
  otherReaders?(): string[];
  /** Turns what `make` or `open` threw into one clear line. */
  explain(cause: unknown): LinkError;
}

interface Connection {
  wire: Wire;
  reader: LineReader;
  queue: WriteQueue;
  /** What tells each waiting flush that the connection has ended. */
  flushes: Set<() => void>;
  lostBecause?: string;
}

interface Attempt {
  result: Promise<void>;
  connection?: Connection;
  abandon(error: LinkError): void;
}

const LIMITS = {
  lineLimit: 256,
  queueBytes: 65_536,
  openLimitMs: 5000,
  writeLimitMs: 5000,
  closeLimitMs: 2000,
};

/** States, queues, limits and listeners: the same for every kind of line. */
export class WireLink implements Link {
  readonly path: string;
  listener: LinkListener;
  readonly #kind: WireKind;
  readonly #limits: typeof LIMITS;
  readonly #clock: Clock;
  readonly #timers: Timers;
  #state: LinkState = "closed";
  #attempt: Attempt | undefined;
  #connection: Connection | undefined;
  /** Settled when the ports of all earlier connections are free again. */
  #released: Promise<unknown> = Promise.resolve();
  readonly #counters: LinkCounters = {
    bytesIn: 0,
    linesIn: 0,
    discarded: 0,
    flowControl: 0,
    truncated: 0,
    bytesOut: 0,
    refused: 0,
    unsent: 0,
    openings: 0,
    losses: 0,
    listenerErrors: 0,
    lastInAt: -1,
  };

  constructor(path: string, kind: WireKind, options: LinkOptions = {}) {
    const { listener = {}, clock = hostClock, timers = hostTimers, ...limits } = options;
    this.path = path;
    this.listener = listener;
    this.#kind = kind;
    this.#clock = clock;
    this.#timers = timers;
    this.#limits = { ...LIMITS, ...limits };
  }

  get state(): LinkState {
    return this.#state;
  }

  get counters(): Readonly<LinkCounters> {
    return this.#counters;
  }

  open(): Promise<void> {
    if (this.#connection) return Promise.resolve();
    if (this.#attempt) return this.#attempt.result;
    let abandon: Attempt["abandon"] = () => {};
    const abandoned = new Promise<never>((_, reject) => {
      abandon = reject;
    });
    const attempt: Attempt = { abandon, result: abandoned };
    this.#attempt = attempt;
    this.#become("opening");
    attempt.result = Promise.race([abandoned, this.#connect(attempt)]);
    // Whoever waits gets the rejection; an opening that nobody waits for must not end the process.
    attempt.result.catch(() => {});
    return attempt.result;
  }

  write(text: string): boolean {
    // Latin1 keeps the low byte of a character, so one like U+010A would become a newline: refused, not mangled.
    const accepted =
      this.#connection !== undefined &&
      !/[\u0100-\uffff]/.test(text) &&
      this.#connection.queue.push(Buffer.from(text, "latin1"));
    if (!accepted) this.#counters.refused += 1;
    return accepted;
  }

  flush(limitMs: number): Promise<boolean> {
    const connection = this.#connection;
    if (!connection) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (flushed: boolean) => {
        cancel();
        connection.flushes.delete(fail);
        resolve(flushed);
      };
      const fail = () => settle(false);
      const cancel = this.#timers.after(limitMs, fail);
      connection.flushes.add(fail);
      connection.queue.whenEmpty(() => connection.wire.drain(() => settle(true)));
    });
  }

  otherReaders(): string[] {
    return this.#kind.otherReaders?.() ?? [];
  }

  async close(): Promise<void> {
    const attempt = this.#attempt;
    const connection = this.#connection;
    const before = this.#state;
    this.#attempt = undefined;
    this.#state = "closed";
    if (attempt) {
      if (attempt.connection) this.#release(attempt.connection.wire);
      attempt.abandon(new LinkError("closed", this.path, "closed while it was opening"));
    }
    if (connection) this.#end(connection);
    if (before !== "closed") this.#tell((listener) => listener.onState?.("closed"));
    await this.#released;
  }

  async #connect(attempt: Attempt): Promise<void> {
    // The port stays locked until the connection before has let go of it.
    await this.#released;
    if (this.#attempt !== attempt) return;
    try {
      const connection = this.#makeConnection();
      attempt.connection = connection;
      const limitMs = this.#limits.openLimitMs;
      const result = await within(this.#timers, limitMs, connection.wire.open());
      if (this.#attempt !== attempt) return;
      if (result === LATE) throw LinkError.late(this.path, limitMs);
      if (connection.lostBecause) throw new LinkError("gone", this.path, connection.lostBecause);
      this.#attempt = undefined;
      this.#connection = connection;
    } catch (cause) {
      if (this.#attempt !== attempt) return;
      this.#attempt = undefined;
      if (attempt.connection) this.#release(attempt.connection.wire);
      this.#become("closed");
      throw cause instanceof LinkError ? cause : this.#kind.explain(cause);
    }
    this.#counters.openings += 1;
    this.#counters.lastInAt = this.#clock();
    this.#become("open");
  }

  #makeConnection(): Connection {
    const { lineLimit, queueBytes, writeLimitMs } = this.#limits;
    const wire = this.#kind.make({
      bytes: (chunk) => this.#received(connection, chunk),
      lost: (reason) => this.#lose(connection, reason),
    });
    const reader = new LineReader(lineLimit, {
      line: (text, at) => {
        this.#counters.linesIn += 1;
        this.#tell((listener) => listener.onLine?.(text, at));
      },
      overflow: (count, head) => {
        this.#counters.discarded += count;
        this.#tell((listener) => listener.onOverflow?.(count, head));
      },
      truncated: (text, at) => {
        this.#counters.truncated += 1;
        this.#tell((listener) => listener.onTruncated?.(text, at));
      },
    });
    const queue = new WriteQueue({
      maxBytes: queueBytes,
      limitMs: writeLimitMs,
      timers: this.#timers,
      send: (piece, done) => wire.write(piece, done),
      sent: (count) => {
        this.#counters.bytesOut += count;
      },
      failed: (reason) => this.#lose(connection, reason),
    });
    const connection: Connection = { wire, reader, queue, flushes: new Set() };
    return connection;
  }

  #received(connection: Connection, chunk: Uint8Array): void {
    if (this.#connection !== connection) return;
    const at = this.#clock();
    this.#counters.bytesIn += chunk.length;
    this.#counters.lastInAt = at;
    this.#tell((listener) => listener.onBytes?.(chunk, at));
    const before = connection.reader.flowControl;
    connection.reader.push(chunk, at);
    this.#counters.flowControl += connection.reader.flowControl - before;
  }

  #lose(connection: Connection, reason: string): void {
    connection.lostBecause = reason;
    if (this.#connection !== connection) return;
    this.#state = "lost";
    this.#counters.losses += 1;
    this.#end(connection);
    this.#tell((listener) => listener.onState?.("lost"));
    this.#tell((listener) => listener.onLost?.(reason));
  }

  #end(connection: Connection): void {
    this.#connection = undefined;
    this.#counters.unsent += connection.queue.stop();
    for (const fail of [...connection.flushes]) fail();
    this.#release(connection.wire);
    connection.reader.end(this.#clock());
  }

  #release(wire: Wire): void {
    const closing = new Promise<void>((resolve) => wire.close(resolve));
    const bounded = within(this.#timers, this.#limits.closeLimitMs, closing);
    this.#released = Promise.all([this.#released, bounded]);
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#tell((listener) => listener.onState?.(state));
  }

  #tell(call: (listener: LinkListener) => unknown): void {
    guarded(
      () => call(this.listener),
      this.path,
      () => {
        this.#counters.listenerErrors += 1;
        return this.#counters.listenerErrors;
      },
    );
  }
}
