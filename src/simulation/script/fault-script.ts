/** A script of faults for a ring that is there already and at work, drawn from a seed. */

import { limitsOf, type Plan } from "../plan.ts";
import { Random } from "../random.ts";
import { FAULT_KINDS, type FaultDraw, HUB_FAULT_KINDS, type TimedLine } from "../search/random-faults.ts";

/** Nothing happens before this share of the run, in which the ring forms, nor after the other, in which it recovers. */
const FROM = 0.3;
const TO = 0.7;
/** A fault comes about so often, µs. */
const EVERY = 2_000_000;
const MOST_FAULTS = 1000;
/** Stations ask to enter so often, µs, from the first fault on until some time after the last. */
const ASKED_EVERY = 500_000;
const ASKED_UNTIL = 0.85;
/** Stations that would not come back. */
const FINAL = "dead";

/**
 * @param until length of the run, µs
 * @param able can this ring do what the verb says?
 * @returns lines of a script: requests of stations, and faults, which all end while there is time to recover
 */
export function faultScript(
  plan: Plan,
  seed: number,
  until: number,
  able: (verb: string) => boolean,
): string[] {
  const random = new Random(seed, 2);
  const draw: FaultDraw = { random, plan, rotation: limitsOf(plan).rotation * 1000, dead: [] };
  const kinds = Object.entries({ ...FAULT_KINDS, ...(plan.wiring === "hub" ? HUB_FAULT_KINDS : {}) }).flatMap(
    ([kind, make]) => (kind === FINAL ? [] : [make]),
  );
  const [first, calm] = [FROM * until, TO * until];
  const wanted = Math.min(MOST_FAULTS, Math.ceil((calm - first) / EVERY));
  const lines: TimedLine[] = [];
  for (let k = 0, tries = 0; k < wanted && tries < 100 * wanted; tries++) {
    const at = first + random.next() * (calm - first);
    const fault = random.pick(kinds)(draw, at, random.pick(plan.ids));
    if (fault.length === 0 || !fault.every(([, action]) => able(action.split(" ")[0] as string))) continue;
    // What would end later ends with everything else.
    lines.push(...fault.filter(([time]) => time < calm));
    k++;
  }
  lines.push(...requests(random, plan.ids, first, ASKED_UNTIL * until), [calm, "calm"]);
  return lines.sort(([a], [b]) => a - b).map(([at, action]) => `${Math.round(at / 1000)}ms ${action}`);
}

/** A ring in which nobody asks to enter has nothing to lose by its faults. */
function requests(random: Random, ids: readonly number[], from: number, to: number): TimedLine[] {
  const count = Math.min(MOST_FAULTS, Math.ceil((to - from) / ASKED_EVERY));
  return Array.from({ length: count }, () => [
    from + random.next() * (to - from),
    `request ${random.pick(ids)}`,
  ]);
}
