import { expect, test } from "vitest";
import { createStation } from "../../firmware/station.js";
import type { Station } from "../../firmware/types.d.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { DEFAULT_PLAN, type Plan } from "../../src/simulation/plan.ts";
import { parseAction, schedule } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";
import { settings } from "./one-station.ts";

const SCRIPT = [
  "2500ms request all",
  "3s crash 5",
  "5s request 1,3",
  "5200ms elect 2",
  "7s restart 5",
  "8s send 1 3 hi",
];

/** A run whose stations are handed through `keep` before every step. */
function run(plan: Plan, keep: (s: Station) => Station): unknown[] {
  const records = new RecordColumns();
  const sim = new Simulation(plan, records);
  sim.bootAll();
  schedule(sim, SCRIPT.map(parseAction));
  while (sim.clock.peek() < 10_000_000) {
    sim.step();
    sim.stations.forEach((s, i) => {
      sim.stations[i] = keep(s);
    });
  }
  return Array.from({ length: records.length }, (_, i) => records.get(i));
}

test.each(["bully", "ring", "chang-roberts"])(
  "a station's whole state is plain data: copied through JSON at every step, a run with %s elections stays the same",
  (election) => {
    const plan = { ...DEFAULT_PLAN, election };
    const copied = run(plan, ({ settings, ...state }) => ({
      ...JSON.parse(JSON.stringify(state)),
      settings,
    }));
    const plain = run(plan, (s) => s);
    expect(plain.length).toBeGreaterThan(1000);
    expect(copied).toEqual(plain);
  },
);

test("two new stations with one id and the same settings are equal and share no state", () => {
  const shared = settings();
  const a = createStation(4, shared);
  const b = createStation(4, shared);
  expect(a).toEqual(b);
  for (const [key, value] of Object.entries(a))
    if (typeof value === "object" && key !== "settings") expect(b[key]).not.toBe(value);
});
