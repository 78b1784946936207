/**
 * Logical clocks on messages: Lamport 1978 (a before b means C(a) < C(b)), Fidge 1988 and Mattern 1989 (and only
 * then, for vectors), Kulkarni and others 2014 (hybrid clocks stay close to physical time).
 */
import { describe, expect, test } from "vitest";
import { happenedBefore } from "../../firmware/clocks/logical-clocks.js";
import { sendStamped } from "../../firmware/clocks/stamps.js";
import { EVENT_CODE } from "../../src/log/records.ts";
import { consecutiveIds } from "../../src/simulation/plan.ts";
import { Random } from "../../src/simulation/random.ts";
import { electedRing, textbookPlan } from "../../src/textbook/simulated-ring.ts";

interface Event {
  station: number;
  lamport: number;
  hybrid: [wall: number, count: number];
  vector: number[];
  /** Milliseconds on the station's own clock. */
  physical: number;
  /** Places of the events right before: of the same station, and the send of what was received. */
  causes: number[];
}

const SKEW_MS = 300;

/** Messages at random between five stations with clocks that are apart, on slow links. */
function events(seed: number): Event[] {
  const ids = consecutiveIds(5);
  const sim = electedRing(textbookPlan({ algorithm: "centralised", ids, seed }));
  const random = new Random(seed, 3);
  ids.forEach((_, p) => {
    sim.jump(p, random.below(SKEW_MS) * 1000);
  });
  sim.medium.disturber = () => ({ delay: random.below(30_000) });
  for (let k = 0; k < 30; k++) {
    const from = random.pick(ids);
    const to = random.pick(ids.filter((id) => id !== from));
    sim.at(sim.clock.now + random.below(1_000_000), () => sendStamped(sim, sim.station(from), to));
  }
  const physical: number[] = [];
  const record = sim.record.bind(sim);
  sim.record = (s, event, a, b, c) => {
    if (event === "stamp") physical.push(sim.now(s));
    record(s, event, a, b, c);
  };
  sim.runUntil(sim.clock.now + 10_000_000);

  const found: Event[] = [];
  const lastOf = new Map<number, number>();
  const underWay = new Map<string, number[]>();
  const causeOf = new Map<number, number>();
  const { records } = sim;
  for (let i = 0; i < records.length; i++) {
    const station = records.station[i] as number;
    if (records.event[i] === EVENT_CODE.sent) {
      const key = `${station} ${records.value(i, 1)}`;
      underWay.set(key, [...(underWay.get(key) ?? []), lastOf.get(station) as number]);
    } else if (records.event[i] === EVENT_CODE.received) {
      causeOf.set(station, underWay.get(`${records.value(i, 1)} ${station}`)?.shift() as number);
    } else if (records.event[i] === EVENT_CODE.stamp) {
      const causes = [lastOf.get(station), causeOf.get(station)].filter((cause) => cause !== undefined);
      causeOf.delete(station);
      lastOf.set(station, found.length);
      found.push({
        station,
        lamport: Number(records.value(i, 0)),
        hybrid: String(records.value(i, 1)).split(".").map(Number) as [number, number],
        vector: String(records.value(i, 2)).split(".").map(Number),
        physical: physical[found.length] as number,
        causes,
      });
    }
  }
  return found;
}

/** For each event all that happened before it, from the messages alone. */
function past(all: readonly Event[]): Set<number>[] {
  const before: Set<number>[] = [];
  for (const { causes } of all) {
    const own = new Set<number>();
    for (const cause of causes) {
      own.add(cause);
      for (const earlier of before[cause] ?? []) own.add(earlier);
    }
    before.push(own);
  }
  return before;
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8])("with seed %i", (seed) => {
  const all = events(seed);
  const before = past(all);

  test("there are 60 events, some of them with no order", () => {
    expect(all).toHaveLength(60);
    const ordered = before.reduce((sum, own) => sum + own.size, 0);
    expect(ordered).toBeGreaterThan(100);
    expect(ordered).toBeLessThan((60 * 59) / 2);
  });

  test("what happened before has the lower Lamport timestamp", () => {
    all.forEach((event, b) => {
      for (const a of before[b] ?? []) expect(all[a]?.lamport).toBeLessThan(event.lamport);
    });
  });

  test("the vector of one event is below that of another exactly when it happened before", () => {
    all.forEach((later, b) => {
      all.forEach((earlier, a) => {
        if (a !== b) expect(happenedBefore(earlier.vector, later.vector)).toBe(before[b]?.has(a));
      });
    });
  });

  test("what happened before has the lower hybrid timestamp", () => {
    all.forEach((event, b) => {
      for (const a of before[b] ?? []) {
        const [wall, count] = all[a]?.hybrid ?? [0, 0];
        expect(wall < event.hybrid[0] || (wall === event.hybrid[0] && count < event.hybrid[1])).toBe(true);
      }
    });
  });

  test("a hybrid clock is never behind its station's, and ahead by no more than the clocks are apart", () => {
    for (const { hybrid, physical } of all) {
      expect(hybrid[0]).toBeGreaterThanOrEqual(Math.floor(physical));
      expect(hybrid[0] - physical).toBeLessThanOrEqual(SKEW_MS);
      expect(hybrid[1]).toBeLessThan(60);
    }
  });
});
