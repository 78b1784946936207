/** Faults drawn from a seed for one ring: what it can have, within the time, and the same for the same seed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BOARD_VERBS, canDo } from "../../../src/host/ring/board-actions.ts";
import { DEFAULT_PLAN } from "../../../src/simulation/plan.ts";
import { faultScript } from "../../../src/simulation/script/fault-script.ts";
import { parseAction } from "../../../src/simulation/script/script.ts";

const wirings = fc.constantFrom<"hub" | "wired">("hub", "wired");
const seeds = fc.nat();
const seconds = fc.integer({ min: 1, max: 600 });

test("a ring of boards gets only what it can do; all of it ends while there is time to recover", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(wirings, seeds, seconds, (wiring, seed, length) => {
      const until = length * 1e6;
      const able = (verb: string) => canDo(verb, wiring);
      const script = faultScript({ ...DEFAULT_PLAN, wiring }, seed, until, able);
      expect(faultScript({ ...DEFAULT_PLAN, wiring }, seed, until, able)).toEqual(script);
      const actions = script.map(parseAction);
      expect(actions.length).toBeGreaterThan(1);
      expect(actions.at(-1)).toMatchObject({ verb: "calm" });
      for (const { at, verb } of actions) {
        seen.add(verb);
        expect(able(verb)).toBe(true);
        expect(at).toBeGreaterThanOrEqual(0.3 * until - 1000);
        expect(at).toBeLessThanOrEqual(0.7 * until + 1000);
      }
      expect(actions.map(({ at }) => at)).toEqual(actions.map(({ at }) => at).sort((a, b) => a - b));
    }),
  );
  const faults = Object.keys(BOARD_VERBS).filter(
    (verb) => !["request", "release", "elect", "send"].includes(verb),
  );
  expect(faults.filter((verb) => !seen.has(verb))).toEqual([]);
});
