import { readdirSync } from "node:fs";
import { expect } from "vitest";
import type { Link, LinkListener, LinkOptions, LinkState } from "../../src/link/link.ts";
import { LimitTime, settle, until } from "./time.ts";

/** The far end of the link under test: what a board or another program does there. */
export interface Peer {
  /** Sends one chunk; resolves once it has left. */
  send(bytes: Uint8Array): Promise<void>;
  /** Everything it has read, as latin1. */
  received(): string;
  /** Starts to read. It reads nothing before. */
  read(): void;
}

/** A place for one link, with its far end. */
export interface Bench {
  link(options: LinkOptions): Link;
  /** Makes the far end answer; the link can be opened before and after. */
  peer(): Promise<Peer>;
  /** Takes the far end away, as when a cable is pulled. */
  unplug(): Promise<void>;
  /** Brings it back under the same path, with nobody at the far end yet. */
  plug(): Promise<void>;
  end(): Promise<void>;
}

/** What a link said, in order. */
export interface Heard {
  lines: string[];
  times: number[];
  bytes: number;
  states: LinkState[];
  lost: string[];
  overflow: number;
  truncated: string[];
}

export const FRAME = "$TOK,3,253,258,912,57*8A3F10C2";

/** Every byte that can stand in a line; 0x0A ends it, 0x0D may, 0x11 and 0x13 are flow control. */
export const ANY_BYTES = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  .filter((char) => !"\n\r\x11\x13".includes(char))
  .join("");

export const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** A link under test, what it said, and its time limits, which run out on command. Started afresh for every test. */
export class Rig {
  bench!: Bench;
  link!: Link;
  limits!: LimitTime;
  heard!: Heard;

  start(bench: Bench): void {
    this.bench = bench;
    this.limits = new LimitTime();
    this.heard = { lines: [], times: [], bytes: 0, states: [], lost: [], overflow: 0, truncated: [] };
    this.link = bench.link({ timers: this.limits.timers, listener: this.listener() });
  }

  async end(): Promise<void> {
    await this.link.close();
    await this.bench.end();
  }

  listener(): LinkListener {
    const { heard } = this;
    return {
      onLine(text, at) {
        heard.lines.push(text);
        heard.times.push(at);
      },
      onBytes(bytes) {
        heard.bytes += bytes.length;
      },
      onState: (state) => heard.states.push(state),
      onLost: (reason) => heard.lost.push(reason),
      onOverflow(count) {
        heard.overflow += count;
      },
      onTruncated: (text) => heard.truncated.push(text),
    };
  }

  /** Opens the link and its far end, which reads. */
  async connected(): Promise<Peer> {
    await this.link.open();
    const peer = await this.bench.peer();
    peer.read();
    return peer;
  }

  async lost(): Promise<void> {
    await until(() => this.link.state === "lost", "the loss");
  }

  async linesAre(lines: readonly string[]): Promise<void> {
    await until(() => this.heard.lines.length >= lines.length, `${lines.length} lines`);
    expect(this.heard.lines).toEqual(lines);
  }

  /** Writes until the link takes no more, with nobody reading at the far end. */
  async fill(): Promise<void> {
    const { link } = this;
    const block = "x".repeat(16_383).concat("\n");
    // A queue that is full may only be waiting for its turn.
    for (let quietMs = 0; quietMs < 20; ) {
      if (link.write(block)) {
        if (link.counters.bytesOut > 100_000_000) throw new Error("the far end takes everything");
        continue;
      }
      const before = link.counters.bytesOut;
      await new Promise((resolve) => setTimeout(resolve, 1));
      quietMs = link.counters.bytesOut === before ? quietMs + 1 : 0;
    }
  }

  /** Runs `round` again and again and compares what this process holds with what it held after a first round. */
  async leavesNothing(round: () => Promise<void>, count: number): Promise<void> {
    await round();
    await settle();
    const before = this.#footprint();
    for (let i = 0; i < count; i++) await round();
    await until(() => this.#footprint().descriptors <= before.descriptors, "the descriptors to be closed");
    expect(this.#footprint()).toEqual(before);
  }

  #footprint(): { descriptors: number; limits: number; listeners: number } {
    const listeners = process.eventNames().reduce((sum, event) => sum + process.listenerCount(event), 0);
    return { descriptors: openDescriptors(), limits: this.limits.running, listeners };
  }
}

/** Descriptors of this process, 0 where the system does not list them. */
function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}
