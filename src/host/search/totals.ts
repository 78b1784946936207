/** What the trials of a search add up to, in memory that does not grow with their number. */
import { Histogram } from "../../log/summary/histogram.ts";

/** What is kept of one trial. */
export interface TrialOutcome {
  seed: number;
  /** Name of the claim that did not hold; "" when all held. */
  claim: string;
  recoveryMs: number;
  /** What the ring of this trial may take at the most. */
  boundMs: number;
  /** Faults injected, by kind. */
  faults: { [kind: string]: number };
}

/** How the exhaustive search of one small ring ended. */
export interface SmallRing {
  stations: number;
  election: string;
  /** formed: the token goes round already; cold: all stations have just powered up. */
  start: string;
  /** What may happen in it, at any moment. */
  faults: string;
  states: number;
  /** Every state was visited. */
  complete: boolean;
  /** Ctrl-C came before the end: of the states there are so many so far. */
  stopped: boolean;
  /** What went wrong, and the steps that lead there; null: nothing. */
  violation: { text: string; trace: string[] } | null;
}

/** A recovery beside the bound of its own ring, milliseconds. */
export interface Worst {
  seed: number;
  recoveryMs: number;
  boundMs: number;
}

/** So many seeds that showed a violation are named, the lowest ones. */
const NAMED = 20;

const NOTHING: Worst = { seed: -1, recoveryMs: 0, boundMs: 0 };

export class Totals {
  runs = 0;
  violations = 0;
  /** The lowest seeds that showed a violation. */
  failed: number[] = [];
  /** Small rings that were searched exhaustively, in the order of their cases. */
  readonly smallRings: SmallRing[] = [];
  /** Small rings whose turn had not come when the search was stopped. */
  smallRingsLeft = 0;
  readonly faults: { [kind: string]: number } = {};
  /** The longest recovery. */
  longest = NOTHING;
  /** The recovery that came nearest to its own bound, or went beyond it by most. */
  nearest = NOTHING;
  /** Microseconds. */
  readonly #recoveries = new Histogram();

  add({ seed, claim, recoveryMs, boundMs, faults }: TrialOutcome): void {
    this.runs++;
    for (const [kind, n] of Object.entries(faults)) this.faults[kind] = (this.faults[kind] ?? 0) + n;
    if (claim) {
      this.violations++;
      this.failed = [...this.failed, seed].sort((a, b) => a - b).slice(0, NAMED);
      // A run that was stopped in the middle has not recovered: its time says nothing.
      return;
    }
    this.#recoveries.add(Math.round(recoveryMs * 1000));
    const worst = { seed, recoveryMs, boundMs };
    if (before(worst, this.longest, recoveryMs, this.longest.recoveryMs)) this.longest = worst;
    if (before(worst, this.nearest, part(worst), part(this.nearest))) this.nearest = worst;
  }

  /** Milliseconds. @param share 0.5 for the median */
  recovery(share: number): number {
    return this.#recoveries.percentile(share) / 1000;
  }
}

/** @returns which part of its bound a recovery took */
export function part({ recoveryMs, boundMs }: Worst): number {
  return boundMs > 0 ? recoveryMs / boundMs : 0;
}

/** Of equals the lowest seed: the order in which trials end must not matter. */
function before(one: Worst, other: Worst, a: number, b: number): boolean {
  return other.seed < 0 || a > b || (a === b && one.seed < other.seed);
}
