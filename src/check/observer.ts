/**
 * The observer: reads the records of a run as they come and checks every invariant after each.
 * It shares no code with what it watches.
 */
import type { RecordColumns } from "../log/columns.ts";
import { type ObservedRing, RingView } from "./ring-view.ts";
import { BullyRules } from "./safety/bully-rules.ts";
import { ElectionResults } from "./safety/election-results.ts";
import { Exclusion } from "./safety/exclusion.ts";
import { Fences } from "./safety/fences.ts";
import { NeedlessTokens } from "./safety/needless-tokens.ts";
import { SentFrames } from "./safety/sent-frames.ts";
import { TokenOrder } from "./safety/token-order.ts";

/** Something that must hold after every record. */
export interface Invariant {
  /** @returns what is wrong since record `i`, in words; null: nothing */
  see(i: number, view: RingView): string | null;
}

/** A claim that did not hold. */
export interface Violation {
  /** Name of the claim. */
  claim: string;
  text: string;
  /** Place of the record that showed it. */
  record: number;
  /** Microseconds. */
  t: number;
}

export interface ObserverOptions {
  /** After a fault, tokens may be replaced for so long, microseconds; later each is one too many. */
  recoveryMicros: number;
  /**
   * False: records of different stations may stand in another order than that in which things happened, as on
   * boards. Claims that rest on that order are left out.
   */
  ordered?: boolean;
}

export class Observer {
  readonly view: RingView;
  readonly #records: RecordColumns;
  readonly #invariants: [string, Invariant][];
  #next = 0;
  #violation: Violation | null = null;

  constructor(ring: ObservedRing, records: RecordColumns, options: ObserverOptions) {
    this.#records = records;
    this.view = new RingView(ring, records);
    this.#invariants = [
      ["exclusion", new Exclusion()],
      ["fence", new Fences(ring)],
      ["sent", new SentFrames()],
      ["election-result", new ElectionResults()],
    ];
    if (ring.mutex === "token-ring" && options.ordered !== false) {
      this.#invariants.push(["token-order", new TokenOrder(ring)]);
      this.#invariants.push(["needless-token", new NeedlessTokens(options.recoveryMicros)]);
    }
    if (ring.election === "bully") this.#invariants.push(["bully-rules", new BullyRules()]);
  }

  /** The first violation; null while all is well. */
  get violation(): Violation | null {
    return this.#violation;
  }

  /** The records read so far have been taken out of the columns; the next ones begin at 0. */
  rewind(): void {
    this.#next = 0;
  }

  /** Reads what is new. @returns the first violation there is */
  read(): Violation | null {
    const records = this.#records;
    while (this.#next < records.length && !this.#violation) {
      const i = this.#next++;
      this.view.see(i);
      for (const [claim, invariant] of this.#invariants) {
        const text = invariant.see(i, this.view);
        if (text === null) continue;
        this.#violation = { claim, text, record: i, t: records.t[i] as number };
        break;
      }
    }
    return this.#violation;
  }
}
