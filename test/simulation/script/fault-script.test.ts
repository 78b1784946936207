/** Faults drawn from a seed for one ring: what it can have, within the time, and the same for the same seed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BOARD_VERBS, canDo } from "../../../src/host/ring/board-actions.ts";
import { Summary } from "../../../src/log/summary/summary.ts";
import { DEFAULT_PLAN } from "../../../src/simulation/plan.ts";
import { faultScript } from "../../../src/simulation/script/fault-script.ts";
import { parseAction } from "../../../src/simulation/script/script.ts";
import { sampleRun } from "../../log/sample.ts";

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
      const faults = actions.filter(({ verb }) => verb !== "request");
      expect(faults.at(-1)).toMatchObject({ verb: "calm" });
      for (const { at, verb } of faults) {
        seen.add(verb);
        expect(able(verb)).toBe(true);
        expect(at).toBeGreaterThanOrEqual(0.3 * until - 1000);
        expect(at).toBeLessThanOrEqual(0.7 * until + 1000);
      }
      expect(actions.map(({ at }) => at)).toEqual(actions.map(({ at }) => at).sort((a, b) => a - b));
    }),
  );
  const all = Object.keys(BOARD_VERBS).filter(
    (verb) => !["request", "release", "elect", "send"].includes(verb),
  );
  expect(all.filter((verb) => !seen.has(verb))).toEqual([]);
});

test("stations ask to enter before, among and behind the faults, and all are served in a ring that recovers", () => {
  fc.assert(
    fc.property(wirings, seeds, (wiring, seed) => {
      const until = 60e6;
      const plan = { ...DEFAULT_PLAN, wiring };
      const actions = faultScript(plan, seed, until, (verb) => canDo(verb, wiring)).map(parseAction);
      const calm = actions.find(({ verb }) => verb === "calm")?.at ?? 0;
      const asked = actions.filter(({ verb }) => verb === "request");
      expect(asked.some(({ at }) => at < calm)).toBe(true);
      expect(asked.some(({ at }) => at > calm)).toBe(true);
      expect(asked.every(({ at }) => at <= 0.85 * until + 1000)).toBe(true);
      const { columns } = sampleRun(
        actions.map(({ at, verb, args }) => [`${at}us`, verb, ...args].join(" ")),
        60,
        plan,
      );
      const summary = new Summary();
      summary.write(columns);
      const { requests } = summary.result();
      expect(requests.waiting).toEqual([]);
      expect(requests.served).toBeGreaterThan(10);
    }),
    { numRuns: 20, seed: 1 },
  );
});
