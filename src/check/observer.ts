/**
 * The observer: reads the records of a run as they come and checks every invariant after each.
 * It shares no code with what it watches.
 */

import type { RecordColumns } from "../log/columns.ts";
import { circulates, traitsOf } from "../protocols/registry.ts";
import type { Invariant } from "./invariant.ts";
import { type ObservedRing, RingView } from "./ring-view.ts";
import { AskedIds } from "./safety/asked-ids.ts";
import { ElectionResults } from "./safety/election-results.ts";
import { Exclusion } from "./safety/exclusion.ts";
import { Fences } from "./safety/fences.ts";
import { GuardedWrites } from "./safety/guarded-writes.ts";
import { NeedlessTokens } from "./safety/needless-tokens.ts";
import { SentFrames } from "./safety/sent-frames.ts";
import { TokenOrder } from "./safety/token-order.ts";
import { Service, type ServiceOptions } from "./service.ts";

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
  /**
   * How long recovery takes at the most, microseconds. So long after a fault tokens may be replaced, later each is one too
   * many; and so long after a forged frame nothing is claimed but what holds always.
   */
  recoveryMicros: number;
  /**
   * False: records of different stations may stand in another order than that in which things happened, as on
   * boards. Claims that rest on that order are left out.
   */
  ordered?: boolean;
  /** Says that every request must be served, and within what; left out: a trial judges that at its end. */
  service?: ServiceOptions;
}

export class Observer {
  readonly view: RingView;
  readonly #records: RecordColumns;
  readonly #invariants: [claim: string, Invariant][];
  readonly #recoveryMicros: number;
  /** A frame that nobody sent came lately: the ring may not have recovered from it. */
  #forged = false;
  readonly #service: Service | null;
  #next = 0;
  #violation: Violation | null = null;

  constructor(ring: ObservedRing, records: RecordColumns, options: ObserverOptions) {
    this.#records = records;
    this.#recoveryMicros = options.recoveryMicros;
    this.view = new RingView(ring, records);
    this.#invariants = [
      ["write", new GuardedWrites()],
      ["exclusion", new Exclusion()],
      ["sent", new SentFrames()],
      ["election-result", new ElectionResults()],
    ];
    if (circulates(ring.mutex)) this.#invariants.push(["fence", new Fences()]);
    if (circulates(ring.mutex) && options.ordered !== false) {
      this.#invariants.push(["token-order", new TokenOrder(ring)]);
      this.#invariants.push(["needless-token", new NeedlessTokens(options.recoveryMicros)]);
    }
    this.#service = options.service ? new Service(options.service) : null;
    if (this.#service) this.#invariants.push(["service", this.#service]);
    const { asks } = traitsOf(ring.election);
    if (asks) this.#invariants.push(["asked-ids", new AskedIds(ring, asks)]);
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
      this.#notice(i);
      for (const [claim, invariant] of this.#invariants) {
        const text = invariant.see(i, this.view);
        if (text === null || (this.#forged && !invariant.always)) continue;
        this.#violation = { claim, text, record: i, t: records.t[i] as number };
        break;
      }
    }
    return this.#violation;
  }

  /** The run is over. @param now microseconds @returns the first violation there is */
  end(now: number): Violation | null {
    const text = this.#violation ? null : (this.#service?.end(this.view, now) ?? null);
    if (text !== null) this.#violation = { claim: "service", text, record: this.#records.length - 1, t: now };
    return this.#violation;
  }

  /** Forged frames make a time in which little is claimed; what was seen before its end is forgotten then. */
  #notice(i: number): void {
    const forged = (this.#records.t[i] as number) <= this.view.forgedAt + this.#recoveryMicros;
    if (this.#forged && !forged) for (const [, invariant] of this.#invariants) invariant.forget?.();
    this.#forged = forged;
  }
}
