/** What one action does to a large ring costs in proportion to its size: the square would take minutes here. */
import { expect, test } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import { consecutiveIds, DEFAULT_PLAN } from "../../src/simulation/plan.ts";
import { parseAction, schedule } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";

const STATIONS = 100_000;

test.each([1, 2])(
  "a ring of 100,000, in %i parts, loses and regains the power of all its stations",
  (parts) => {
    const records = new RecordColumns();
    const sim = new Simulation({ ...DEFAULT_PLAN, ids: consecutiveIds(STATIONS) }, records);
    sim.bootAll();
    const part = STATIONS / parts;
    if (parts > 1) sim.mau.partition(sim.plan.ids.map((_, position) => Math.floor(position / part)));
    schedule(sim, ["5ms crash all", "6ms restart all"].map(parseAction));
    sim.runUntil(6000);
    expect([records.length > 4 * STATIONS, sim.mau.count]).toEqual([true, STATIONS]);
    expect([sim.mau.successor(0), sim.mau.successor(STATIONS - 1)]).toEqual([1, STATIONS - part]);
  },
);
