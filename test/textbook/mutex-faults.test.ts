/**
 * Mutual exclusion on links that are slow at random, with doubled and late messages, and with stations that die:
 * exclusive and live where the algorithm claims it, and a plain word where its assumption is broken.
 */
import { describe, expect, test } from "vitest";
import { request } from "../../firmware/station.js";
import type { Frame } from "../../firmware/types.d.ts";
import { EVENT_CODE } from "../../src/log/records.ts";
import { mutexNames } from "../../src/protocols/registry.ts";
import { consecutiveIds } from "../../src/simulation/plan.ts";
import { crash, goOn, restart, stop } from "../../src/simulation/power.ts";
import { RUNNING, type Simulation } from "../../src/simulation/simulation.ts";
import { entriesOf, violationsOf } from "../../src/textbook/counts.ts";
import { runMutex } from "../../src/textbook/run-mutex.ts";
import { electedRing, textbookPlan } from "../../src/textbook/simulated-ring.ts";
import { type Disturbed, runDisturbed } from "./disturbed-ring.ts";

/** Exclusive, with growing fences, and everyone is served as often as it asked. */
function expectGood(task: Disturbed, entries = (task.askers ?? task.ids).length * (task.times ?? 1)): void {
  const run = runDisturbed(task);
  const { violations, waiting } = run;
  const seen = { seed: task.seed, violations, waiting, entries: run.entries.length };
  expect(seen).toEqual({ seed: task.seed, violations: [], waiting: [], entries });
}

test.each(mutexNames())("%s is exclusive and serves everyone, whatever the delays", (algorithm) => {
  for (let seed = 1; seed <= 100; seed++) {
    const ids = consecutiveIds(1 + (seed % 7));
    expectGood({ algorithm, ids, seed, times: 1 + (seed % 4), slow: 6 * (seed % 3) });
  }
});

describe("against the faults that others found:", () => {
  test("Maekawa's stations do not wait for one another for ever, over 10,000 seeds", () => {
    for (let seed = 1; seed <= 10_000; seed++) {
      // Three that ask at once: quorums that overlap in pairs, and three stations of a grid of nine.
      const ids = consecutiveIds(seed % 2 ? 3 : 9);
      const askers = seed % 2 ? ids : [1 + (seed % 9), 1 + ((seed + 4) % 9), 1 + ((seed + 5) % 9)];
      expectGood({ algorithm: "maekawa", ids, askers, seed, slow: 8 });
    }
  }, 120_000);

  test("Maekawa's stations all nine at once, over 300 seeds", () => {
    for (let seed = 1; seed <= 300; seed++) {
      expectGood({ algorithm: "maekawa", ids: consecutiveIds(9), seed, slow: 8 });
    }
  });

  test.each([
    ["ricart-agrawala", "RRP"],
    ["ricart-agrawala-implicit", "RIP"],
  ])("%s stays exclusive with every REPLY doubled", (algorithm, reply) => {
    for (let seed = 1; seed <= 100; seed++) {
      expectGood({ algorithm, ids: consecutiveIds(4), seed, times: 5, slow: 6, double: [reply] });
    }
  });

  test("Suzuki and Kasami serve nobody twice for REQUESTs that come doubled, and once more late", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const run = runDisturbed({
        algorithm: "suzuki-kasami",
        ids: consecutiveIds(4),
        seed,
        times: 4,
        slow: 6,
        double: ["SKR"],
        prepare: (sim) => replayLater(sim, "SKR"),
      });
      expect(run).toMatchObject({ violations: [], waiting: [] });
      expect(run.entries).toHaveLength(16);
      // A token that went to somebody who did not want it would be one more than the entries.
      const tokens = eventsOf(run.sim, "sent").filter((i) => run.sim.records.value(i, 0) === "TOKEN");
      expect(tokens.length).toBeLessThanOrEqual(16);
    }
  });

  test.each([
    ["suzuki-kasami", "SKT"],
    ["raymond", "RYT"],
  ])("%s has one token when every TOKEN is doubled", (algorithm, token) => {
    for (let seed = 1; seed <= 100; seed++) {
      expectGood({ algorithm, ids: consecutiveIds(5), seed, times: 4, slow: 6, double: [token] });
    }
  });

  test("the centralised lock is one when REQUEST, GRANT and RELEASE are all doubled", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const task = { algorithm: "centralised", ids: consecutiveIds(4), seed, times: 4, slow: 6 };
      expectGood({ ...task, double: ["CRQ", "CGR", "CRL"] });
    }
  });
});

