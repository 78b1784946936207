/** Watches a run whose records are taken away batch by batch. */
import type { RecordColumns } from "../log/columns.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { Observer, type ObserverOptions, type Violation } from "./observer.ts";
import type { ObservedRing } from "./ring-view.ts";

export class RunWatch implements RecordConsumer {
  readonly #ring: ObservedRing;
  readonly #options: ObserverOptions;
  #observer: Observer | null = null;

  constructor(ring: ObservedRing, options: ObserverOptions) {
    this.#ring = ring;
    this.#options = options;
  }

  /** The first violation; null while all is well. */
  get violation(): Violation | null {
    return this.#observer?.violation ?? null;
  }

  /** The run is over. @param now microseconds @returns the first violation; null: all was well */
  end(now: number): Violation | null {
    return this.#observer?.end(now) ?? null;
  }

  write(columns: RecordColumns): void {
    this.#observer ??= new Observer(this.#ring, columns, this.#options);
    this.#observer.read();
    this.#observer.rewind();
  }
}
