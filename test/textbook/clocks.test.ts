/**
 * Physical clocks: Cristian 1989, Gusella and Zatti 1989 (Berkeley), Mills 1991 (NTP), and the arithmetic of drift in
 * Tanenbaum and Van Steen, "Clock synchronization".
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { adjustments, pollClocks } from "../../firmware/clocks/berkeley.js";
import { askTime } from "../../firmware/clocks/cristian.js";
import { delay, offset } from "../../firmware/clocks/ntp.js";
import { moveClock, readClock, settledClock } from "../../firmware/clocks/station-clock.js";
import { EVENT_CODE } from "../../src/log/records.ts";
import { consecutiveIds } from "../../src/simulation/plan.ts";
import { crash } from "../../src/simulation/power.ts";
import type { Simulation } from "../../src/simulation/simulation.ts";
import { driftMs, resynchroniseEvery } from "../../src/textbook/clock-theory.ts";
import { electedRing, textbookPlan } from "../../src/textbook/simulated-ring.ts";
import book from "../fixtures/textbook.json" with { type: "json" };

const { drift, cristian } = book.clocks;

function ring(stations: number): Simulation {
  return electedRing(textbookPlan({ algorithm: "centralised", ids: consecutiveIds(stations) }));
}

function shown(sim: Simulation, id: number): number {
  return settledClock(sim, sim.station(id));
}

/** Runs for some virtual seconds. */
function run(sim: Simulation, seconds: number): void {
  sim.runUntil(sim.clock.now + seconds * 1e6);
}

/** The last record of a clock that was moved: by how much, and how sure that is. */
function lastMove(sim: Simulation): { by: number; bound: number } {
  const { records } = sim;
  for (let i = records.length - 1; i >= 0; i--) {
    if (records.event[i] === EVENT_CODE.clock) {
      return { by: Number(records.value(i, 0)), bound: Number(records.value(i, 1)) };
    }
  }
  throw new Error("no clock was moved");
}

describe("the arithmetic of the textbook", () => {
  test("20 ppm are 72 ms an hour and 1728 ms a day", () => {
    expect(driftMs(drift.ppm, 3600)).toBe(drift.perHourMs);
    expect(driftMs(drift.ppm, 86_400)).toBe(drift.perDayMs);
  });

  test("two clocks are set every delta/(2 rho)", () => {
    expect(resynchroniseEvery(1, 20e-6)).toBeCloseTo(25_000, 6);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 1e-6, max: 1e-3, noNaN: true }),
        (delta, rho) => {
          const period = resynchroniseEvery(delta, rho);
          // The fastest and the slowest clock that are allowed, after one period.
          expect(period * (1 + rho) - period * (1 - rho)).toBeLessThanOrEqual(delta * (1 + 1e-6));
        },
      ),
    );
  });

  test("offset and delay of four timestamps are exact when both ways take equally long", () => {
    const times = fc.record({
      t1: fc.nat(1e9),
      ahead: fc.integer({ min: -1e8, max: 1e8 }),
      way: fc.nat(1e6),
    });
    fc.assert(
      fc.property(times, fc.nat(1e6), ({ t1, ahead, way }, work) => {
        const t2 = t1 + way + ahead;
        const t3 = t2 + work;
        const t4 = t3 + way - ahead;
        expect(offset(t1, t2, t3, t4)).toBe(ahead);
        expect(delay(t1, t2, t3, t4)).toBe(2 * way);
      }),
    );
  });

  test("and wrong by half the difference of the ways otherwise, never by more than half the delay", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.integer({ min: -1e8, max: 1e8 }), (there, back, ahead) => {
        const t2 = there + ahead;
        const error = offset(0, t2, t2, there + back) - ahead;
        expect(error).toBe((there - back) / 2);
        expect(Math.abs(error)).toBeLessThanOrEqual(delay(0, t2, t2, there + back) / 2);
      }),
    );
  });

  test("a round trip of 40 ms leaves 20 ms of doubt", () => {
    expect(delay(0, 11, 11, cristian.roundTripMs) / 2).toBe(cristian.errorBoundMs);
  });

  test("Berkeley's example: 3:00, 3:25 and 2:50 become 3:05", () => {
    expect(adjustments([0, 25, -10], 60)).toEqual([5, -20, 15]);
  });

  test("a clock that is far off has no part in the average, and is set as well", () => {
    expect(adjustments([0, 4, 8, 1000], 60)).toEqual([4, 0, -4, -996]);
  });
});

