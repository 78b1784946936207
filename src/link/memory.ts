import { LinkError } from "./errors.ts";
import type { Link, LinkListener, LinkOptions } from "./link.ts";
import { type Clock, hostClock, hostTimers, type Timers } from "./time.ts";
import { type Wire, type WireKind, WireLink, type WireSink } from "./wire-link.ts";

export type End = "a" | "b";

/** Bytes as they arrive, `delayMs` later than the pair's own delay says. */
export interface Delivery {
  bytes: Uint8Array;
  delayMs?: number;
}

/** What becomes of bytes on their way: [] drops them, two deliveries duplicate them. The order is kept. */
export type Fault = (bytes: Buffer, from: End) => readonly Delivery[];

export interface MemoryOptions extends Omit<LinkOptions, "listener"> {
  /** Names of the two ends. Default memory:a and memory:b. */
  paths?: Record<End, string>;
  listeners?: Partial<Record<End, LinkListener>>;
  /** Time from end to end, default 0. */
  delayMs?: number;
  fault?: Fault;
  /** Bytes that fit on the way, as in the buffers of a system; more waits at the sender. Default 4096. */
  capacity?: number;
}

/** Two links, each the far end of the other, in one process. */
export interface MemoryPair {
  a: Link;
  b: Link;
  /** Breaks the pair: both ends are lost and do not open until `plug`. What is on the way is gone. */
  unplug(): void;
  plug(): void;
  /** While on, this end reads nothing, so what the other end sends piles up. */
  hold(end: End, on: boolean): void;
}

/** A pair of links without a line. Bytes that arrive at an end that is not open are gone, as on a board without power. */
export function memoryPair(options: MemoryOptions = {}): MemoryPair {
  const {
    paths = { a: "memory:a", b: "memory:b" },
    listeners = {},
    delayMs = 0,
    capacity = 4096,
    fault = (bytes): readonly Delivery[] => [{ bytes }],
    ...limits
  } = options;
  const { clock = hostClock, timers = hostTimers } = options;
  const open: Record<End, WireSink | undefined> = { a: undefined, b: undefined };
  let plugged = true;

  const lane = (from: End) =>
    new Lane({
      clock,
      timers,
      capacity,
      deliveries: (bytes) =>
        fault(bytes, from).map((delivery) => ({ ...delivery, delayMs: delayMs + (delivery.delayMs ?? 0) })),
      arrive: (bytes) => open[other(from)]?.bytes(bytes),
    });
  const lanes: Record<End, Lane> = { a: lane("a"), b: lane("b") };

  const end = (name: End): Link => {
    const path = paths[name];
    const kind: WireKind = {
      make: (sink): Wire => ({
        async open() {
          if (!plugged) throw new LinkError("missing", path, "unplugged: plug the pair in first");
          // As a system does when a port is opened: what came and was not read is gone.
          lanes[other(name)].discardArrived();
          open[name] = sink;
        },
        write: (bytes, done) => lanes[name].send(bytes, done),
        drain: (done) => done(),
        close(done) {
          if (open[name] === sink) open[name] = undefined;
          lanes[name].forgetWaiting();
          done();
        },
      }),
      explain: (cause) => new LinkError("failed", path, String(cause), cause),
    };
    const listener = listeners[name];
    return new WireLink(path, kind, listener ? { ...limits, listener } : limits);
  };

  return {
    a: end("a"),
    b: end("b"),
    unplug() {
      plugged = false;
      for (const name of ["a", "b"] as const) {
        lanes[name].clear();
        const sink = open[name];
        open[name] = undefined;
        sink?.lost("unplugged");
      }
    },
    plug() {
      plugged = true;
    },
    hold(name, on) {
      lanes[other(name)].hold(on);
    },
  };
}

function other(end: End): End {
  return end === "a" ? "b" : "a";
}

interface LaneOptions {
  clock: Clock;
  timers: Timers;
  capacity: number;
  deliveries(bytes: Buffer): readonly Delivery[];
  arrive(bytes: Uint8Array): void;
}

/** One direction: first in, first out, bounded. */
class Lane {
  readonly #options: LaneOptions;
  #waiting: { bytes: Buffer; done: () => void }[] = [];
  #underWay: { bytes: Uint8Array; due: number }[] = [];
  #size = 0;
  #held = false;
  #cancelTimer: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  send(bytes: Buffer, done: () => void): void {
    this.#waiting.push({ bytes, done });
    this.#admit();
  }

  hold(on: boolean): void {
    this.#held = on;
    if (on) this.#stopTimer();
    else this.#schedule();
  }

  /** What its sender still waits for is not sent. */
  forgetWaiting(): void {
    this.#waiting = [];
  }

  discardArrived(): void {
    const now = this.#options.clock();
    while (this.#underWay[0] && this.#underWay[0].due <= now) {
      this.#size -= this.#underWay.shift()?.bytes.length ?? 0;
    }
    this.#admit();
  }

  clear(): void {
    this.#stopTimer();
    this.#waiting = [];
    this.#underWay = [];
    this.#size = 0;
  }

  #admit(): void {
    const { clock, capacity, deliveries } = this.#options;
    for (;;) {
      const next = this.#waiting[0];
      if (!next || (this.#size > 0 && this.#size + next.bytes.length > capacity)) break;
      this.#waiting.shift();
      for (const { bytes, delayMs = 0 } of deliveries(next.bytes)) {
        this.#underWay.push({ bytes, due: clock() + Math.round(delayMs * 1000) });
        this.#size += bytes.length;
      }
      next.done();
    }
    this.#schedule();
  }

  #schedule(): void {
    const first = this.#underWay[0];
    if (!first || this.#held || this.#cancelTimer) return;
    const waitMs = Math.max(0, (first.due - this.#options.clock()) / 1000);
    this.#cancelTimer = this.#options.timers.after(waitMs, () => {
      this.#cancelTimer = undefined;
      this.#deliver();
    });
  }

  #deliver(): void {
    const now = this.#options.clock();
    // An arrival may hold or clear this lane, or send more.
    while (!this.#held) {
      const first = this.#underWay[0];
      if (!first || first.due > now) break;
      this.#underWay.shift();
      this.#size -= first.bytes.length;
      this.#options.arrive(first.bytes);
    }
    this.#admit();
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