/** Sends each frame of a type once more, from where it started, up to half a second later. */
function replayLater(sim: Simulation, type: string): void {
  const inner = sim.medium.disturber;
  sim.medium.disturber = (position: number, frame: Frame) => {
    if (frame.type === type && frame.src === sim.plan.ids[position] && frame.flags === 0) {
      const again = { ...frame, args: [...frame.args] };
      sim.at(sim.clock.now + sim.random32.below(500_000), () => sim.medium.inject(position, again));
    }
    return inner ? inner(position, frame) : null;
  };
}

describe("the centralised lock survives", () => {
  const limits = { limits: {} };

  test("its coordinator, which dies at any moment and may come back", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const ids = consecutiveIds(2 + (seed % 5));
      const run = runDisturbed({
        algorithm: "centralised",
        ids,
        seed,
        times: 3,
        slow: seed % 3,
        leastMs: 10_000,
        plan: { ...limits, election: seed % 2 ? "bully" : "ring", preemptMs: seed % 4 < 2 ? 0 : -1 },
        prepare: (sim, random) => {
          sim.at(sim.clock.now + random.below(600_000), () => {
            const coordinator = sim.stations.findIndex((s) => s.monitor.duty);
            crash(sim, coordinator);
            if (seed % 5 < 3)
              sim.at(sim.clock.now + random.below(8_000_000), () => restart(sim, coordinator));
          });
        },
      });
      const { violations, waiting, reasons } = run;
      expect({ seed, violations, waiting, reasons }).toEqual({
        seed,
        violations: [],
        waiting: [],
        reasons: [],
      });
    }
  });

  test("the station inside, when leases are on: dead or standing still, its late write is refused", () => {
    for (let seed = 1; seed <= 100; seed++) {
      const run = runDisturbed({
        algorithm: "centralised",
        ids: consecutiveIds(3 + (seed % 4)),
        seed,
        times: 3,
        slow: 0,
        leastMs: 10_000,
        plan: { ...limits, election: seed % 2 ? "bully" : "ring", leaseMs: 200, criticalMs: 60 },
        prepare: (sim, random) => {
          const strike = (): void => {
            const inside = sim.stations.findIndex((s) => s.inside);
            if (inside < 0) sim.at(sim.clock.now + 5000, strike);
            else if (seed % 3) stop(sim, inside, 1_500_000);
            else crash(sim, inside);
          };
          sim.at(sim.clock.now + random.below(600_000), strike);
        },
      });
      expect({ seed, waiting: run.waiting }).toEqual({ seed, waiting: [] });
      const accepted = acceptedFences(run.sim);
      expect({ seed, fences: accepted }).toEqual({ seed, fences: [...accepted].sort((a, b) => a - b) });
    }
  });

  test("the station inside, when it dies without leases: its GRANT comes back uncopied", () => {
    const run = runDisturbed({
      algorithm: "centralised",
      ids: [1, 2, 3],
      seed: 1,
      times: 2,
      plan: { ...limits, criticalMs: 200 },
      prepare: (sim) => crashInside(sim, 2, 100),
    });
    expect(run).toMatchObject({ waiting: [], violations: [] });
    const lost = eventsOf(run.sim, "lost").map((i) => run.sim.records.value(i, 1));
    expect(lost).toEqual(["absent"]);
    // Nobody enters in the epoch of the entry that was given up.
    const [died] = run.entries.filter(({ station }) => station === 2).slice(-1);
    const later = run.entries.filter(({ entered }) => entered > (died?.entered ?? 0));
    for (const { epoch } of later) expect(epoch).toBeGreaterThan(died?.epoch ?? 0);
  });

  test("a coordinator that stood still while another one served, and is elected again", () => {
    const task = { algorithm: "centralised", ids: [1, 2, 3] };
    const sim = electedRing({ ...textbookPlan(task), limits: {}, election: "bully", preemptMs: 0 });
    const seconds = (n: number) => sim.runUntil(sim.clock.now + n * 1e6);
    stop(sim, 2);
    seconds(5);
    const { epoch } = sim.station(2).central;
    expect(epoch).toBeGreaterThan(sim.station(3).epoch);
    crash(sim, 1);
    goOn(sim, 2);
    seconds(5);
    request(sim, sim.station(1));
    seconds(5);
    const [entry] = entriesOf(sim.records).filter(({ station }) => station === 1);
    expect(entry?.epoch).toBeGreaterThan(epoch);
  });

  test("messages of an older epoch: a GRANT lets nobody in, a RELEASE frees nothing", () => {
    const task = { algorithm: "centralised", ids: [1, 2, 3] };
    const sim = electedRing({ ...textbookPlan(task), criticalMs: 500 });
    request(sim, sim.station(1));
    request(sim, sim.station(2));
    sim.runUntil(sim.clock.now + 100_000);
    expect([sim.station(1).inside, sim.station(2).inside]).toEqual([false, true]);
    const { epoch, holderNumber } = sim.station(3).central;
    const stale = (type: string, src: number, dst: number, args: number[]) =>
      sim.medium.inject(sim.positionOf(src), { type, src, dst, args, flags: 0 });
    stale("CGR", 3, 1, [sim.station(1).central.number, epoch - 256, 9]);
    stale("CRL", 2, 3, [holderNumber, epoch - 256]);
    sim.runUntil(sim.clock.now + 100_000);
    expect([sim.station(1).inside, sim.station(2).inside]).toEqual([false, true]);
    sim.runUntil(sim.clock.now + 2_000_000);
    const entries = entriesOf(sim.records);
    expect(entries.map(({ station }) => station)).toEqual([2, 1]);
    expect(violationsOf(entries)).toEqual([]);
  });

  test("but not one that stays inside for ever, unless leases are on", () => {
    const stay = { limits: {}, criticalMs: -1 };
    const task = { algorithm: "centralised", ids: [1, 2, 3], seed: 1, patienceMs: 5000 };
    const without = runDisturbed({ ...task, plan: stay });
    expect(without.entries).toHaveLength(1);
    expect(without.waiting).toHaveLength(3);
    const withLeases = runDisturbed({ ...task, plan: { ...stay, leaseMs: 300 } });
    expect(withLeases.entries).toHaveLength(3);
  });
});

