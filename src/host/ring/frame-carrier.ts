/** Hands the frames of a hub over to the stations, and records what became of each. */
import { crc32 } from "../../../firmware/crc32.js";
import { encode } from "../../../firmware/frame.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { hostClock } from "../../link/time.ts";
import type { FrameEvent } from "../../log/records.ts";
import type { Mau } from "../../simulation/mau.ts";
import { HubFaults, type Passage } from "./hub-faults.ts";
import type { RingStation } from "./ring-station.ts";

/** Frames that may wait for one station; more means that it does not keep up. */
const MOST_QUEUED = 48;

export interface CarrierRing {
  stations: readonly RingStation[];
  mau: Mau;
  /** Of the faults that come at random. */
  seed: number;
  /** A frame goes to a station, which answers each. */
  asked(position: number): void;
  /** A station has taken a frame. @param more others are under way to it still */
  answered(position: number, more: boolean): void;
  /** @param at host time, µs @param from, to ids */
  record(at: number, event: FrameEvent, from: number, to: number, took: number, frame: Frame): void;
}

export class FrameCarrier {
  readonly faults: HubFaults;
  readonly #ring: CarrierRing;
  readonly #queued: number[];
  #stopped = false;

  constructor(ring: CarrierRing) {
    this.#ring = ring;
    this.#queued = ring.stations.map(() => 0);
    this.faults = new HubFaults(
      {
        mau: ring.mau,
        deliver: (passage) => this.#deliver(passage),
        record: (event, passage, took) => this.#record(event, passage, took),
      },
      ring.seed,
    );
  }

  /** A frame from a station goes to its successor. */
  carry(from: number, line: string, frame: Frame, sentAt: number): void {
    this.faults.pass({ from, to: this.#ring.mau.successor(from), line, frame, sentAt });
  }

  /** Puts a frame on a link as if a station had sent it. */
  inject(from: number, frame: Frame): void {
    const line = encode(frame, crc32).trimEnd();
    this.faults.launch({ from, to: this.#ring.mau.successor(from), line, frame, sentAt: hostClock() });
  }

  stop(): void {
    this.#stopped = true;
    this.faults.stop();
  }

  #deliver(passage: Passage): void {
    const { to, line, sentAt } = passage;
    if ((this.#queued[to] as number) >= MOST_QUEUED) {
      this.#record("dropped", passage, 0);
      return;
    }
    this.#queued[to] = (this.#queued[to] as number) + 1;
    this.#ring.asked(to);
    (this.#ring.stations[to] as RingStation).deliver(line, (at) => {
      const left = (this.#queued[to] as number) - 1;
      this.#queued[to] = left;
      if (this.#stopped) return;
      if (at === null) this.#record("dropped", passage, 0);
      else {
        this.#ring.answered(to, left > 0);
        this.#record("hop", passage, Math.max(0, at - sentAt), at);
      }
    });
  }

  /** A line that is no frame any more is the receiver's to count. */
  #record(event: FrameEvent, { from, to, frame }: Passage, took: number, at = hostClock()): void {
    const { stations } = this.#ring;
    if (!frame) return;
    this.#ring.record(
      at,
      event,
      (stations[from] as RingStation).id,
      (stations[to] as RingStation).id,
      took,
      frame,
    );
  }
}
