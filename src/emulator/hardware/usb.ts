/**
 * The USB serial port. The board notices whether the other end reads: ten ticks of 0.2 s without a read count as
 * unplugged, and what is sent to an unplugged USB is thrown away.
 */
import { ByteQueue } from "./byte-queue.ts";
import type { Clock } from "./clock.ts";
import type { ConsolePort } from "./ports.ts";

/** Ticks without a read until USB counts as unplugged. */
export const inactivityTicks = 10;
/** Bytes that wait on the host's side of the cable at which the host is asked to hold back, and to go on. */
const pauseBytes = 4096;
const resumeBytes = 1024;
/** Most bytes that wait there when the host does not hold back. */
const hostSideBytes = 64 * 1024;

export interface UsbEvents {
  /** Bytes came in. */
  arriving(): void;
  /** A byte as the interrupt sees it. */
  byte(value: number): void;
  /** More came in than both sides hold. */
  overflowed(): void;
  /** USB turned connected or unplugged. */
  connection(connected: boolean): void;
  /** Waiting output can go out again, or was thrown away. */
  writable(): void;
}

export class Usb {
  private readonly clock: Clock;
  private readonly port: ConsolePort;
  private readonly events: UsbEvents;
  private readonly tickUs: number;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private readonly txBuffer: number;
  private readonly input = new ByteQueue();
  private reads = true;
  private paused = false;
  private powered = false;
  private cancel: (() => void) | undefined;
  /** The other end has read within the last ten ticks. */
  connected = true;

  constructor(port: ConsolePort, clock: Clock, tickUs: number, txBuffer: number, events: UsbEvents) {
    this.port = port;
    this.clock = clock;
    this.tickUs = tickUs;
    this.txBuffer = txBuffer;
    this.events = events;
    port.onData((bytes) => this.receive(bytes));
    port.onReader?.((reads) => this.reader(reads));
  }

  private receive(bytes: Uint8Array): void {
    if (!this.powered) return;
    for (const byte of bytes) {
      // USB has its own flow control, so only a flood beyond both buffers is lost.
      if (this.input.length >= hostSideBytes) {
        this.events.overflowed();
        break;
      }
      this.input.push(byte);
      this.events.byte(byte);
    }
    if (this.input.length > pauseBytes && !this.paused) this.pause(true);
    this.events.arriving();
  }

  private pause(paused: boolean): void {
    this.paused = paused;
    this.port.pause?.(paused);
  }

  private reader(reads: boolean): void {
    this.reads = reads;
    if (!this.powered) return;
    if (reads) {
      this.cancel?.();
      this.cancel = undefined;
      if (!this.connected) {
        this.connected = true;
        this.events.connection(true);
      }
      this.drain();
    } else this.startTimeout();
  }

  private startTimeout(): void {
    if (this.cancel !== undefined || !this.connected) return;
    this.cancel = this.clock.at(this.clock.now() + inactivityTicks * this.tickUs, () => {
      this.cancel = undefined;
      this.connected = false;
      this.waiting = [];
      this.waitingBytes = 0;
      this.events.connection(false);
      this.events.writable();
    });
  }

  private drain(): void {
    for (let head = this.waiting[0]; head !== undefined; head = this.waiting[0]) {
      if (!this.offer(head)) return;
      this.waiting.shift();
      this.waitingBytes -= head.length;
    }
    this.events.writable();
  }

  /** Hands bytes to the port; false when nobody reads. */
  private offer(bytes: Uint8Array): boolean {
    if (this.reads && this.port.write(bytes) !== false) return true;
    this.reads = false;
    this.startTimeout();
    return false;
  }

  /** @returns how many of the bytes were sent, buffered or thrown away; the program waits with the rest */
  send(bytes: Uint8Array): number {
    if (!this.powered || !this.connected) return bytes.length;
    if (this.waitingBytes === 0 && this.offer(bytes)) return bytes.length;
    const room = Math.min(bytes.length, this.txBuffer - this.waitingBytes);
    if (room > 0) {
      this.waiting.push(bytes.slice(0, room));
      this.waitingBytes += room;
    }
    return room;
  }

  /** Bytes that wait for a reader. */
  get queued(): number {
    return this.waitingBytes;
  }

  get available(): number {
    return this.input.length;
  }

  take(limit: number): Uint8Array {
    const taken = this.input.take(limit);
    if (this.paused && this.input.length < resumeBytes) this.pause(false);
    return taken;
  }

  inject(bytes: readonly number[]): void {
    for (const byte of bytes) this.input.push(byte);
    this.events.arriving();
  }

  power(on: boolean): void {
    this.powered = on;
    this.cancel?.();
    this.cancel = undefined;
    this.waiting = [];
    this.waitingBytes = 0;
    this.input.clear();
    if (this.paused) this.pause(false);
    this.connected = this.reads;
  }
}
