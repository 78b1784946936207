/** Elections: the counts of Tanenbaum and Van Steen, "Election algorithms", and of Chang and Roberts 1979. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elect } from "../../firmware/station.js";
import { RecordColumns } from "../../src/log/columns.ts";
import { EVENT_CODE } from "../../src/log/records.ts";
import { consecutiveIds, DEFAULT_PLAN } from "../../src/simulation/plan.ts";
import { crash } from "../../src/simulation/power.ts";
import { Simulation } from "../../src/simulation/simulation.ts";
import { countHops } from "../../src/textbook/counts.ts";
import { runElection } from "../../src/textbook/run-election.ts";
import { RESTFUL } from "../../src/textbook/simulated-ring.ts";
import book from "../fixtures/textbook.json" with { type: "json" };

const { election } = book;

function counts({ messages }: ReturnType<typeof runElection>): { [name: string]: number } {
  return { OK: 0, ELECTION: 0, COORDINATOR: 0, ...messages };
}

describe("the Bully election sends what the textbook counts", () => {
  test.each(election.bully)("$stations stations, $down down, station $starter starts", (row) => {
    const run = runElection({
      algorithm: "bully",
      ids: consecutiveIds(row.stations),
      down: row.down,
      starters: [row.starter],
    });
    const { ELECTION, OK, COORDINATOR, total } = row;
    expect(counts(run)).toEqual({ ELECTION, OK, COORDINATOR, total });
    expect(run).toMatchObject({ coordinator: row.coordinator, agreed: true, retries: 0 });
    expect(run.textbook).toMatchObject({ total, matches: true });
  });

  test("also in closed form, for 2 to 12 stations and every starter, the highest being dead", () => {
    for (let n = 2; n <= 12; n++) {
      for (let i = 1; i < n; i++) {
        const run = runElection({ algorithm: "bully", ids: consecutiveIds(n), down: [n], starters: [i] });
        const ELECTION = ((n - i) * (n - i + 1)) / 2;
        const OK = ((n - i - 1) * (n - i)) / 2;
        const total = ELECTION + OK + n - 2;
        expect([n, i, counts(run)]).toEqual([n, i, { ELECTION, OK, COORDINATOR: n - 2, total }]);
        expect(run.textbook.total).toBe(total);
      }
    }
  });
});

describe("the Ring election sends what the textbook counts", () => {
  test.each(election.ring)("$stations stations, $down down, station $starter starts", (row) => {
    const run = runElection({
      algorithm: "ring",
      ids: consecutiveIds(row.stations),
      down: row.down,
      starters: [row.starter],
    });
    const { ELECTION, COORDINATOR, total } = row;
    expect(run.messages).toEqual({ ELECTION, COORDINATOR, total });
    expect(run).toMatchObject({ coordinator: row.coordinator, agreed: true });
    expect(run.textbook).toMatchObject({ total, matches: true });
  });

  test("two starters gather two lists and agree", () => {
    const { ids, down, starters, lists, coordinator } = election.ringConcurrent;
    const run = runElection({ algorithm: "ring", ids, down, starters });
    expect(run.lists).toEqual(lists);
    expect(run).toMatchObject({ coordinator, agreed: true });
    // Both lists and both results go once round seven live stations.
    expect(run.messages).toEqual({ ELECTION: 14, COORDINATOR: 14, total: 28 });
    expect(run.textbook).toMatchObject({ total: 28, matches: true });
  });

  test("of two results the later is kept, also where the earlier comes last", () => {
    const { ids, down, starters } = election.ringConcurrent;
    const { records } = runElection({ algorithm: "ring", ids, down, starters });
    const kept = new Map<number, number>();
    for (let i = 0; i < records.length; i++) {
      if (records.event[i] === EVENT_CODE.coordinator)
        kept.set(records.station[i] as number, records.value(i, 1) as number);
    }
    const later = Math.max(...kept.values());
    expect(later % 256).toBe(Math.max(...starters));
    expect([...kept.values()]).toEqual(Array.from({ length: 7 }, () => later));
  });

  test.each([2, 5])("a result whose starter %i is gone ends where it comes a second time", (gone) => {
    const ids = [0, 1, 2, 3, 4, 5, 6];
    const records = new RecordColumns();
    const sim = new Simulation({ ...DEFAULT_PLAN, ids, election: "ring", limits: RESTFUL }, records);
    sim.bootAll();
    sim.runUntil(10_000 * sim.settings.limits.probe);
    for (const id of [2, 5]) elect(sim, sim.station(id));
    const results = () => countHops(records, ["CRD"]);
    while (sim.station(gone).ring.announcing === 0) sim.step();
    crash(sim, gone);
    sim.runUntil(sim.clock.now + 10_000 * sim.settings.limits.rotation);
    const ended = results();
    expect(ended).toBeLessThan(4 * ids.length);
    sim.runUntil(sim.clock.now + 10_000 * sim.settings.limits.rotation);
    expect(results()).toBe(ended);
    expect(sim.stations.filter((s) => s.id !== gone).every((s) => s.coordinator === 6)).toBe(true);
  });

  test("a list of a thousand ids goes round once", () => {
    const ids = consecutiveIds(1000);
    const run = runElection({ algorithm: "ring", ids, down: [], starters: [500] });
    expect(run.messages).toEqual({ ELECTION: 1000, COORDINATOR: 1000, total: 2000 });
  });
});

describe("the election of Chang and Roberts sends", () => {
  const sizes = [1, 2, 3, 5, 8, 13];

  function run(ids: number[], starters: number[]) {
    const result = runElection({ algorithm: "chang-roberts", ids, down: [], starters });
    expect(result).toMatchObject({ coordinator: Math.max(...ids), agreed: true });
    expect(result.textbook).toMatchObject({ total: result.messages.total, matches: true });
    return result.messages;
  }

  test.each(sizes)("2N-1 ELECTION when all of %i start, ids ascending", (n) => {
    const ids = consecutiveIds(n);
    expect(run(ids, ids)).toMatchObject({ ELECTION: 2 * n - 1, ELECTED: n });
  });

  test.each(sizes)("N(N+1)/2 ELECTION when all of %i start, ids descending", (n) => {
    const ids = consecutiveIds(n).reverse();
    expect(run(ids, ids)).toMatchObject({ ELECTION: (n * (n + 1)) / 2, ELECTED: n });
  });

  test.each(sizes)("2N-1 ELECTION when the one just after the highest of %i starts", (n) => {
    expect(run(consecutiveIds(n), [1])).toMatchObject({ ELECTION: 2 * n - 1, ELECTED: n });
  });

  test.each(sizes)("N ELECTION when the highest of %i starts", (n) => {
    expect(run(consecutiveIds(n), [n])).toMatchObject({ ELECTION: n, ELECTED: n });
  });

  test("N * H(N) ELECTION on average over all orders of the ids, when all start", () => {
    for (let n = 1; n <= 7; n++) {
      const orders = permutations(consecutiveIds(n));
      const total = orders.reduce((sum, ids) => sum + (run(ids, ids).ELECTION ?? 0), 0);
      const harmonic = consecutiveIds(n).reduce((sum, k) => sum + 1 / k, 0);
      expect(total / orders.length).toBeCloseTo(n * harmonic, 9);
    }
  });
});

test("any stations may start any election, any may be dead: the highest live one wins", () => {
  const cases = fc.record({
    algorithm: fc.constantFrom("bully", "ring", "chang-roberts"),
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 250 }), { minLength: 2, maxLength: 9 }),
    roles: fc.array(fc.constantFrom("down", "starter", "other"), { minLength: 9, maxLength: 9 }),
  });
  fc.assert(
    fc.property(cases, ({ algorithm, ids, roles }) => {
      const down = ids.filter((_, i) => i > 0 && roles[i] === "down");
      const starters = ids.filter((_, i) => i === 0 || roles[i] === "starter");
      const run = runElection({ algorithm, ids, down, starters });
      expect(run).toMatchObject({
        coordinator: Math.max(...ids.filter((id) => !down.includes(id))),
        agreed: true,
      });
      expect(run.textbook.matches, JSON.stringify([run.messages, run.textbook])).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each([
  [{ algorithm: "raft" }, /"raft" is no election: use one of bully, ring, chang-roberts/],
  [{ starters: [9] }, /station 9 is not in this ring: its ids are 1, 2, 3/],
  [{ down: [4] }, /station 4 is not in this ring/],
  [{ down: [1] }, /station 1 is down and cannot start/],
  [{ starters: [] }, /nobody starts the election/],
])("%j is refused", (change, message) => {
  const task = { algorithm: "bully", ids: [1, 2, 3], down: [], starters: [1], ...change };
  expect(() => runElection(task)).toThrow(message);
});

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, k) => k !== i)).map((rest) => [item, ...rest]),
  );
}
