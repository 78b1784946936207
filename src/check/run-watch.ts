/** Watches a run whose records are taken away batch by batch. */
import type { RecordColumns } from "../log/columns.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { Observer, type Violation } from "./observer.ts";
import type { ObservedRing } from "./ring-view.ts";

export class RunWatch implements RecordConsumer {
  readonly #ring: ObservedRing;
  readonly #recoveryMicros: number;
  #observer: Observer | null = null;

  /** @param recoveryMicros after a fault, tokens may be replaced for so long */
  constructor(ring: ObservedRing, recoveryMicros: number) {
    this.#ring = ring;
    this.#recoveryMicros = recoveryMicros;
  }

  /** The first violation; null while all is well. */
  get violation(): Violation | null {
    return this.#observer?.violation ?? null;
  }

  write(columns: RecordColumns): void {
    this.#observer ??= new Observer(this.#ring, columns, { recoveryMicros: this.#recoveryMicros });
    this.#observer.read();
    this.#observer.rewind();
  }
}