/** Power fails at a station some milliseconds after it has entered. */
function crashInside(sim: Simulation, id: number, ms: number): void {
  const position = sim.positionOf(id);
  const strike = (): void => {
    if (sim.station(id).inside) sim.at(sim.clock.now + 1000 * ms, () => crash(sim, position));
    else sim.at(sim.clock.now + 1000, strike);
  };
  sim.at(sim.clock.now, strike);
}

/** Places of the records of an event. */
function eventsOf({ records }: Simulation, event: keyof typeof EVENT_CODE): number[] {
  const all = Array.from({ length: records.length }, (_, i) => i);
  return all.filter((i) => records.event[i] === EVENT_CODE[event]);
}

/** Fences of the writes that the guarded resource took, as single numbers. */
function acceptedFences(sim: Simulation): number[] {
  const { records } = sim;
  return eventsOf(sim, "write")
    .filter((i) => records.value(i, 2) === "accepted")
    .map((i) => Number(records.value(i, 0)) * 1000 + Number(records.value(i, 1)));
}

describe("a dead station", () => {
  const ids = [1, 2, 3, 4, 5];

  test.each([
    ["token-ring", 3],
    ["token-ring", 5],
    ["centralised", 3],
    ["centralised", 5],
    ["decentralised", 3],
    ["suzuki-kasami", 3],
    ["suzuki-kasami", 5],
  ])("does not stop %s: station %i", (algorithm, dead) => {
    const run = runMutex({ algorithm, ids, requests: [1, 2, 4], down: [dead] });
    expect([...run.entryOrder].sort()).toEqual([1, 2, 4]);
    expect(run.violations).toEqual([]);
  });

  test("does not stop the majority vote while a majority of the coordinators lives", () => {
    expect(runMutex({ algorithm: "decentralised", ids, requests: [3, 4], down: [1, 2] }).violations).toEqual(
      [],
    );
    const run = runMutex({ algorithm: "decentralised", ids, requests: [4], down: [1, 2, 3] });
    expect(run.entryOrder).toEqual([]);
    expect(run.violations).toContain("station 4 asked and was not served");
  });

  test.each([
    ["lamport", "station 3 is dead and stations 1, 2 and 4 wait for its REPLY"],
    ["ricart-agrawala", "station 3 is dead and stations 1, 2 and 4 wait for its REPLY"],
    ["ricart-agrawala-implicit", "station 3 is dead and stations 1, 2 and 4 wait for its REPLY"],
    ["maekawa", "station 3 is dead and stations 1 and 2 wait for its GRANT"],
  ])("stops %s, and the run says so", (algorithm, reason) => {
    const run = runMutex({ algorithm, ids, requests: [1, 2, 4], down: [3] });
    expect(run.entryOrder).toEqual([]);
    expect(run.violations[0]).toBe(reason);
    expect(run.violations).toContain("station 4 asked and was not served");
  });

  test("between it and the token stops Raymond, and the run says so", () => {
    const run = runMutex({ algorithm: "raymond", ids, requests: [3, 4], down: [1] });
    expect(run.entryOrder).toEqual([4]);
    expect(run.violations[0]).toBe("station 1 is dead and station 3 waits for its TOKEN");
  });

  test.each([
    ["suzuki-kasami", "the token is gone with a dead station (2) and stations 1 and 3 wait for the TOKEN"],
    ["raymond", "station 2 is dead and station 1 waits for its TOKEN"],
    ["ricart-agrawala", "station 2 is dead and stations 1 and 3 wait for its REPLY"],
    ["lamport", "station 2 is dead and stations 1 and 3 wait for its RELEASE"],
    ["maekawa", "station 2 is dead and station 1 waits for its GRANT"],
  ])("that was inside stops %s, and the run says so", (algorithm, reason) => {
    const run = runDisturbed({
      algorithm,
      ids: [1, 2, 3],
      seed: 1,
      times: 4,
      patienceMs: 5000,
      prepare: (sim) => crashInside(sim, 2, 5),
    });
    expect(run.violations).toEqual([]);
    expect(run.waiting).toEqual([1, 3]);
    expect(run.reasons[0]).toBe(reason);
  });
});

test("a coordinator that forgets its vote lets two stations in by a bare majority", () => {
  const run = runDisturbed({
    algorithm: "decentralised",
    ids: [1, 2, 3, 4, 5, 6, 7],
    askers: [6, 7],
    seed: 1,
    slow: 0,
    plan: { criticalMs: 2000 },
    prepare: (sim) => {
      // Two stations hold three votes of five between them; a third vote that is given again makes both enter.
      const strike = (): void => {
        const someoneInside = sim.stations.some((s) => s.inside);
        if (!someoneInside) sim.at(sim.clock.now + 1000, strike);
        else
          for (const id of [1, 2, 3]) {
            expect(sim.power[sim.positionOf(id)]).toBe(RUNNING);
            restart(sim, sim.positionOf(id));
          }
      };
      sim.at(sim.clock.now, strike);
    },
  });
  expect(run.violations[0]).toMatch(/station \d entered while station \d was inside/);
});