describe("a station's clock", () => {
  test("goes forward at once, and never backwards", () => {
    const sim = ring(2);
    const s = sim.station(1);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.nat(20_000)), { minLength: 1 }),
        (steps) => {
          for (const [by, pause] of steps) {
            const before = readClock(sim, s);
            const settled = settledClock(sim, s);
            moveClock(sim, s, by);
            expect(settledClock(sim, s)).toBe(settled + by);
            expect(readClock(sim, s)).toBeGreaterThanOrEqual(before);
            sim.runUntil(sim.clock.now + pause);
            expect(readClock(sim, s)).toBeGreaterThanOrEqual(before);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test("that was ahead shows the right time after twice as long", () => {
    const sim = ring(2);
    const s = sim.station(1);
    const start = readClock(sim, s);
    moveClock(sim, s, -1_000_000);
    run(sim, 1);
    expect(readClock(sim, s) - start).toBe(500_000);
    run(sim, 1);
    expect(readClock(sim, s) - start).toBe(1_000_000);
    run(sim, 1);
    expect(readClock(sim, s) - start).toBe(2_000_000);
  });
});

describe("Cristian's synchronisation on the ring", () => {
  test.each([2, 3, 5, 9])("is right to within half the round trip, from every place of %i stations", (n) => {
    const sim = ring(n);
    sim.jump(0, 3_000_000);
    for (const id of consecutiveIds(n - 1)) {
      askTime(sim, sim.station(id));
      run(sim, 1);
      const { bound } = lastMove(sim);
      const error = shown(sim, id) - shown(sim, n);
      expect(Math.abs(error)).toBeLessThanOrEqual(bound);
    }
  });

  test("is off by half the difference of the two ways, which on a ring differ with the place", () => {
    const n = 9;
    const sim = ring(n);
    const errors = consecutiveIds(n - 1).map((id) => {
      askTime(sim, sim.station(id));
      run(sim, 1);
      return (shown(sim, id) - shown(sim, n)) / lastMove(sim).bound;
    });
    // Station 1 is one hop behind the server 9: its question goes over 8 links, the answer over 1; and so on round.
    expect(errors[0]).toBeGreaterThan(0.5);
    expect(errors[n - 2]).toBeLessThan(-0.5);
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
  });

  test("is moved once by an answer that comes twice", () => {
    const sim = ring(3);
    sim.jump(0, 500_000);
    sim.medium.disturber = (_, frame) => (frame.type === "TMR" && !frame.flags ? { duplicate: true } : null);
    askTime(sim, sim.station(1));
    run(sim, 1);
    expect(Math.abs(shown(sim, 1) - shown(sim, 3))).toBeLessThanOrEqual(lastMove(sim).bound);
  });

  test("is refused to the coordinator itself", () => {
    const sim = ring(2);
    askTime(sim, sim.station(2));
    const last = sim.records.get(sim.records.length - 1);
    expect(last).toMatchObject({ event: "refused", fields: { cause: "no-server" } });
  });

  test("keeps two drifting clocks together when it runs every delta/(2 rho)", () => {
    const sim = ring(2);
    const rho = 500e-6;
    sim.drift(0, 1 + rho);
    sim.drift(1, 1 - rho);
    const deltaMs = 50;
    const period = resynchroniseEvery(deltaMs, rho) / 1000;
    askTime(sim, sim.station(1));
    run(sim, 1);
    for (let k = 0; k < 10; k++) {
      const doubt = lastMove(sim).bound;
      run(sim, period - 1);
      const apart = Math.abs(shown(sim, 1) - shown(sim, 2));
      expect(apart).toBeLessThanOrEqual(1000 * deltaMs + doubt);
      // Without being set it would be more than that in the next period.
      expect(apart).toBeGreaterThan(1000 * deltaMs * 0.9 - doubt);
      askTime(sim, sim.station(1));
      run(sim, 1);
    }
  });
});

describe("Berkeley's synchronisation on the ring", () => {
  test("brings all clocks together, to within a rotation, whoever is ahead", () => {
    const sim = ring(5);
    [7_000_000, -20_000, 0, 4_000_000, 1_000_000].forEach((by, p) => {
      sim.jump(p, by);
    });
    pollClocks(sim, sim.station(5));
    run(sim, 20);
    const times = consecutiveIds(5).map((id) => shown(sim, id));
    const rotation = 1000 * sim.settings.limits.rotation;
    expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(rotation);
  });

  test("goes on without a station that is dead", () => {
    const sim = ring(4);
    sim.jump(0, 2_000_000);
    crash(sim, 1);
    pollClocks(sim, sim.station(4));
    run(sim, 20);
    const times = [1, 3, 4].map((id) => shown(sim, id));
    expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1000 * sim.settings.limits.rotation);
  });

  test("is the coordinator's alone", () => {
    const sim = ring(3);
    pollClocks(sim, sim.station(1));
    const last = sim.records.get(sim.records.length - 1);
    expect(last).toMatchObject({ event: "refused", fields: { cause: "not-coordinator" } });
  });
});
