/**
 * Faults of the links of a hub. The host carries every frame, so it can drop, corrupt, double and delay what it carries,
 * and cut a station's line in one direction; which frames are hit is decided as in the simulation.
 */
import { crc32 } from "../../../firmware/crc32.js";
import { decode } from "../../../firmware/frame.js";
import { frameTypes } from "../../../firmware/registry.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { hostClock, hostTimers } from "../../link/time.ts";
import type { FrameEvent } from "../../log/records.ts";
import { LinkFaults } from "../../simulation/link-faults.ts";
import type { Mau } from "../../simulation/mau.ts";
import { Random } from "../../simulation/random.ts";

/** A line on its way from a station to its successor, both by position. */
export interface Passage {
  from: number;
  to: number;
  line: string;
  /** What the line says; null: no frame any more. */
  frame: Frame | null;
  /** Host time at which the transmitter sent it, µs. */
  sentAt: number;
}

export interface Carrier {
  mau: Mau;
  deliver(passage: Passage): void;
  /** @param took µs by which the frame is late */
  record(event: FrameEvent, passage: Passage, took: number): void;
}

interface Late {
  due: number;
  passage: Passage;
}

export class HubFaults {
  /** Rules for the frames that leave a position. */
  readonly links: LinkFaults;
  readonly #carrier: Carrier;
  readonly #cut = new Set<number>();
  readonly #deaf = new Set<number>();
  /** Frames that are late, and those behind them: one queue for each transmitter. */
  readonly #late = new Map<number, Late[]>();
  readonly #cancels = new Map<number, () => void>();

  constructor(carrier: Carrier, seed: number) {
    this.#carrier = carrier;
    this.links = new LinkFaults(new Random(seed));
  }

  /** The line from the station to the host breaks: none of its frames is carried. */
  cut(position: number): void {
    this.#cut.add(position);
  }

  /** The line from the host to the station breaks. */
  deafen(position: number): void {
    this.#deaf.add(position);
  }

  mend(position: number): void {
    this.#cut.delete(position);
    this.#deaf.delete(position);
  }

  isCut(position: number): boolean {
    return this.#cut.has(position);
  }

  /** Does such a station count as silent, whatever it says? A deaf one has nothing to repeat. */
  isSilent(position: number): boolean {
    return this.#cut.has(position) || this.#deaf.has(position);
  }

  /** A station has sent a frame. */
  pass(passage: Passage): void {
    const { from, frame, line } = passage;
    const fate = frame && this.links.decide(from, frame, hostClock());
    if (!fate) {
      this.launch(passage);
      return;
    }
    const { record } = this.#carrier;
    if (fate.drop) {
      record("dropped", passage, 0);
      return;
    }
    let sent = passage;
    if (fate.flipBit !== undefined) {
      record("corrupted", passage, 0);
      const spoiled = flip(line, fate.flipBit);
      const read = decode(spoiled, crc32, frameTypes);
      sent = { ...passage, line: spoiled, frame: typeof read === "string" ? null : read };
    }
    if (fate.delay) record("delayed", passage, fate.delay);
    this.launch(sent, fate.delay);
    if (fate.duplicate) {
      record("duplicated", passage, 0);
      this.launch(passage);
    }
  }

  /** Puts a frame on its way, behind those of the same station that are late. @param delay µs */
  launch(passage: Passage, delay = 0): void {
    const queue = this.#late.get(passage.from) ?? [];
    const last = queue[queue.length - 1];
    if (!delay && !last) {
      this.#arrive(passage);
      return;
    }
    queue.push({ due: Math.max(hostClock() + delay, last?.due ?? 0), passage });
    this.#late.set(passage.from, queue);
    if (!last) this.#wait(passage.from, queue);
  }

  /** Drops what is late on its way to a station that is being inserted. */
  flush(to: number): void {
    for (const [from, queue] of this.#late) {
      const kept = queue.filter(({ passage }) => passage.to !== to);
      for (const { passage } of queue) if (passage.to === to) this.#carrier.record("dropped", passage, 0);
      queue.splice(0, queue.length, ...kept);
      this.#wait(from, queue);
    }
  }

  stop(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#late.clear();
  }

  #wait(from: number, queue: Late[]): void {
    this.#cancels.get(from)?.();
    const first = queue[0];
    if (!first) return;
    const wait = Math.max(0, (first.due - hostClock()) / 1000);
    const arrive = () => {
      queue.shift();
      this.#arrive(first.passage);
      this.#wait(from, queue);
    };
    this.#cancels.set(from, hostTimers.after(wait, arrive));
  }

  #arrive(passage: Passage): void {
    const { from, to } = passage;
    if (this.#cut.has(from) || this.#deaf.has(to) || !this.#carrier.mau.isInserted(from))
      this.#carrier.record("dropped", passage, 0);
    else this.#carrier.deliver(passage);
  }
}

/** @param bit of the line, from its first character; the remainder is taken where it has fewer */
function flip(line: string, bit: number): string {
  const bytes = Buffer.from(line, "latin1");
  const at = (bit >> 3) % bytes.length;
  bytes[at] = (bytes[at] as number) ^ (1 << (bit & 7));
  return bytes.toString("latin1");
}
