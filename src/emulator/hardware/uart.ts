/**
 * One hardware UART: characters take their time on the line, wait in a receive FIFO for the main loop, and are lost
 * with FIFO_FULL when it is full. Nothing is scheduled per character: a burst carries its own timing, and what has
 * arrived by a given time is worked out when somebody looks.
 */
import { sampleAtBaud } from "./bits.ts";
import { ByteQueue } from "./byte-queue.ts";
import type { Clock } from "./clock.ts";
import type { Burst, UartPort } from "./ports.ts";
import type { EmulatedUart } from "./profile.ts";

/** Most bytes in one data event. */
export const chunkBytes = 64;
/** Room the interpreter keeps free in its FIFO. */
const spareBytes = 4;
/** Bytes of a FIFO entry beside its data: length and kind. */
const entryBytes = 2;
/** Characters handed to a port that is not timed in one piece. */
const pieceBytes = 16;

export interface LineSettings {
  readonly baud: number;
  /** 7 or 8. */
  readonly bytesize: number;
  readonly stopbits: number;
  readonly parity: boolean;
  /** XON/XOFF towards the sender. */
  readonly flow: boolean;
}

export const defaultLine: LineSettings = { baud: 9600, bytesize: 8, stopbits: 1, parity: false, flow: false };

const xon = 17;
const xoff = 19;
/** Shares of the receive FIFO at which the interpreter asks the sender to stop, and to go on. */
const xoffShare = 6 / 8;
const xonShare = 3 / 8;

export interface UartEvents {
  /** Something arrives at this time, microseconds: the main loop should look. */
  arriving(atUs: number): void;
  /** The receive FIFO was full. */
  overflowed(): void;
  /** Characters with a bad stop bit. */
  framing(count: number): void;
  /** A character as the interrupt sees it, before it waits: for Ctrl-C. Called only while `watchBytes`. */
  byte(value: number, atUs: number): void;
}

export class Uart {
  readonly name: string;
  settings: LineSettings = defaultLine;
  /** False until `setup`: what comes in is lost. */
  ready = false;
  /** Report each byte at its arrival (the console looks for Ctrl-C in the interrupt). */
  watchBytes = false;
  private readonly profile: EmulatedUart;
  private readonly clock: Clock;
  private readonly port: UartPort | undefined;
  private readonly events: UartEvents;
  /** Bursts that are still coming in, in order of time. */
  private incoming: { burst: Burst; bytes: Uint8Array; endUs: number; next: number }[] = [];
  private readonly fifo = new ByteQueue();
  private lineFreeUs = 0;
  private bookedUs = 0;
  private sending: Burst[] = [];
  private cancels = new Set<() => void>();
  private xoffSent = false;
  private xoffPlanned = false;

  constructor(profile: EmulatedUart, clock: Clock, port: UartPort | undefined, events: UartEvents) {
    this.name = profile.name;
    this.profile = profile;
    this.clock = clock;
    this.port = port;
    this.events = events;
    port?.onData((bytes, burst) => this.receive(bytes, burst));
  }

  private bitsPerByte(): number {
    const { bytesize, stopbits, parity } = this.settings;
    return 1 + bytesize + (parity ? 1 : 0) + stopbits;
  }

  private byteUs(): number {
    return (this.bitsPerByte() * 1e6) / this.settings.baud;
  }

  /**
   * Books `count` bytes for a program that writes them at `nowUs`.
   *
   * @returns microseconds that the program waits until they fit in the transmit FIFO
   */
  reserve(count: number, nowUs: number): number {
    const byteUs = this.byteUs();
    const startUs = Math.max(nowUs, this.bookedUs);
    this.bookedUs = startUs + count * byteUs;
    return Math.max(0, (startUs - nowUs) / byteUs + count - this.profile.txBuffer) * byteUs;
  }

  /** Puts bytes on the line behind what is on it. */
  send(bytes: Uint8Array): void {
    if (!this.ready || bytes.length === 0) return;
    const { baud, bytesize } = this.settings;
    const startUs = Math.max(this.clock.now(), this.lineFreeUs);
    const masked = bytesize === 8 ? Uint8Array.from(bytes) : bytes.map((byte) => byte & 127);
    this.lineFreeUs = startUs + bytes.length * this.byteUs();
    this.bookedUs = Math.max(this.bookedUs, this.lineFreeUs);
    if (this.port === undefined) return;
    if (this.port.timed) {
      const burst = { bytes: masked, startUs, baud, bitsPerByte: this.bitsPerByte() };
      this.sending = this.sending.filter((each) => this.endOf(each) > this.clock.now());
      this.sending.push(burst);
      this.port.write(masked, burst);
    } else {
      for (let from = 0; from < masked.length; from += pieceBytes) {
        const piece = masked.subarray(from, from + pieceBytes);
        this.later(startUs + (from + piece.length) * this.byteUs(), () => this.port?.write(piece));
      }
    }
  }

  private endOf(burst: Burst): number {
    return burst.startUs + (burst.bytes.length * burst.bitsPerByte * 1e6) / burst.baud;
  }

  private later(atUs: number, fn: () => void): void {
    const cancel = this.clock.at(atUs, () => {
      this.cancels.delete(cancel);
      fn();
    });
    this.cancels.add(cancel);
  }

