/**
 * A station that is long inside its critical section keeps the token. The monitor probes for it, and takes neither a lost
 * probe nor a late one for a lost token.
 * Sources: IEEE 802.5: a new token only after a frame of the monitor's own has come back round the ring. G. Le Lann, 1977: a
 * time limit alone cannot tell a lost token from a slow one. Field reports: no bound is stated, so slow looks like lost.
 */
import { describe, expect, test } from "vitest";
import { type FrameRecord, isFrameRecord } from "../../src/log/records.ts";
import type { Wiring } from "../../src/simulation/plan.ts";
import { FormedRing, framesUnderWay, oneToken, planOf, range, WIRINGS } from "./ring.ts";

const RINGS = WIRINGS.flatMap((wiring) => range(2, 6).map((n): [Wiring, number] => [wiring, n]));

/** Longer than any run here: a station leaves when it is told to. */
const CRITICAL_MS = 1e6;

interface Held {
  ring: FormedRing;
  holder: number;
  /** Place of the first record after the entry. */
  first: number;
}

/** @returns a ring with one station inside */
function held(n: number, wiring: Wiring, holder: number): Held {
  const ring = new FormedRing(planOf(n, wiring, "bully", { criticalMs: CRITICAL_MS }));
  ring.do(`request ${holder}`);
  ring.to((record) => record.event === "enter");
  return { ring, holder, first: ring.length };
}

const isProbe =
  (event: string) =>
  (record: unknown): record is FrameRecord =>
    isFrameRecord(record as FrameRecord) &&
    (record as FrameRecord).type === "PRB" &&
    (record as FrameRecord).event === event;

/** @returns numbers of the probes that the monitor has asked since record `first`, in that order */
function asked({ ring, first }: Held): number[] {
  const { id } = ring.monitor;
  return ring
    .from(first)
    .filter(isProbe("transmitted"))
    .filter(({ from, args }) => from === id && args[0] === id)
    .map(({ args }) => Number(args[1]));
}

/** Fails unless nothing was taken for lost, and the token goes on from the holder as it was. */
function goesOn(run: Held): void {
  const { ring, holder, first } = run;
  const { sim } = ring;
  const s = sim.station(holder);
  const token = { ...s.token };
  const where = () => ring.where();
  for (const event of ["lost", "regenerated", "stale", "elect", "stepdown"] as const)
    expect(ring.events(event, first).length, `${event}\n${where()}`).toBe(0);
  expect(s.inside, where()).toBe(true);
  expect(oneToken(sim), where()).toBe("");
  const left = ring.length;
  ring.do(`release ${holder}`);
  expect(
    framesUnderWay(sim, "TOK").map(({ args }) => args),
    where(),
  ).toEqual([[token.epoch, token.hop + 1, token.grant]]);
  const next = ring.plan.ids[(sim.positionOf(holder) + 1) % ring.plan.ids.length] as number;
  ring.do(`request ${next}`);
  ring.to((record) => record.event === "enter");
  expect(ring.events("enter", left), where()).toMatchObject([
    { station: next, fields: { epoch: token.epoch, grant: token.grant + 1 } },
  ]);
  ring.do(`release ${next}`);
  ring.turn(25);
  expect(oneToken(sim), where()).toBe("");
  for (const event of ["lost", "regenerated", "stale"] as const)
    expect(ring.events(event, first).length, `${event}\n${where()}`).toBe(0);
  expect(ring.violation(), where()).toBe("");
}

/** Fails unless probes have been asked, each under a number of its own. */
function eachOnce(run: Held, least: number): void {
  const numbers = asked(run);
  expect(numbers.length, run.ring.where()).toBeGreaterThanOrEqual(least);
  expect(numbers, run.ring.where()).toEqual(
    range(numbers[0] as number, numbers[0] as number).concat(
      numbers.slice(1).map((_, i) => (numbers[0] as number) + i + 1),
    ),
  );
}

