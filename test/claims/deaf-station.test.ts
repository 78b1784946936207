/**
 * A station that does not hear misses the coordinator and starts elections. It deposes a healthy coordinator at most once per
 * limit: its standby limit, `standby + slot x id`, the time without an announcement after which it misses the coordinator.
 * Sources: IEEE 802.5: a standby monitor that hears no announcement for its time limit begins to claim. BACnet MS/TP, clause
 * 9: each station waits for a time of its own before it acts. Field reports, etcd-io/etcd#9333: one station that lost
 * sight of the leader disrupts a healthy cluster by its elections.
 */
import { describe, expect, test } from "vitest";
import type { Wiring } from "../../src/simulation/plan.ts";
import { ELECTIONS, FormedRing, oneToken, planOf, range, WIRINGS } from "./ring.ts";

const MINUTE = 60_000_000;
const KINDS = WIRINGS.flatMap((wiring) => ELECTIONS.map((election): [Wiring, string] => [wiring, election]));

interface Count {
  /** Elections that the station has started because it missed the coordinator, microseconds from the first record on. */
  silences: number[];
  /** Elections of all stations. */
  elections: number;
  /** A station other than the deaf one takes another for the coordinator than before. */
  changes: string[];
  stepdowns: number;
}

/** Standby limit of a station, microseconds. */
function standbyOf(ring: FormedRing, id: number): number {
  const { standby, slot } = ring.sim.settings.limits;
  return 1000 * (standby + slot * id);
}

/** Lets a minute go by, or another time, and counts. */
function watch(ring: FormedRing, deaf: number, first: number, micros = MINUTE): Count {
  const before = ring.monitor.id;
  ring.sim.runUntil(ring.now + micros);
  const elections = ring.events("elect", first);
  const known = new Map<number, number>();
  const changes: string[] = [];
  for (const { station, fields } of ring.events("coordinator", first)) {
    const now = Number(fields.coordinator);
    if (station !== deaf && now !== (known.get(station) ?? before)) changes.push(`${station} takes ${now}`);
    known.set(station, now);
  }
  return {
    silences: elections
      .filter(({ station, fields }) => station === deaf && fields.cause === "silence")
      .map(({ t }) => t),
    elections: elections.length,
    changes,
    stepdowns: ring.events("stepdown", first).length,
  };
}

/** Fails where two elections for silence of one station are closer than its limit. */
function spaced(ring: FormedRing, id: number, { silences }: Count): void {
  for (const [i, t] of silences.entries()) {
    if (i > 0)
      expect(t - (silences[i - 1] as number), ring.where()).toBeGreaterThanOrEqual(standbyOf(ring, id));
  }
}

/** Loses announcements on the link to a station: it hears all else. */
function loseAnnouncements(ring: FormedRing, id: number, count: number): void {
  const n = ring.plan.ids.length;
  const before = ring.plan.ids[(ring.sim.positionOf(id) + n - 1) % n];
  ring.do(`drop ${before} ${count} AMP`);
}

describe("a station that is no coordinator, in a ring of five, for a minute", () => {
  test.each(KINDS)(
    "hears nothing, on a %s ring, %s: it misses the coordinator once, and nobody deposes it",
    (wiring, election) => {
      for (const id of range(1, 4)) {
        const ring = new FormedRing(planOf(5, wiring, election));
        const first = ring.length;
        ring.do(`deafen ${id}`);
        const count = watch(ring, id, first);
        // After that it beacons, and starts none on a broken ring.
        expect(count.silences.length, ring.where()).toBe(1);
        expect([count.changes, count.stepdowns], ring.where()).toEqual([[], 0]);
        expect(ring.sim.station(5).monitor.duty, ring.where()).toBe(true);
        if (wiring === "wired") continue;
        // The hub has bypassed it before its limit was over: the others do not notice.
        const by = ring.events("elect", first).filter(({ station }) => station !== id);
        expect(by, ring.where()).toEqual([]);
        expect(oneToken(ring.sim) || ring.disagreement(), ring.where()).toBe("");
      }
    },
  );

  test.each(KINDS)(
    "hears no announcement, on a %s ring, %s: one election per limit, and no other coordinator",
    (wiring, election) => {
      for (const id of range(1, 4)) {
        const ring = new FormedRing(planOf(5, wiring, election));
        const first = ring.length;
        loseAnnouncements(ring, id, 1_000_000);
        const count = watch(ring, id, first);
        expect(count.silences.length, ring.where()).toBeGreaterThan(10);
        expect(count.silences.length, ring.where()).toBeLessThanOrEqual(MINUTE / standbyOf(ring, id));
        spaced(ring, id, count);
        expect([count.changes, count.stepdowns], ring.where()).toEqual([[], 0]);
        for (const event of ["lost", "regenerated", "stale"] as const)
          expect(ring.events(event, first), ring.where()).toEqual([]);
        expect(oneToken(ring.sim) || ring.disagreement(), ring.where()).toBe("");
      }
    },
  );

  test.each(KINDS)(
    "misses three announcements in a row, on a %s ring, %s: no election",
    (wiring, election) => {
      for (const id of range(1, 4)) {
        for (const lost of [1, 2, 3]) {
          const ring = new FormedRing(planOf(5, wiring, election));
          const first = ring.length;
          loseAnnouncements(ring, id, lost);
          const { elections, changes } = watch(ring, id, first, 3 * standbyOf(ring, id));
          expect([elections, changes], ring.where()).toEqual([0, []]);
        }
      }
    },
  );

  test.each(ELECTIONS)(
    "hears no announcement of a coordinator that is not the highest, %s: the highest deposes it, once in the minute",
    (election) => {
      for (const id of [1, 2, 3, 5]) {
        const ring = new FormedRing(planOf(5, "hub", election, { preemptMs: -1 }));
        const { sim } = ring;
        ring.do("crash 5");
        sim.runUntil(ring.now + Math.ceil(1000 * ring.bound("coordinator crash").ms));
        ring.do("restart 5");
        ring.turn(100);
        expect([ring.monitor.id, ring.disagreement()], ring.where()).toEqual([4, ""]);
        const first = ring.length;
        loseAnnouncements(ring, id, 1_000_000);
        const count = watch(ring, id, first);
        expect(count.stepdowns, ring.where()).toBe(1);
        const others = range(1, 5).filter((other) => other !== id);
        expect([...count.changes].sort(), ring.where()).toEqual(others.map((other) => `${other} takes 5`));
        spaced(ring, id, count);
        expect([ring.monitor.id, ring.disagreement(), oneToken(sim)], ring.where()).toEqual([5, "", ""]);
      }
    },
  );
});
