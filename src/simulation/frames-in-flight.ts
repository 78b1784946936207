/**
 * Frames under way, as bytes. Each lies in a slot of a shared buffer; longer ones have a buffer of their own.
 */
import { UsageError } from "../errors.ts";
import { SHORT_FRAME } from "./codec.ts";

/** Under way at once: a quarter of a gigabyte. */
const MOST_FRAMES = 2 ** 21;

/** The slot is free, or its frame was lost on the way. */
const NOBODY = -1;

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
  #index: FlightIndex | null = null;

  constructor(slots = 64) {
    this.from = new Int32Array(slots).fill(NOBODY);
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
    this.from[slot] = NOBODY;
    this.#free[this.#freeCount++] = slot;
  }

  /** Says who sends the slot's frame to whom. */
  route(slot: number, from: number, to: number): void {
    this.from[slot] = from;
    this.to[slot] = to;
    if (this.#index?.add(slot, from, to) === false) this.#index = null;
  }

  /** The frame does not arrive: its slot stays taken until its time has come. */
  lose(slot: number): void {
    this.from[slot] = NOBODY;
  }

  isLost(slot: number): boolean {
    return this.from[slot] === NOBODY;
  }

  /** @returns the slots of the frames under way that a position has sent, in order of slots */
  sentBy(position: number): number[] {
    return this.#indexed()
      .sentBy(position)
      .filter((slot) => this.from[slot] === position);
  }

  /** @returns the slots of the frames under way to a position, in order of slots */
  sentTo(position: number): number[] {
    return this.#indexed()
      .sentTo(position)
      .filter((slot) => this.from[slot] !== NOBODY && this.to[slot] === position);
  }

  /** @returns the slots of all frames under way, in order of slots */
  busy(): number[] {
    return Array.from(this.from.keys()).filter((slot) => this.from[slot] !== NOBODY);
  }

  #indexed(): FlightIndex {
    this.#index ??= new FlightIndex(this.from, this.to);
    return this.#index;
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
    if (old >= MOST_FRAMES) {
      throw new UsageError(
        `more than ${MOST_FRAMES} frames are under way at once: so many stations cannot do this together, use fewer, or --election ring`,
      );
    }
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

/**
 * Slots by transmitter and receiver: made when somebody asks, kept up while few frames come, and then thrown away, so that
 * a hop costs nothing and ten thousand stations that lose power at once look at every slot once.
 */
class FlightIndex {
  readonly #from = new Map<number, number[]>();
  readonly #to = new Map<number, number[]>();
  #room: number;

  constructor(from: Int32Array, to: Int32Array) {
    this.#room = 2 * from.length + 1024;
    for (let slot = 0; slot < from.length; slot++) {
      if (from[slot] !== NOBODY) this.add(slot, from[slot] as number, to[slot] as number);
    }
  }

  /** @returns false when so many have come that it is cheaper to begin again */
  add(slot: number, from: number, to: number): boolean {
    put(this.#from, from, slot);
    put(this.#to, to, slot);
    return --this.#room > 0;
  }

  /** Also slots that have been free since. */
  sentBy(position: number): number[] {
    return inOrder(this.#from.get(position));
  }

  sentTo(position: number): number[] {
    return inOrder(this.#to.get(position));
  }
}

function put(lists: Map<number, number[]>, key: number, slot: number): void {
  const list = lists.get(key);
  if (list) list.push(slot);
  else lists.set(key, [slot]);
}

function inOrder(slots: readonly number[] = []): number[] {
  return [...new Set(slots)].sort((a, b) => a - b);
}