  private receive(bytes: Uint8Array, given?: Burst): void {
    const nowUs = this.clock.now();
    this.settle(nowUs);
    if (!this.ready || bytes.length === 0) return;
    const last = this.incoming.at(-1);
    const { baud } = this.settings;
    const burst = given ?? {
      bytes,
      startUs: Math.max(nowUs, last?.endUs ?? 0),
      baud,
      bitsPerByte: this.bitsPerByte(),
    };
    let heard = bytes;
    if (Math.abs(burst.baud / baud - 1) > 0.03) {
      const sampled = sampleAtBaud(bytes, burst.baud, baud);
      heard = sampled.bytes;
      if (sampled.framingErrors > 0) this.events.framing(sampled.framingErrors);
    }
    if (heard.length === 0) return;
    const entry = { burst, bytes: heard, endUs: this.endOf(burst), next: 0 };
    this.incoming.push(entry);
    this.watch(entry);
    this.planXoff();
    this.events.arriving(this.arrival(entry, 0));
  }

  /** The console wants to know of a Ctrl-C when it arrives, not when the main loop comes round. */
  private watch(entry: { burst: Burst; bytes: Uint8Array; endUs: number }): void {
    if (!this.watchBytes) return;
    entry.bytes.forEach((byte, i) => {
      if (byte !== 3) return;
      const atUs = this.arrival(entry, i);
      this.later(atUs, () => this.events.byte(byte, atUs));
    });
  }

  /** XOFF goes out when the byte arrives that makes the FIFO too full, not when the main loop looks. */
  private planXoff(): void {
    if (!this.settings.flow || this.xoffSent || this.xoffPlanned) return;
    let missing = Math.max(1, Math.ceil(this.profile.rxBuffer * xoffShare - this.used()));
    for (const entry of this.incoming) {
      const left = entry.bytes.length - entry.next;
      if (missing > left) {
        missing -= left;
        continue;
      }
      this.xoffPlanned = true;
      this.later(this.arrival(entry, entry.next + missing - 1), () => {
        this.xoffPlanned = false;
        this.settle(this.clock.now());
        this.planXoff();
      });
      return;
    }
  }

  /** Bytes of the FIFO that are taken, entries included. */
  private used(): number {
    return this.fifo.length + entryBytes * Math.ceil((this.fifo.length + 1) / chunkBytes);
  }

  private arrival(entry: { burst: Burst; bytes: Uint8Array; endUs: number }, index: number): number {
    const { startUs } = entry.burst;
    return startUs + ((entry.endUs - startUs) * (index + 1)) / entry.bytes.length;
  }

  /** Moves what has arrived by `nowUs` into the FIFO, dropping what finds it full. */
  private settle(nowUs: number): void {
    for (let entry = this.incoming[0]; entry !== undefined; entry = this.incoming[0]) {
      const limitUs = Math.min(nowUs, entry.burst.cutUs ?? nowUs);
      // Half a microsecond of slack: arrival times are fractions, clocks count whole ones.
      while (entry.next < entry.bytes.length && this.arrival(entry, entry.next) <= limitUs + 0.5) {
        this.push(entry.bytes[entry.next++]!);
      }
      if (entry.next < entry.bytes.length && entry.burst.cutUs === undefined) return;
      this.incoming.shift();
    }
  }

  private push(byte: number): void {
    if (this.used() + 1 > this.profile.rxBuffer - spareBytes) {
      this.events.overflowed();
      return;
    }
    this.fifo.push(byte);
    if (this.settings.flow && !this.xoffSent && this.used() > this.profile.rxBuffer * xoffShare) {
      this.xoffSent = true;
      this.send(Uint8Array.of(xoff));
    }
  }

  /** Bytes waiting at `nowUs`. */
  available(nowUs: number): number {
    this.settle(nowUs);
    return this.fifo.length;
  }

  /** The next bytes that have arrived, `limit` at most. */
  take(nowUs: number, limit: number): Uint8Array {
    this.settle(nowUs);
    const chunk = this.fifo.take(limit);
    if (this.xoffSent && this.fifo.length < this.profile.rxBuffer * xonShare) {
      this.xoffSent = false;
      this.send(Uint8Array.of(xon));
    }
    return chunk;
  }

  /** When the next byte after `nowUs` arrives, microseconds; Infinity when none is on the way. */
  nextArrival(nowUs: number): number {
    this.settle(nowUs);
    const entry = this.incoming[0];
    return entry === undefined ? Number.POSITIVE_INFINITY : this.arrival(entry, entry.next);
  }

  /** `Serial.inject`: as if it had just come in. */
  inject(bytes: readonly number[]): void {
    this.settle(this.clock.now());
    for (const byte of bytes) this.push(byte);
    this.events.arriving(this.clock.now());
  }

  setup(settings: LineSettings): void {
    this.settle(this.clock.now());
    this.settings = settings;
    this.ready = true;
  }

  unsetup(): void {
    this.ready = false;
    this.incoming = [];
    this.fifo.clear();
  }

  /** Power is gone at `nowUs`: the character on the line breaks off, what waited is lost. */
  powerOff(nowUs: number): void {
    for (const burst of this.sending) burst.cutUs = nowUs;
    this.sending = [];
    for (const cancel of this.cancels) cancel();
    this.cancels.clear();
    this.lineFreeUs = nowUs;
    this.bookedUs = nowUs;
    this.settings = defaultLine;
    this.xoffSent = false;
    this.xoffPlanned = false;
    this.unsetup();
  }

  /** Bytes on the line that no program sent, as when power comes or goes slowly. */
  junk(bytes: Uint8Array): void {
    const was = this.ready;
    this.ready = true;
    this.send(bytes);
    this.ready = was;
  }
}
