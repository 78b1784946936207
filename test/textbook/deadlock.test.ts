/** Deadlock among stations that hold resources and wait for others: Chandy, Misra and Haas 1983, AND model. */
import { describe, expect, test } from "vitest";
import { acquire, free } from "../../firmware/deadlock/edge-chasing.js";
import { consecutiveIds } from "../../src/simulation/plan.ts";
import { Random } from "../../src/simulation/random.ts";
import { parseAction, schedule } from "../../src/simulation/script/script.ts";
import type { Simulation } from "../../src/simulation/simulation.ts";
import { electedRing, textbookPlan } from "../../src/textbook/simulated-ring.ts";

function ring(stations: number, seed = 1): Simulation {
  return electedRing(textbookPlan({ algorithm: "centralised", ids: consecutiveIds(stations), seed }));
}

/** Runs a script whose times count from now. @returns what stations reported of resources, one line each */
function play(sim: Simulation, script: string): string[] {
  const lines = script.trim().split("\n");
  const start = sim.clock.now;
  const actions = lines.map((line) => parseAction(line.trim()));
  schedule(
    sim,
    actions.map((action) => ({ ...action, at: action.at + start })),
  );
  sim.runUntil(start + 60_000_000);
  return reports(sim);
}

function reports(sim: Simulation): string[] {
  return Array.from({ length: sim.records.length }, (_, i) => sim.records.get(i))
    .filter(({ event }) => ["acquire", "hold", "free", "deadlock", "refused"].includes(event))
    .map((record) => {
      if (!("fields" in record)) return "";
      return [record.station, record.event, ...Object.values(record.fields)].join(" ");
    });
}

describe("a script", () => {
  test("of two stations that take two resources crosswise shows the deadlock", () => {
    const script = `
      100ms acquire 1 0
      100ms acquire 2 1
      1s acquire 1 1
      1100ms acquire 2 0
    `;
    expect(play(ring(3), script)).toEqual([
      "1 acquire 0",
      "1 hold 0",
      "2 acquire 1",
      "2 hold 1",
      "1 acquire 1",
      "2 acquire 0",
      "2 deadlock 0 1",
    ]);
  });

  test("of the same stations one after the other shows none", () => {
    const script = `
      100ms acquire 1 0
      200ms acquire 1 1
      300ms acquire 2 1
      1s free 1 1
      2s acquire 2 0
      3s free 1 0
    `;
    expect(play(ring(3), script).filter((line) => line.includes("deadlock"))).toEqual([]);
  });

  test("frees the others when one of them gives up what it holds", () => {
    const script = `
      100ms acquire 1 0
      100ms acquire 2 1
      1s acquire 1 1
      1100ms acquire 2 0
      3s free 2 1
    `;
    expect(play(ring(3), script).slice(-3)).toEqual(["2 deadlock 0 1", "2 free 1", "1 hold 1"]);
  });

  test("asks in words for what it cannot read", () => {
    expect(() => play(ring(3), "1s acquire 1")).toThrow(/write acquire ID RESOURCE/);
    expect(() => play(ring(3), "1s acquire 7 0")).toThrow(/no station of this ring is called "7"/);
    expect(() => play(ring(3), "1s acquire 1 x")).toThrow(/"x" is not a resource/);
  });

  test("is refused what makes no sense", () => {
    expect(play(ring(2), "1s free 1 0\n2s acquire 1 0\n3s acquire 1 0")).toEqual([
      "1 refused not-held",
      "1 acquire 0",
      "1 hold 0",
      "1 refused held",
    ]);
  });
});

test.each([2, 3, 5, 8])("a cycle of %i stations is found, a chain is not", (n) => {
  for (const closed of [true, false]) {
    const sim = ring(n);
    const ids = consecutiveIds(n);
    for (const id of ids) acquire(sim, sim.station(id), id);
    sim.runUntil(sim.clock.now + 2_000_000);
    // Each waits for what the next one holds; the last closes the cycle, or does not.
    for (const id of closed ? ids : ids.slice(0, -1)) acquire(sim, sim.station(id), id === n ? 1 : id + 1);
    sim.runUntil(sim.clock.now + 10_000_000);
    const deadlocks = reports(sim).filter((line) => line.includes("deadlock"));
    expect([closed, deadlocks.length > 0]).toEqual([closed, closed]);
  }
});

test("a deadlock is found when and only when there is one, over 300 random runs with slow links", () => {
  let found = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const n = 2 + (seed % 4);
    const sim = ring(n, seed);
    const random = new Random(seed, 5);
    sim.medium.disturber = () => ({ delay: random.below(20_000) });
    for (let k = 0; k < 6 * n; k++) {
      const id = 1 + random.below(n);
      const resource = random.below(n);
      const act = random.below(3) ? acquire : free;
      sim.at(sim.clock.now + random.below(2_000_000), () => act(sim, sim.station(id), resource));
    }
    sim.runUntil(sim.clock.now + 20_000_000);
    const reported = reports(sim).some((line) => line.includes("deadlock"));
    const stuck = waitsForItself(sim);
    // A free that a person gives may end a deadlock after it was found.
    if (stuck) expect([seed, reported]).toEqual([seed, true]);
    if (!reported) expect([seed, stuck]).toEqual([seed, false]);
    if (stuck) found++;
  }
  expect(found).toBeGreaterThan(30);
});

/** Is there a cycle among those that wait? Read from what the stations hold and want. */
function waitsForItself(sim: Simulation): boolean {
  const states = sim.stations.map(({ id, resources }) => ({ id, ...resources }));
  return states.some(({ id }) => {
    let at = id;
    for (let steps = 0; steps < states.length; steps++) {
      const wanted = states.find((one) => one.id === at)?.wanted ?? -1;
      const holder = wanted < 0 ? undefined : states.find(({ held }) => held?.includes(wanted));
      if (!holder) return false;
      at = holder.id;
      if (at === id) return true;
    }
    return false;
  });
}
