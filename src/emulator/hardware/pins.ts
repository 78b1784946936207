/** Pins, lamps and buttons: what a program writes can be watched from outside, what it reads can be set there. */
import type { Callback } from "../interpreter/events.ts";

/** Hears every change of an output, in order: name, level (0 to 1), time in microseconds of the clock. */
export type PinListener = (pin: string, value: number, atUs: number) => void;

/** An edge as the interrupt notes it. */
export interface Edge {
  readonly pin: string;
  readonly high: boolean;
  readonly atUs: number;
}

export interface Watch {
  readonly id: number;
  readonly pin: string;
  readonly callback: Callback;
  readonly repeat: boolean;
  /** 1 rising, -1 falling, 0 both. */
  readonly edge: number;
  readonly debounceUs: number;
  /** Level after the last accepted change. */
  state: boolean;
  lastTimeUs: number | undefined;
  /** Debounce under way: when it ends and the level it saw last. */
  pending: { dueUs: number; state: boolean } | undefined;
}

/** What a watch's callback gets; times in microseconds of the clock. */
export interface WatchEvent {
  readonly watch: Watch;
  readonly state: boolean;
  readonly timeUs: number;
  readonly lastTimeUs: number | undefined;
}

/** Most edges waiting for the main loop: each takes 6 bytes of the receive FIFO on a board. */
const edgeLimit = 170;

export class Pins {
  private readonly names: ReadonlySet<string>;
  private readonly levels = new Map<string, number>();
  private readonly modes = new Map<string, string>();
  /** Pins that a program has driven since power-up. */
  private readonly driven = new Set<string>();
  private readonly listeners: PinListener[] = [];
  private watches: Watch[] = [];
  private edges: Edge[] = [];
  private readonly wake: (atUs: number) => void;
  private readonly overflowed: () => void;

  constructor(names: readonly string[], wake: (atUs: number) => void, overflowed: () => void) {
    this.names = new Set(names);
    this.wake = wake;
    this.overflowed = overflowed;
  }

  has(pin: string): boolean {
    return this.names.has(pin);
  }

  read(pin: string): number {
    return this.levels.get(pin) ?? 0;
  }

  mode(pin: string): string {
    return this.modes.get(pin) ?? "input";
  }

  setMode(pin: string, mode: string): void {
    this.modes.set(pin, mode);
  }

  listen(listener: PinListener): void {
    this.listeners.push(listener);
  }

  /** The program's write. @returns a function that tells the listeners, or nothing when the level stays */
  write(pin: string, value: number): ((atUs: number) => void) | undefined {
    if (this.mode(pin) === "input") this.modes.set(pin, "output");
    this.driven.add(pin);
    if (this.read(pin) === value) return undefined;
    this.levels.set(pin, value);
    return (atUs) => {
      for (const listener of this.listeners) listener(pin, value, atUs);
    };
  }

  /** A level from outside at `atUs`. */
  input(pin: string, value: number, atUs: number): void {
    const before = this.read(pin) >= 0.5;
    this.levels.set(pin, value);
    const high = value >= 0.5;
    if (high === before || !this.watches.some((watch) => watch.pin === pin)) return;
    if (this.edges.length >= edgeLimit) {
      this.overflowed();
      return;
    }
    this.edges.push({ pin, high, atUs });
    this.wake(atUs);
  }

  addWatch(options: Omit<Watch, "id" | "state" | "lastTimeUs" | "pending">): number {
    const id = (this.watches.at(-1)?.id ?? 0) + 1;
    const state = this.read(options.pin) >= 0.5;
    this.watches.push({ ...options, id, state, lastTimeUs: undefined, pending: undefined });
    return id;
  }

  /** @returns false when there is no such watch */
  removeWatch(id: unknown): boolean {
    const before = this.watches.length;
    this.watches = this.watches.filter((watch) => watch.id !== Number(id));
    return this.watches.length < before;
  }

  clearWatches(): void {
    this.watches = [];
    this.edges = [];
  }

  get watchCount(): number {
    return this.watches.length;
  }

  get waiting(): boolean {
    return this.edges.length > 0;
  }

  /** When the first debounce ends, microseconds. */
  nextDue(): number {
    let due = Number.POSITIVE_INFINITY;
    for (const watch of this.watches) due = Math.min(due, watch.pending?.dueUs ?? due);
    return due;
  }

  /**
   * Works through edges and ended debounces at `nowUs`.
   *
   * @param call runs one callback; false: the board is busy from here on
   */
  run(nowUs: number, call: (event: WatchEvent) => boolean): void {
    for (let edge = this.edges.shift(); edge !== undefined; edge = this.edges.shift()) {
      for (const watch of [...this.watches]) {
        if (watch.pin === edge.pin && !this.take(watch, edge, call)) return;
      }
    }
    for (const watch of [...this.watches]) {
      const { pending } = watch;
      if (pending === undefined || pending.dueUs > nowUs) continue;
      watch.pending = undefined;
      const changed = watch.state !== pending.state;
      watch.state = pending.state;
      if (changed && !this.fire(watch, pending.state, pending.dueUs - watch.debounceUs, call)) return;
    }
  }

  /** One edge at one watch. A debounce waits until the level has rested; each new edge starts the wait anew. */
  private take(watch: Watch, edge: Edge, call: (event: WatchEvent) => boolean): boolean {
    if (watch.debounceUs <= 0) {
      watch.state = edge.high;
      return this.fire(watch, edge.high, edge.atUs, call);
    }
    const { pending } = watch;
    if (pending === undefined) {
      if (edge.high === watch.state) return true;
      watch.pending = { dueUs: edge.atUs + watch.debounceUs, state: edge.high };
      this.wake(watch.pending.dueUs);
      return true;
    }
    const { dueUs } = pending;
    pending.dueUs = edge.atUs + watch.debounceUs;
    pending.state = edge.high;
    // The main loop came too late: the level had rested before this edge.
    if (edge.atUs > dueUs && edge.high !== watch.state) {
      watch.pending = undefined;
      watch.state = edge.high;
      return this.fire(watch, edge.high, dueUs - watch.debounceUs, call);
    }
    this.wake(pending.dueUs);
    return true;
  }

  private fire(watch: Watch, state: boolean, timeUs: number, call: (event: WatchEvent) => boolean): boolean {
    const { lastTimeUs } = watch;
    watch.lastTimeUs = timeUs;
    if (watch.edge !== 0 && watch.edge > 0 !== state) return true;
    const free = call({ watch, state, timeUs, lastTimeUs });
    if (!watch.repeat) this.removeWatch(watch.id);
    return free;
  }

  /** Reset: no watches, no outputs. Levels that come from outside stay. */
  reset(): void {
    this.clearWatches();
    this.modes.clear();
  }

  /** Power is gone at `atUs`: every output falls to 0. */
  powerOff(atUs: number): void {
    this.reset();
    const high = [...this.driven].filter((pin) => this.read(pin) > 0);
    this.driven.clear();
    for (const pin of high) {
      this.levels.set(pin, 0);
      for (const listener of this.listeners) listener(pin, 0, atUs);
    }
  }
}
