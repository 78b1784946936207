/** Trials at random: a seed determines a ring, and the faults that happen to it. */
import { DEFAULT_MUTEX, MUTEXES } from "../../../firmware/protocols.js";
import { SEVERAL } from "../../check/bounds.ts";
import { circulates } from "../../protocols/registry.ts";
import { limitsOf } from "../plan.ts";
import { Random } from "../random.ts";
import {
  FAULT_KINDS,
  type FaultDraw,
  HUB_FAULT_KINDS,
  micros,
  STALE_FRAME_KINDS,
  TIMING_KINDS,
  type TimedLine,
} from "./random-faults.ts";
import { drawRing, type RingChoice } from "./ring-draw.ts";
import { SINGLE_FAULTS } from "./single-faults.ts";
import type { Trial } from "./trial.ts";

const MUTEX_NAMES = MUTEXES.map(({ name }) => name);

/** Several faults come within so many rotations. */
const FAULT_ROTATIONS = 200;
const MOST_FAULTS = 6;
/** A ring has formed, and settled, after about so many rotations. */
const FORMING_ROTATIONS = 100;
/** Share of the trials with several faults that repeat old frames. */
const STALE = 0.15;
/** Share of the trials that have a single fault. */
const SINGLE = 0.4;

/** Share of the trials in which stations ask at any time, by any mutual exclusion, and no station or frame is lost. */
const ASKING = 0.2;

/** @returns the trial of a seed */
export function trialOf(seed: number, choice: RingChoice = {}): Trial {
  const random = new Random(seed, 1);
  const plan = drawRing(random, seed, choice);
  // From a sequence of its own: whoever adds a kind leaves most trials as they were.
  const kind = new Random(seed, 2);
  const asking = kind.next() < ASKING;
  const { mutex = asking ? kind.pick(MUTEX_NAMES) : DEFAULT_MUTEX } = choice;
  const ring = { ...plan, mutex };
  const rotation = limitsOf(ring).rotation * 1000;
  const draw: FaultDraw = { random, plan: ring, rotation, dead: [] };
  // The others rest on every station being there, and on every message arriving.
  if (asking || !circulates(mutex)) return requests(draw);
  return random.next() < SINGLE ? single(draw) : several(draw);
}

function single(draw: FaultDraw): Trial {
  const { random, plan, rotation } = draw;
  const [fault, , make] = random.pick(
    SINGLE_FAULTS.filter(([, hubOnly]) => !hubOnly || plan.wiring === "hub"),
  );
  const at = (FORMING_ROTATIONS + 20 * random.next() + 2 * Math.max(...plan.ids)) * rotation;
  return { fault, plan, script: inOrder(make(draw, at)) };
}

function several(draw: FaultDraw): Trial {
  const { random, plan, rotation } = draw;
  const formed = FORMING_ROTATIONS * rotation;
  const start = random.next() < 0.3 ? 0 : formed;
  const lines: TimedLine[] = [];
  if (random.next() < 0.3) {
    for (const id of plan.ids) {
      if (random.next() < 0.5) lines.push([0, `late ${id} ${micros(random.next() * formed)}`]);
    }
  }
  const everywhere = random.next() < STALE ? STALE_FRAME_KINDS : FAULT_KINDS;
  const kinds = Object.values(
    plan.wiring === "hub" && everywhere === FAULT_KINDS ? { ...FAULT_KINDS, ...HUB_FAULT_KINDS } : everywhere,
  );
  for (let k = random.below(MOST_FAULTS); k >= 0; k--) {
    const at = start + random.next() * FAULT_ROTATIONS * rotation;
    lines.push(...random.pick(kinds)(draw, at, random.pick(plan.ids)));
  }
  const last = lines.reduce((a, [at]) => Math.max(a, at), start);
  const calm = last + (random.next() < 0.5 ? 1 : rotation * random.below(50));
  for (let k = random.below(4 * plan.ids.length); k > 0; k--) {
    lines.push([random.next() * calm, `request ${random.pick(plan.ids)}`]);
  }
  return {
    fault: SEVERAL,
    plan,
    script: [...inOrder(lines), `${micros(calm)} ${["calm", draw.dead.join()].join(" ").trim()}`],
  };
}

/** Nothing is lost and nobody leaves: stations ask, and start elections, at any time from power-up. */
function requests({ random, plan, rotation, dead }: FaultDraw): Trial {
  const formed = FORMING_ROTATIONS * rotation;
  const end = formed + FAULT_ROTATIONS * rotation;
  const quiet = { ...plan, leaseMs: circulates(plan.mutex) ? plan.leaseMs : 0 };
  const draw = { random, plan: quiet, rotation, dead };
  const kinds = Object.values(TIMING_KINDS);
  const lines: TimedLine[] = [];
  for (let k = random.below(3 * plan.ids.length); k >= 0; k--) {
    // Half of them before the ring has formed, and many of those in its first moments.
    const at = random.next() < 0.5 ? random.next() * end : random.next() ** 3 * formed;
    lines.push([at, `request ${random.pick(plan.ids)}`]);
  }
  for (let k = random.below(3); k > 0; k--)
    lines.push([random.next() * end, `elect ${random.pick(plan.ids)}`]);
  if (random.next() < 0.5) {
    const at = random.next() * end;
    lines.push(...random.pick(kinds)(draw, at, random.pick(plan.ids)));
  }
  const last = lines.reduce((a, [at]) => Math.max(a, at), 0);
  return { fault: SEVERAL, plan: quiet, script: [...inOrder(lines), `${micros(last + 1)} calm`] };
}

function inOrder(lines: readonly TimedLine[]): string[] {
  return [...lines].sort(([a], [b]) => a - b).map(([at, action]) => `${micros(at)} ${action}`);
}
