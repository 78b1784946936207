/**
 * The highest id goes down and comes up again and again, for a minute.
 * Sources: H. Garcia-Molina, "Elections in a Distributed Computing System", IEEE Trans. Computers C-31(1), 1982: a station that
 * recovers takes over from a lower one. Field reports, hashicorp/nomad PR#6977: leadership gained and lost before the
 * station has acted on it; with a delay before it takes over, at most one change per delay.
 */
import { describe, expect, test } from "vitest";
import { ELECTIONS, FormedRing, oneToken, planOf, range } from "./ring.ts";

const MINUTE = 60_000_000;
const SECOND = 1_000_000;

/** Seconds for which the highest id is down, and then up. */
type Beat = [down: number, up: number];
const BEATS: Beat[] = [
  [1, 1],
  [0.5, 0.5],
];

const RINGS = ELECTIONS.flatMap((election) =>
  [3, 5].flatMap((n) => BEATS.map((beat): [string, number, Beat] => [election, n, beat])),
);

interface Flapped {
  ring: FormedRing;
  first: number;
  highest: number;
  /** By station other than the highest: whom it took for the coordinator, in turn, and when. */
  seen: [t: number, coordinator: number][][];
}

function flap(election: string, n: number, [down, up]: Beat, preemptMs: number): Flapped {
  const ring = new FormedRing(planOf(n, "hub", election, { preemptMs }));
  const first = ring.length;
  const beats = Math.floor(MINUTE / SECOND / (down + up));
  for (const beat of range(0, beats - 1)) {
    const at = beat * (down + up) * SECOND;
    ring.do(`crash ${n}`, at + 1);
    ring.do(`restart ${n}`, at + down * SECOND + 1);
  }
  ring.sim.runUntil(ring.now + MINUTE);
  const results = ring.events("coordinator", first);
  const seen = range(1, n - 1).map((id) => {
    let last = n;
    return results.flatMap(({ station, t, fields }): [number, number][] => {
      const coordinator = Number(fields.coordinator);
      if (station !== id || coordinator === last) return [];
      last = coordinator;
      return [[t, coordinator]];
    });
  });
  return { ring, first, highest: n, seen };
}

/** The lowest station misses the coordinator first: after so many microseconds without an announcement. */
function standbyOf(ring: FormedRing): number {
  const { standby, slot } = ring.sim.settings.limits;
  return 1000 * (standby + slot * Math.min(...ring.plan.ids));
}

/** The highest has stayed up at last: the ring is whole within the bound for several faults. */
function settles({ ring }: Flapped): void {
  ring.sim.runUntil(ring.now + Math.ceil(1000 * ring.bound("several faults").ms));
  expect(ring.disagreement() || oneToken(ring.sim) || ring.violation(), ring.where()).toBe("");
}

/** Each station gains the duty and loses it in turn; it loses it by stepping down or with its power. */
function alternates({ ring, first, highest }: Flapped): void {
  const onDuty = new Set([highest]);
  for (const record of ring.from(first)) {
    if (!("station" in record)) continue;
    const { event, station, fields } = record;
    if (event === "coordinator" && fields.coordinator === station) onDuty.add(station);
    else if (event === "crash") onDuty.delete(station);
    else if (event === "stepdown")
      expect(onDuty.delete(station), `${station} at ${record.t}\n${ring.where()}`).toBe(true);
  }
}

/** Elections by which the highest takes over come so long after it has come up, and after one another. */
function takeovers({ ring, first, highest }: Flapped): number[] {
  const up = ring.events("restart", first).map(({ t }) => t);
  const times = ring
    .events("elect", first)
    .filter(({ station, fields }) => station === highest && fields.cause === "preempt")
    .map(({ t }) => t);
  const delay = 1000 * ring.plan.preemptMs;
  for (const [i, t] of times.entries()) {
    expect(t - (up.filter((at) => at <= t).at(-1) as number), ring.where()).toBeGreaterThanOrEqual(delay);
    if (i > 0) expect(t - (times[i - 1] as number), ring.where()).toBeGreaterThan(delay);
  }
  return times;
}

describe("the highest id goes down and up", () => {
  describe.each([
    ["never takes over", -1],
    ["takes over after 3 s, and is not up so long", 3000],
  ])("and %s: each other station sees at most one change in the minute", (_, preemptMs) => {
    test.each(RINGS)("%s, %i stations, down and up for %j s", (election, n, beat) => {
      const run = flap(election, n, beat, preemptMs);
      const { ring, first } = run;
      for (const changes of run.seen) expect(changes.length, ring.where()).toBeLessThanOrEqual(1);
      expect(takeovers(run), ring.where()).toEqual([]);
      // Elections without a change: it is down when its announcements are missed, or up again and elected anew.
      const silences = ring.events("elect", first).filter(({ fields }) => fields.cause === "silence").length;
      expect(silences, ring.where()).toBeLessThanOrEqual(MINUTE / standbyOf(ring) + 1);
      alternates(run);
      settles(run);
    });
  });

  describe.each([
    ["at once", 0],
    ["after 500 ms", 500],
  ])(
    "and takes over %s: one change to it and one from it per standby limit, no takeover before its delay",
    (_, preemptMs) => {
      test.each(RINGS)("%s, %i stations, down and up for %j s", (election, n, beat) => {
        const run = flap(election, n, beat, preemptMs);
        const { ring, highest } = run;
        takeovers(run);
        const most = MINUTE / standbyOf(ring) + 1;
        for (const changes of run.seen) {
          expect(changes.filter(([, to]) => to !== highest).length, ring.where()).toBeLessThanOrEqual(most);
          expect(changes.filter(([, to]) => to === highest).length, ring.where()).toBeLessThanOrEqual(most);
        }
        alternates(run);
        settles(run);
      });
    },
  );

  test.each(ELECTIONS)(
    "and stays up longer than its delay of 3 s, %s: at most one change to it per delay",
    (election) => {
      for (const beat of [
        [4, 4],
        [4, 12],
        [1, 4],
      ] as Beat[]) {
        const run = flap(election, 5, beat, 3000);
        const { ring, highest } = run;
        takeovers(run);
        for (const changes of run.seen) {
          const back = changes.filter(([, to]) => to === highest).map(([t]) => t);
          for (const [i, t] of back.entries())
            if (i > 0) expect(t - (back[i - 1] as number), ring.where()).toBeGreaterThan(3 * SECOND);
        }
        // It is down for longer than it is missed: then there are changes to count.
        if (beat[0] === 4) expect(run.seen[0]?.length, ring.where()).toBeGreaterThan(3);
        alternates(run);
        settles(run);
      }
    },
  );
});