describe("while a station is inside, the token is not taken for lost, and afterwards the same goes on:", () => {
  test.each(RINGS)("one, two or five probes lost on any link of a %s ring of %i", (wiring, n) => {
    for (const holder of range(1, n)) {
      for (const link of range(1, n)) {
        const run = held(n, wiring, holder);
        const { ring } = run;
        for (const lost of [1, 2, 5]) {
          const from = ring.length;
          ring.do(`drop ${link} ${lost} PRB`);
          ring.turn(10 + 5 * lost);
          const probes = ring.from(from).filter(isProbe("dropped"));
          expect(probes.length, ring.where()).toBe(lost);
          // It is asked again under the next number, and the answer that came says who has the token.
          eachOnce(run, lost + 1);
          expect(ring.monitor.monitor.marker, ring.where()).toBe(holder + 1);
        }
        goesOn(run);
      }
    }
  });

  test.each(RINGS)("a probe late beyond its limit, on any link of a %s ring of %i", (wiring, n) => {
    for (const holder of range(1, n)) {
      for (const link of range(1, n)) {
        const run = held(n, wiring, holder);
        const { ring } = run;
        const { probe } = ring.sim.settings.limits;
        for (const times of [1.1, 2.5, 4]) {
          ring.do(`delay ${link} ${Math.ceil(1000 * times * probe)}us 1 PRB`);
          ring.turn(10 + 6 * times);
        }
        const late = ring.from(run.first).filter(isProbe("delayed"));
        expect(late.length, ring.where()).toBe(3);
        eachOnce(run, 6);
        goesOn(run);
      }
    }
  });

  test.each(RINGS)(
    "the unmarked answer of an earlier probe comes to the monitor after, or while, a later one is asked, on a %s ring of %i",
    (wiring, n) => {
      for (const holder of range(1, n)) {
        const run = held(n, wiring, holder);
        const { ring } = run;
        const { id } = ring.monitor;
        const last = ring.plan.ids[(ring.sim.positionOf(id) + n - 1) % n] as number;
        ring.turn(15);
        for (const back of [1, 2, 4]) {
          for (const under of [true, false]) {
            // A new probe has just been asked, or is answered.
            ring.to((record) => isProbe("transmitted")(record) && record.from === id);
            if (!under) ring.to((record) => isProbe("hop")(record) && record.to === id);
            const number = ring.monitor.monitor.probe - back;
            ring.do(`inject ${last} PRB,${last},253,${id},${number},${ring.monitor.epoch},0`);
            ring.turn(2);
          }
        }
        goesOn(run);
      }
    },
  );

  // The token is late, so that the monitor probes; the probe, unmarked, is late behind it; then the token comes, and the
  // next station keeps it. A probe without a number would prove now that it is lost.
  test.each(WIRINGS)(
    "an earlier probe, late, comes after the token has passed and a later one is asked, on a %s ring",
    (wiring) => {
      for (const n of range(3, 6)) {
        for (const factor of [1, 1.5, 2.5]) {
          const ring = new FormedRing(planOf(n, wiring, "bully", { criticalMs: CRITICAL_MS }));
          const { token, probe } = ring.sim.settings.limits;
          const monitor = ring.monitor.id;
          const late = Math.ceil(1000 * (token + ring.sim.settings.limits.rotation));
          ring.do(`delay ${monitor - 2} ${late}us 1 TOK`);
          ring.do(`delay ${monitor - 1} ${Math.ceil(1000 * factor * probe)}us 1 PRB`);
          ring.do("request 1");
          const first = ring.length;
          ring.to((record) => record.event === "enter");
          ring.turn(25);
          const run = { ring, holder: 1, first };
          expect(ring.from(first).filter(isProbe("delayed")).length, ring.where()).toBe(1);
          eachOnce(run, 2);
          goesOn(run);
        }
      }
    },
  );
});
