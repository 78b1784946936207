import type { Clock, Timers } from "./time.ts";

/**
 * `closed`: not opened, closed by its owner, or the opening failed. `lost`: it was open and the other side went away.
 * Only `open` takes writes. A link that is closed or lost can be opened again; each opening is a fresh connection.
 */
export type LinkState = "closed" | "opening" | "open" | "lost";

/**
 * What a link tells its owner. Text is latin1: one character per byte, 0 to 255. `at` is host time in microseconds, the
 * moment the bytes arrived. An exception or a rejection in here is counted and reported once as a process warning; it
 * never reaches the link.
 */
export interface LinkListener {
  /** One line without its newline and without one carriage return before that. */
  onLine?(text: string, at: number): unknown;
  /** Every chunk as it came, before lines are made of it. */
  onBytes?(bytes: Uint8Array, at: number): unknown;
  onState?(state: LinkState): unknown;
  /** The other side went away; follows `onState("lost")`. One line of words. */
  onLost?(reason: string): unknown;
  /**
   * `count` bytes of a line over the limit were thrown away. `head` is how that line began, "" when an earlier call has
   * told it. The counts of a line add up to its length.
   */
  onOverflow?(count: number, head: string): unknown;
  /** The connection ended in the middle of a line; this much of it had come. It is not a line: do not act on it. */
  onTruncated?(text: string, at: number): unknown;
}

/** Totals since the link was made, over all its connections. */
export interface LinkCounters {
  bytesIn: number;
  linesIn: number;
  /** Bytes of lines over the limit. */
  discarded: number;
  /** XON and XOFF bytes taken out of the lines. */
  flowControl: number;
  /** Connections that ended in the middle of a line. */
  truncated: number;
  /** Bytes that the line has taken. */
  bytesOut: number;
  /** Writes refused: not open, queue full, or a character that is no byte. */
  refused: number;
  /** Bytes accepted by `write` that the connection did not live to carry. */
  unsent: number;
  openings: number;
  losses: number;
  listenerErrors: number;
  /** Host time of the last byte in, or of the opening before any came; -1 before the first opening. */
  lastInAt: number;
}

/** One byte link to a board or a peer. No method throws, and only `open` rejects. */
export interface Link {
  readonly path: string;
  readonly state: LinkState;
  readonly counters: Readonly<LinkCounters>;
  /** The one listener; whoever takes the link over replaces it. */
  listener: LinkListener;
  /**
   * Opens a fresh connection. Rejects with a LinkError (one clear line). Nothing to do when open already; a call while
   * opening joins that opening.
   */
  open(): Promise<void>;
  /**
   * Queues text for the line, in order. False when refused: not open, more than the queue holds, or a character above
   * U+00FF. What was refused is never sent later, nor is anything accepted here carried into the next connection.
   */
  write(text: string): boolean;
  /** True once everything accepted so far has left; false when that takes longer than `limitMs` or the link ends. */
  flush(limitMs: number): Promise<boolean>;
  /** Other programs that have the port open, as far as the system tells: each takes bytes away from us. */
  otherReaders?(): string[];
  /** Ends the connection and throws away what is still queued. Resolves when the port is free again, within a limit. */
  close(): Promise<void>;
}

export interface LinkOptions {
  listener?: LinkListener;
  /** Default: microseconds since this process started. */
  clock?: Clock;
  timers?: Timers;
  /** Longest line in bytes, without its line end. Default 256. */
  lineLimit?: number;
  /** Most bytes accepted and not yet taken by the line. Default 65536. */
  queueBytes?: number;
  /** Default 5000. */
  openLimitMs?: number;
  /** The line must take a piece of at most 1024 bytes (1.1 s at 9600 baud) within this, or is lost. Default 5000. */
  writeLimitMs?: number;
  /** Default 2000. */
  closeLimitMs?: number;
}
