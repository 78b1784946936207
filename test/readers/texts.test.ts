/** Files and options that people write: bench files, board profiles, scripts, ids, times, limits. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseId, parseIds } from "../../src/bench-file/id.ts";
import { loadBench, readyBenches } from "../../src/bench-file/load-bench.ts";
import { BOARDS_FOLDER, loadProfile } from "../../src/bench-file/profiles.ts";
import { parsePace } from "../../src/cli/options.ts";
import { readScript, stories } from "../../src/cli/script-file.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { wholeNumber } from "../../src/simulation/option-values.ts";
import { DEFAULT_PLAN, limitsOf } from "../../src/simulation/plan.ts";
import { planOf, type RingOptions } from "../../src/simulation/plan-of.ts";
import { parseSignedTime, parseTime } from "../../src/simulation/script/arguments.ts";
import { parseAction, schedule, VERBS } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";
import { damaged, fixed, inputs, taken } from "./hostile.ts";

const write = inputs();
const texts = (paths: Iterable<string>) => [...paths].map((path) => readFileSync(path, "utf8"));

describe("whatever is in it, one of these is taken or refused in one line:", () => {
  it("a bench file, 500 of them", () => {
    const good = texts(readyBenches().values());
    fc.assert(
      fc.property(damaged(good), (text) => {
        const path = write("bench.json", text);
        const bench = taken(() => loadBench(path));
        if (bench) expect(bench.stations.length).toBeGreaterThan(0);
      }),
      fixed(500),
    );
  });

  it("a board profile, 500 of them", () => {
    const names = readdirSync(BOARDS_FOLDER).filter((name) => /^[a-z0-9-]+\.json$/.test(name));
    const good = texts(names.map((name) => join(BOARDS_FOLDER, name)));
    fc.assert(
      fc.property(damaged(good), fc.constantFrom(...names), (text, name) => {
        const path = write("profile.json", text);
        const profile = taken(() => loadProfile(path, name.slice(0, -".json".length)));
        if (profile) expect(profile.variables).toBeGreaterThan(0);
      }),
      fixed(500),
    );
  });

  it("a script, 500 of them, and what it asks of a ring", () => {
    const lines = Object.entries(VERBS).map(([verb, { usage }]) => {
      const args = usage.replace(/[[\]]/g, "").replace(/ID,ID.*|ID\|all|ID(,ID)*/g, "1");
      return `2s ${verb} ${args.replace(/TIME/g, "5ms").replace(/COUNT|PERCENT|PPM|FACTOR/g, "2")}`;
    });
    fc.assert(
      fc.property(damaged([...texts(stories().values()), lines.join("\n"), ...lines]), (text) => {
        const path = write("script.txt", text);
        const script = taken(() => readScript(path));
        if (!script) return;
        const plan = taken(() => planOf(script.options)) ?? DEFAULT_PLAN;
        if (plan.ids.length > 100) return;
        taken(() => {
          const sim = new Simulation({ ...plan, limits: {} }, new RecordColumns());
          schedule(sim, script.actions.slice(0, 50));
        });
      }),
      fixed(500),
    );
  });

  it("ids, limits, times, paces and numbers, 3000 of each", () => {
    const values = damaged([
      "1,2,3",
      "0-7",
      "240-250,256-300",
      "250ms",
      "-2s",
      "token=500",
      "0.1",
      "1m",
      "max",
    ]);
    fc.assert(
      fc.property(values, (text) => {
        const id = taken(() => parseId(text, "--station"));
        if (id !== undefined) expect(id).toBeLessThanOrEqual(250);
        const ids = taken(() => parseIds(text, "--ids"));
        if (ids) {
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((each) => each > 250 && each < 256)).toEqual([]);
        }
        for (const time of [taken(() => parseTime(text)), taken(() => parseSignedTime(text))]) {
          if (time !== undefined) expect(Number.isSafeInteger(time)).toBe(true);
        }
        const pace = taken(() => parsePace(text));
        if (pace !== undefined) expect(pace).toBeGreaterThan(0);
        const n = taken(() => wholeNumber("--seed", 0, 2 ** 53 - 1)(text));
        if (n !== undefined) expect(Number.isSafeInteger(n)).toBe(true);
        const options: RingOptions = {
          limit: [text],
          hold: text,
          critical: text,
          lease: text,
          preempt: text,
        };
        for (const [name, value] of Object.entries(options)) {
          const plan = taken(() => planOf({ [name]: value }));
          const limits = plan && taken(() => limitsOf(plan));
          if (limits) for (const ms of Object.values(limits)) expect(Number.isFinite(ms)).toBe(true);
        }
      }),
      fixed(3000),
    );
  });

  it("one action, 3000 of them", () => {
    const actions = damaged([
      "2s crash 5",
      "1ms inject 1 TOK,3,253,258,912,57",
      "5s partition 1,2/3,4,5",
      "2s send 1 2 a b",
    ]);
    const sim = new Simulation(DEFAULT_PLAN, new RecordColumns());
    fc.assert(
      fc.property(actions, (text) => {
        const action = taken(() => parseAction(text));
        if (action) taken(() => VERBS[action.verb]?.prepare(sim, action.args));
      }),
      fixed(3000),
    );
  });
});
