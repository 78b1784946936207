/** A virtual clock and a board with its ports held by the test. */

import { type Board, type BoardOptions, createBoard } from "../../src/emulator/board.ts";
import type { Clock } from "../../src/emulator/hardware/clock.ts";
import type { Burst, ConsolePort, UartPort } from "../../src/emulator/hardware/ports.ts";
import { picoProfile } from "../../src/emulator/hardware/profile.ts";

export class VirtualClock implements Clock {
  private nowUs = 0;
  private order = 0;
  private heap: { atUs: number; order: number; fn: () => void; live: boolean }[] = [];
  fired = 0;

  now(): number {
    return this.nowUs;
  }

  at(timeUs: number, fn: () => void): () => void {
    const entry = { atUs: Math.max(timeUs, this.nowUs), order: this.order++, fn, live: true };
    this.heap.push(entry);
    let i = this.heap.length - 1;
    for (let up = (i - 1) >> 1; i > 0 && this.before(i, up); up = (i - 1) >> 1) {
      this.swap(i, up);
      i = up;
    }
    return () => {
      entry.live = false;
    };
  }

  private before(a: number, b: number): boolean {
    const x = this.heap[a]!;
    const y = this.heap[b]!;
    return x.atUs < y.atUs || (x.atUs === y.atUs && x.order < y.order);
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
  }

  private pop() {
    const top = this.heap[0];
    const last = this.heap.pop();
    if (top === undefined || last === undefined || this.heap.length === 0) return top;
    this.heap[0] = last;
    for (let i = 0; ; ) {
      let small = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < this.heap.length && this.before(child, small)) small = child;
      }
      if (small === i) return top;
      this.swap(i, small);
      i = small;
    }
  }

  /** Live entries still to come. */
  get pending(): number {
    return this.heap.filter((entry) => entry.live).length;
  }

  runUntil(timeUs: number): void {
    for (let top = this.heap[0]; top !== undefined && top.atUs <= timeUs; top = this.heap[0]) {
      this.pop();
      if (!top.live) continue;
      this.nowUs = top.atUs;
      this.fired++;
      top.fn();
    }
    this.nowUs = Math.max(this.nowUs, timeUs);
  }

  run(ms: number): void {
    this.runUntil(this.nowUs + ms * 1000);
  }
}

/** A console port in the test's hands. */
export class TestConsole implements ConsolePort {
  output = "";
  reads = true;
  private data: ((bytes: Uint8Array) => void) | undefined;
  private reader: ((reads: boolean) => void) | undefined;
  /** What the board asks of the other end. */
  pause: (paused: boolean) => void = () => {};

  write(bytes: Uint8Array): boolean {
    if (!this.reads) return false;
    this.output += Buffer.from(bytes).toString("latin1");
    return true;
  }

  onData(listener: (bytes: Uint8Array) => void): void {
    this.data = listener;
  }

  onReader(listener: (reads: boolean) => void): void {
    this.reader = listener;
  }

  send(text: string): void {
    this.data?.(Buffer.from(text, "latin1"));
  }

  setReads(reads: boolean): void {
    this.reads = reads;
    this.reader?.(reads);
  }

  /** What came since the last call. */
  take(): string {
    const text = this.output;
    this.output = "";
    return text;
  }
}

/** The far end of a UART, in the test's hands. */
export class TestUart implements UartPort {
  /** What the board sent, with the time at which each piece was out. */
  readonly pieces: { text: string; atUs: number }[] = [];
  private readonly clock: Clock;
  private data: ((bytes: Uint8Array, burst?: Burst) => void) | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  write(bytes: Uint8Array): void {
    this.pieces.push({ text: Buffer.from(bytes).toString("latin1"), atUs: this.clock.now() });
  }

  onData(listener: (bytes: Uint8Array, burst?: Burst) => void): void {
    this.data = listener;
  }

  send(text: string, burst?: Burst): void {
    this.data?.(Buffer.from(text, "latin1"), burst);
  }

  take(): string {
    return this.pieces
      .splice(0)
      .map((piece) => piece.text)
      .join("");
  }
}

export interface Bench {
  readonly clock: VirtualClock;
  readonly console: TestConsole;
  /** The far end of Serial1, wired when asked for. */
  readonly serial1: TestUart;
  readonly board: Board;
  /** Sends text, lets a second pass and returns the answer. */
  ask(text: string, ms?: number): string;
}

export interface BenchOptions extends Partial<BoardOptions> {
  /** Saved code, run at boot. */
  readonly code?: string;
  /** Serial1 leads to `serial1`. */
  readonly wired?: boolean;
  /** A board without USB: the console is on Serial1 at 9600 baud. */
  readonly uartConsole?: boolean;
}

/** A board on a virtual clock, booted and past the second in which it looks for its console. */
export function bench(options: BenchOptions = {}): Bench {
  const clock = options.clock instanceof VirtualClock ? options.clock : new VirtualClock();
  const console = new TestConsole();
  const serial1 = new TestUart(clock);
  const { code, wired, uartConsole, ...rest } = options;
  const board = createBoard({
    console,
    ...(wired ? { uarts: { Serial1: serial1 } } : {}),
    ...(uartConsole ? { profile: { ...picoProfile, console: "Serial1" } } : {}),
    ...rest,
    clock,
    poweredOff: true,
  });
  if (code !== undefined) board.storage.write(".bootcde", Buffer.from(code, "latin1"));
  if (!options.poweredOff) {
    board.powerOn();
    clock.run(1100);
  }
  return {
    clock,
    console,
    serial1,
    board,
    ask(text, ms = 1000) {
      console.take();
      console.send(text);
      clock.run(ms);
      return console.take();
    },
  };
}
