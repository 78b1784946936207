/**
 * Frames under way, as bytes. Each lies in a slot of a shared buffer; longer ones have a buffer of their own.
 */
import { SHORT_FRAME } from "./codec.ts";

export class Flights {
  /** Per slot: positions of transmitter and receiver, and when the transmission started (µs). */
  from: Int32Array;
  to: Int32Array;
  started: Float64Array;
  /** Per slot: the end of the line in its buffer. */
  end: Int32Array;
  #bytes: Uint8Array;
  #long = new Map<number, Uint8Array>();
  #free: Int32Array;
  #freeCount: number;

  constructor(slots = 64) {
    this.from = new Int32Array(slots);
    this.to = new Int32Array(slots);
    this.started = new Float64Array(slots);
    this.end = new Int32Array(slots);
    this.#bytes = new Uint8Array(slots * SHORT_FRAME);
    this.#free = new Int32Array(slots);
    for (let i = 0; i < slots; i++) this.#free[i] = slots - 1 - i;
    this.#freeCount = slots;
  }

  /** Number of frames under way. */
  get count(): number {
    return this.from.length - this.#freeCount;
  }

  /** @returns a free slot */
  open(): number {
    if (this.#freeCount === 0) this.#grow();
    return this.#free[--this.#freeCount] as number;
  }

  close(slot: number): void {
    if (this.#long.size) this.#long.delete(slot);
    this.#free[this.#freeCount++] = slot;
  }

  /** @returns the slots that are not free, in no particular order of time */
  busy(): number[] {
    const free = new Set(this.#free.subarray(0, this.#freeCount));
    return Array.from(this.from.keys()).filter((slot) => !free.has(slot));
  }

  /** Puts a line of any length into the slot. */
  setLong(slot: number, line: Uint8Array): void {
    this.#long.set(slot, line);
    this.end[slot] = line.length;
  }

  /** Buffer in which the slot's line lies. */
  buffer(slot: number): Uint8Array {
    return (this.#long.size && this.#long.get(slot)) || this.#bytes;
  }

  /** Where the slot's line begins in its buffer. */
  start(slot: number): number {
    return this.#long.size && this.#long.has(slot) ? 0 : slot * SHORT_FRAME;
  }

  #grow(): void {
    const old = this.from.length;
    const size = old * 2;
    const bigger = new Flights(size);
    bigger.from.set(this.from);
    bigger.to.set(this.to);
    bigger.started.set(this.started);
    bigger.end.set(this.end);
    bigger.#bytes.set(this.#bytes);
    this.from = bigger.from;
    this.to = bigger.to;
    this.started = bigger.started;
    this.end = bigger.end;
    this.#bytes = bigger.#bytes;
    this.#free = new Int32Array(size);
    for (let i = 0; i < old; i++) this.#free[i] = size - 1 - i;
    this.#freeCount = old;
  }
}
