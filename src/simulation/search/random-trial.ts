/** Trials at random: a seed determines a ring, and the faults that happen to it. */
import { SEVERAL } from "../../check/bounds.ts";
import { limitsOf } from "../plan.ts";
import { Random } from "../random.ts";
import {
  FAULT_KINDS,
  type FaultDraw,
  HUB_FAULT_KINDS,
  micros,
  STALE_FRAME_KINDS,
  type TimedLine,
} from "./random-faults.ts";
import { drawRing, type RingChoice } from "./ring-draw.ts";
import { SINGLE_FAULTS } from "./single-faults.ts";
import type { Trial } from "./trial.ts";

/** Several faults come within so many rotations. */
const FAULT_ROTATIONS = 200;
const MOST_FAULTS = 6;
/** A ring has formed, and settled, after about so many rotations. */
const FORMING_ROTATIONS = 100;
/** Share of the trials with several faults that repeat old frames. */
const STALE = 0.15;
/** Share of the trials that have a single fault. */
const SINGLE = 0.4;

/** @returns the trial of a seed */
export function trialOf(seed: number, choice: RingChoice = {}): Trial {
  const random = new Random(seed, 1);
  const plan = drawRing(random, seed, choice);
  const rotation = limitsOf(plan).rotation * 1000;
  const draw: FaultDraw = { random, plan, rotation, dead: [] };
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

function inOrder(lines: readonly TimedLine[]): string[] {
  return [...lines].sort(([a], [b]) => a - b).map(([at, action]) => `${micros(at)} ${action}`);
}
