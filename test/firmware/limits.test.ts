import { describe, expect, test } from "vitest";
import { crc32 } from "../../firmware/crc32.js";
import { encode } from "../../firmware/frame.js";
import { computeLimits, hopMs, LEAST_ROTATIONS } from "../../firmware/limits.js";
import type { Limits } from "../../firmware/types.d.ts";
import {
  consecutiveIds,
  DEFAULT_PLAN,
  limitsOf,
  type Plan,
  settingsOf,
  timing,
} from "../../src/simulation/plan.ts";

const RING = { stations: 5, baud: 115200, lines: 2, boardMs: 2.1, hostMs: 0.23, holdMs: 0 };
const NAMES = Object.keys(LEAST_ROTATIONS) as (keyof typeof LEAST_ROTATIONS)[];

describe("the limits of a ring", () => {
  test("begin with the hop: ten bits a byte on each line, and the time of board and hub", () => {
    expect(hopMs(RING, 46)).toBeCloseTo((2 * 46 * 10) / 115.2 + 2.1 + 0.23, 9);
    expect(hopMs({ ...RING, lines: 1, hostMs: 0, baud: 9600 }, 96)).toBeCloseTo(100 + 2.1, 9);
  });

  test("count on a frame without a list being no longer than a probe with every number at its largest", () => {
    const probe = { type: "PRB", src: 250, dst: 253, args: [250, 99999, 16777466, 1], flags: 3 };
    const { hop } = computeLimits(RING);
    expect(hop).toBeGreaterThanOrEqual(hopMs(RING, encode(probe, crc32).length));
  });

  // For the default plan, a hub at 115200 baud with 2.1 ms a board: worked out by hand from the formulas.
  test.each([
    { stations: 1, rotation: 10.3, token: 30.9, standby: 412.7, quiet: 619 },
    { stations: 5, rotation: 51.6, token: 154.7, standby: 2063.3, quiet: 3095 },
    { stations: 50, rotation: 515.8, token: 1547.4, standby: 20632.2, quiet: 30948.3 },
  ])("of $stations stations: rotation $rotation ms, token $token ms", ({ stations, ...expected }) => {
    const limits = limitsOf({ ...DEFAULT_PLAN, ids: consecutiveIds(stations) });
    for (const [name, ms] of Object.entries(expected))
      expect(limits[name as keyof Limits]).toBeCloseTo(ms, 0);
  });

  test("all grow with the number of stations, bar the hop (corosync PR#600)", () => {
    let before = computeLimits({ ...RING, stations: 1 });
    for (let stations = 2; stations <= 300; stations++) {
      const limits = computeLimits({ ...RING, stations });
      expect(limits.hop).toBe(before.hop);
      for (const name of Object.keys(limits) as (keyof Limits)[])
        if (name !== "hop") expect(limits[name]).toBeGreaterThan(before[name]);
      before = limits;
    }
  });

  test("all grow as the baud rate falls, and the token's with the time an idle token rests", () => {
    const slow = computeLimits({ ...RING, baud: 9600 });
    const fast = computeLimits(RING);
    for (const name of Object.keys(fast) as (keyof Limits)[]) expect(slow[name]).toBeGreaterThan(fast[name]);
    // An idle token rests at each station once a rotation; the limit allows twice that.
    expect(computeLimits({ ...RING, holdMs: 100 }).token).toBeCloseTo(fast.token + 2 * 5 * 100, 9);
  });

  test("keep their own least multiples in rings of any size", () => {
    for (const stations of [1, 2, 3, 10, 100, 1000]) {
      const limits = computeLimits({ ...RING, stations });
      for (const name of NAMES)
        expect(limits[name]).toBeGreaterThanOrEqual(LEAST_ROTATIONS[name] * limits.rotation);
    }
  });

  test("have a shorter token limit than the standby limit: the monitor acts before it is thought dead", () => {
    for (const stations of [1, 5, 250]) {
      const limits = computeLimits({ ...RING, stations });
      expect(limits.token + limits.probe + limits.purge).toBeLessThan(limits.standby);
      expect(limits.standby).toBeLessThan(limits.quiet);
    }
  });
});

describe("a limit that is given", () => {
  const plan = (limits: Partial<Limits>): Plan => ({ ...DEFAULT_PLAN, limits });

  test.each(NAMES.filter((name) => LEAST_ROTATIONS[name] > 0))(
    "for %s is refused below its multiple of a rotation, with both numbers (adjoint-io/raft#73)",
    (name) => {
      const { rotation } = computeLimits(timing(DEFAULT_PLAN));
      const least = LEAST_ROTATIONS[name];
      const below = Math.floor(least * rotation);
      expect(() => limitsOf(plan({ [name]: below }))).toThrow(
        `limit ${name}: ${below} ms is below ${least} rotations of this ring (${(least * rotation).toFixed(1)} ms)`,
      );
      expect(() => limitsOf(plan({ [name]: Number.NaN }))).toThrow(`limit ${name}: NaN ms`);
      expect(() => limitsOf(plan({ [name]: -1 }))).toThrow(`limit ${name}: -1 ms`);
      const enough = Math.ceil(least * rotation);
      expect(limitsOf(plan({ [name]: enough }))[name]).toBe(enough);
    },
  );

  test("takes the place of the computed one and leaves the others", () => {
    const computed = limitsOf(plan({}));
    expect(limitsOf(plan({ announce: 1000 }))).toEqual({ ...computed, announce: 1000 });
    expect(settingsOf(plan({ announce: 1000 })).limits.announce).toBe(1000);
  });

  test("that would do for a small ring is refused for a larger one", () => {
    const limits = { token: 150 };
    expect(limitsOf({ ...plan(limits), ids: consecutiveIds(5) }).token).toBe(150);
    expect(() => limitsOf({ ...plan(limits), ids: consecutiveIds(50) })).toThrow(
      "150 ms is below 2 rotations",
    );
  });
});

test("epochs and elections of two stations never meet: the step is above every id", () => {
  for (const ids of [[0], [1, 2, 3], [250, 0], consecutiveIds(300), consecutiveIds(5000)]) {
    const { step, members } = settingsOf({ ...DEFAULT_PLAN, ids });
    expect(step).toBeGreaterThan(Math.max(...members));
    expect(members).toEqual([...ids].sort((a, b) => a - b));
  }
});
