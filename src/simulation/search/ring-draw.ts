/** Rings at random, for the fault search. */
import { DEFAULT_MUTEX, ELECTIONS } from "../../../firmware/protocols.js";
import { limitsOf, type Plan, type Wiring } from "../plan.ts";
import type { Random } from "../random.ts";

/** What may be fixed for all rings; what is left out is drawn. */
export interface RingChoice {
  stations?: number;
  wiring?: Wiring;
  election?: string;
  mutex?: string;
}

const BAUDS = [9600, 115200, 1_000_000];
const MOST_STATIONS = 8;

/** @returns a ring of 2 to 8 stations, unless the choice says more */
export function drawRing(random: Random, seed: number, choice: RingChoice): Plan {
  const n = choice.stations ?? 2 + random.below(MOST_STATIONS - 1);
  const plan: Plan = {
    ids: drawIds(random, n),
    wiring: choice.wiring ?? (random.next() < 0.6 ? "hub" : "wired"),
    baud: random.pick(BAUDS),
    boardMicros: 200 + random.below(4000),
    hostMicros: random.below(500),
    election: choice.election ?? random.pick(ELECTIONS).name,
    mutex: choice.mutex ?? DEFAULT_MUTEX,
    holdMs: 0,
    criticalMs: 0,
    leaseMs: 0,
    preemptMs: 0,
    limits: {},
    seed,
  };
  const { rotation } = limitsOf(plan);
  if (random.next() < 0.2) plan.holdMs = round((random.next() * rotation) / n);
  plan.criticalMs = round(random.pick([0, 0.3, 3, 12]) * rotation);
  if (random.next() < 0.3) plan.leaseMs = round(2 * plan.criticalMs + 10 * rotation);
  plan.preemptMs = random.pick([0, round(20 * rotation), -1]);
  return plan;
}

/** Mostly 1 to n, sometimes with gaps, in any order. */
function drawIds(random: Random, n: number): number[] {
  const gap = random.next() < 0.8 ? 1 : 1 + random.below(5);
  const ids = Array.from({ length: n }, (_, i) => 1 + i * gap);
  if (random.next() < 0.1) return ids;
  for (let i = n - 1; i > 0; i--) {
    const k = random.below(i + 1);
    [ids[i], ids[k]] = [ids[k] as number, ids[i] as number];
  }
  return ids;
}

/** Whole milliseconds, for plans that people can read. */
function round(ms: number): number {
  return Math.ceil(ms);
}
