/**
 * A ring of five falls into two rings of its own, and is one again. While it is apart each side has a coordinator and a token:
 * there is no quorum.
 * Sources: H. Garcia-Molina, "Elections in a Distributed Computing System", IEEE Trans. Computers C-31(1), 1982: groups that
 * meet again get one coordinator. Field reports, keepalived#2649: both sides have a master, and after healing both stay.
 */
import { describe, expect, test } from "vitest";
import { ELECTIONS, FormedRing, oneToken, planOf, range } from "./ring.ts";
import { TokenCount } from "./token-count.ts";

/** Two stations of five against the other three: every way. */
const SPLITS = range(1, 5).flatMap((a) =>
  range(a + 1, 5).map((b): string => `${range(1, 5).filter((id) => id !== a && id !== b)}/${a},${b}`),
);

/** Rotations for which the sides stay apart beside the time in which both have elected: the heal falls between announcements. */
const MOMENTS = [0, 1.3, 4.1, 7.7];

const RINGS = ELECTIONS.flatMap((election) => SPLITS.map((split): [string, string] => [split, election]));

interface Healed {
  ring: FormedRing;
  /** Place of the first record after the heal. */
  first: number;
  /** Who had the duty of the monitor on each side, the lower first. */
  lower: number;
  higher: number;
  /** What is wrong at the bound, or afterwards. */
  wrong: string;
}

function heal(split: string, election: string, preemptMs: number, moment: number): Healed {
  const ring = new FormedRing(planOf(5, "hub", election, { preemptMs }));
  const { sim } = ring;
  ring.do(`partition ${split}`);
  sim.runUntil(ring.now + Math.ceil(1000 * ring.bound("several faults").ms));
  ring.turn(moment);
  const duty = ring.live().filter((s) => s.monitor.duty);
  const [lower = -1, higher = -1] = duty.map(({ id }) => id);
  expect(duty.length, `monitors while it is apart\n${ring.where()}`).toBe(2);
  const first = ring.length;
  ring.do("heal");
  const last = ring.now + Math.ceil(1000 * ring.bound("partition and heal").ms);
  const count = new TokenCount(ring);
  count.runUntil(last);
  const atBound = ring.disagreement() || oneToken(sim);
  const settled = ring.length;
  count.runUntil(last + 25 * ring.rotation);
  const late = (["stepdown", "elect", "coordinator", "lost", "regenerated", "stale"] as const).find(
    (event) => ring.events(event, settled).length > 0,
  );
  const wrong =
    atBound || count.oneSince(last) || ring.disagreement() || (late ? `${late} after the bound` : "");
  return { ring, first, lower, higher, wrong: wrong || ring.violation() };
}

/** @returns who stepped down, why and in whose favour, in the order of time */
function yielded({ ring, first }: Healed): string[] {
  return ring
    .events("stepdown", first)
    .map(({ station, fields }) => `${station} to ${fields.to} by ${fields.cause}`);
}

describe("after the heal, within its bound, one coordinator on whom all agree and one token", () => {
  test.each(RINGS)(
    "%s, %s, nobody takes over: one monitor yields, once, to the one that stays",
    (split, election) => {
      for (const moment of MOMENTS) {
        const run = heal(split, election, -1, moment);
        const { ring, first, lower, higher } = run;
        if (run.wrong) expect.fail(`${run.wrong}\n${ring.where()}`);
        const stays = ring.monitor.id;
        const goes = stays === higher ? lower : higher;
        expect([lower, higher], ring.where()).toContain(stays);
        // The later epoch stays; the higher id where they know of the same one when they meet.
        const why = stays === higher ? expect.stringMatching(/epoch|id$/) : expect.stringMatching(/epoch$/);
        expect(yielded(run), ring.where()).toEqual([why]);
        expect(yielded(run)[0], ring.where()).toContain(`${goes} to ${stays} by `);
        expect(ring.events("elect", first), ring.where()).toEqual([]);
        expect(ring.events("regenerated", first), ring.where()).toEqual([]);
      }
    },
  );

  test.each(RINGS)(
    "%s, %s, a higher id takes over: the lower monitor yields once to the higher, which has yielded to an epoch at most once",
    (split, election) => {
      for (const moment of MOMENTS) {
        const run = heal(split, election, 0, moment);
        const { ring, first, lower, higher } = run;
        if (run.wrong) expect.fail(`${run.wrong}\n${ring.where()}`);
        expect(ring.monitor.id, ring.where()).toBe(higher);
        const [own, others] = [yielded(run).filter((one) => one.startsWith(`${higher} `)), yielded(run)];
        expect(
          others.filter((one) => !own.includes(one)),
          ring.where(),
        ).toEqual([
          expect.stringMatching(
            `^${lower} to ${higher} by ${own.length ? "election" : "(epoch|id|election)"}$`,
          ),
        ]);
        if (own.length) expect(own, ring.where()).toEqual([`${higher} to ${lower} by epoch`]);
        expect(ring.events("regenerated", first), ring.where()).toEqual([]);
      }
    },
  );
});

// What does not hold: a monitor that is elected while it is on duty, before it has met the other's later epoch, steps down
// when it meets that, though the other has yielded to it meanwhile. Nobody watches then until the next election.
test("who has won the election after the heal keeps the duty", () => {
  for (const split of SPLITS) {
    for (const moment of range(0, 9)) {
      const run = heal(split, "ring", 0, moment);
      const kept = yielded(run).at(-1)?.startsWith(`${run.lower} to ${run.higher} by `);
      expect(kept, run.ring.where()).toBe(true);
    }
  }
});
