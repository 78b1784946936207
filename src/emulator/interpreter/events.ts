/**
 * `on`, `emit` and `removeListener`, which every object has, and the queue behind `emit`: handlers run after the
 * current code, from the main loop.
 */

/** A function or, as everywhere in Espruino, a string of code. */
export type Callback = ((...args: never[]) => unknown) | string;

export interface QueuedCall {
  readonly callbacks: readonly Callback[];
  readonly self: unknown;
  readonly args: readonly unknown[];
}

/** Most calls waiting at once: a program that emits in every handler must not eat the host's memory. */
const queueLimit = 10_000;

export class Events {
  private lists = new WeakMap<object, Map<string, readonly Callback[]>>();
  private queued: QueuedCall[] = [];
  private readonly wake: () => void;

  constructor(wake: () => void) {
    this.wake = wake;
  }

  /** A new list each time: a handler added while the event runs is not called by it. */
  add(target: object, name: string, callback: Callback, first: boolean): void {
    let named = this.lists.get(target);
    if (named === undefined) {
      named = new Map();
      this.lists.set(target, named);
    }
    const list = named.get(name) ?? [];
    named.set(name, first ? [callback, ...list] : [...list, callback]);
  }

  remove(target: object, name: string, callback: Callback): void {
    const named = this.lists.get(target);
    const list = named?.get(name);
    const at = list?.indexOf(callback) ?? -1;
    if (named === undefined || list === undefined || at < 0) return;
    const rest = list.filter((_, i) => i !== at);
    if (rest.length > 0) named.set(name, rest);
    else named.delete(name);
  }

  /** Without a name: the listeners of every event. */
  removeAll(target: object, name?: string): void {
    if (name === undefined) this.lists.delete(target);
    else this.lists.get(target)?.delete(name);
  }

  listeners(target: object, name: string): readonly Callback[] {
    return this.lists.get(target)?.get(name) ?? [];
  }

  /** Queues the listeners there are now. */
  emit(target: object, name: string, args: readonly unknown[]): void {
    const callbacks = this.listeners(target, name);
    if (callbacks.length > 0) this.queue({ callbacks, self: target, args });
  }

  queue(call: QueuedCall): void {
    if (this.queued.length >= queueLimit) return;
    this.queued.push(call);
    this.wake();
  }

  get waiting(): boolean {
    return this.queued.length > 0;
  }

  next(): QueuedCall | undefined {
    return this.queued.shift();
  }

  /** A new program starts: nothing of the old one is left. */
  clear(): void {
    this.lists = new WeakMap();
    this.queued = [];
  }
}
