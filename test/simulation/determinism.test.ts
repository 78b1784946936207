import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import { NdjsonWriter } from "../../src/log/file/ndjson-writer.ts";
import { SCHEMA } from "../../src/log/records.ts";
import { consecutiveIds, DEFAULT_PLAN, type Plan } from "../../src/simulation/plan.ts";
import { parseAction, schedule } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ringlab-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a plan and returns its log file. @param batch records that are handed to the writer at a time */
function logOf(plan: Plan, script: readonly string[], until: number, batch = Infinity): Buffer {
  const path = join(folder, "run.ndjson");
  const records = new RecordColumns();
  const sim = new Simulation(plan, records);
  const writer = new NdjsonWriter(path, {
    schema: SCHEMA,
    program: "ringlab",
    kind: "simulation",
    stations: plan.ids,
    wiring: plan.wiring,
    baud: plan.baud,
    election: plan.election,
  });
  const handOn = () => {
    writer.write(records);
    records.clear();
  };
  sim.bootAll();
  schedule(sim, script.map(parseAction));
  while (sim.clock.peek() <= until) {
    sim.step();
    if (records.length >= batch) handOn();
  }
  handOn();
  writer.close(writer.footer("done"));
  return readFileSync(path);
}

const SCRIPT = [
  "2500ms request all",
  "3s crash 5",
  "3010ms request 2",
  "5s hang 1",
  "6s resume 1",
  "7s restart 5",
  "8s cut 3",
  "9s mend 3",
  "9500ms pause 4 200ms",
  "9600ms send 2 4 some text",
];

const PLANS: Plan[] = ["bully", "ring", "chang-roberts"].flatMap((election) =>
  (["hub", "wired"] as const).map((wiring) => ({ ...DEFAULT_PLAN, election, wiring })),
);

describe("a run", () => {
  test.each(PLANS)(
    "with the same plan, seed and script has the same log, byte for byte ($election, $wiring)",
    (plan) => {
      const log = logOf(plan, SCRIPT, 12_000_000);
      expect(log.length).toBeGreaterThan(50_000);
      expect(logOf(plan, SCRIPT, 12_000_000).equals(log)).toBe(true);
    },
  );

  test("has the same log however often its records are handed on", () => {
    const log = logOf(DEFAULT_PLAN, SCRIPT, 12_000_000);
    for (const batch of [1, 7, 1000])
      expect(logOf(DEFAULT_PLAN, SCRIPT, 12_000_000, batch).equals(log)).toBe(true);
  });

  test("with another seed has another log", () => {
    const log = logOf(DEFAULT_PLAN, SCRIPT, 12_000_000);
    for (const seed of [0, 2, 2 ** 40])
      expect(logOf({ ...DEFAULT_PLAN, seed }, SCRIPT, 12_000_000).equals(log)).toBe(false);
  });

  test("with another script has another log", () => {
    const log = logOf(DEFAULT_PLAN, SCRIPT, 12_000_000);
    expect(logOf(DEFAULT_PLAN, ["3001ms crash 5", ...SCRIPT.slice(2)], 12_000_000).equals(log)).toBe(false);
  });

  test("of any script repeats itself", () => {
    const action = fc
      .tuple(
        fc.integer({ min: 0, max: 8000 }),
        fc.constantFrom("crash", "restart", "hang", "resume", "cut", "mend", "request", "elect"),
        fc.integer({ min: 1, max: 6 }),
      )
      .map(([ms, verb, id]) => `${ms}ms ${verb} ${id}`);
    const plans = fc.record({
      plan: fc.constantFrom(...PLANS),
      seed: fc.nat(),
      n: fc.integer({ min: 6, max: 9 }),
    });
    fc.assert(
      fc.property(plans, fc.array(action, { maxLength: 12 }), ({ plan, seed, n }, script) => {
        const whole = { ...plan, seed, ids: consecutiveIds(n) };
        const log = logOf(whole, script, 10_000_000);
        expect(logOf(whole, script, 10_000_000, 100).equals(log)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
