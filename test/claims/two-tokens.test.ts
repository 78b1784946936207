/**
 * Two tokens at once become one.
 * Sources: G. Le Lann, "Distributed systems: towards a formal approach", IFIP Congress 1977: a ring must get from any number
 * of tokens back to one. IEEE 802.5: the monitor purges a ring that has two. A BACnet MS/TP token carries no number, so there
 * a second token is never counted, only overheard. Here the pair (epoch, hop) tells which is the later, wherever the two
 * meet; two of one epoch whose hops never meet are counted by the monitor, as in 802.5.
 */
import { describe, expect, test } from "vitest";
import { isFrameRecord } from "../../src/log/records.ts";
import type { Wiring } from "../../src/simulation/plan.ts";
import { FormedRing, planOf, range, WIRINGS } from "./ring.ts";
import { TokenCount } from "./token-count.ts";

const RINGS = WIRINGS.flatMap((wiring) => range(2, 7).map((n): [Wiring, number] => [wiring, n]));

/** For what takes dozens of rotations a token. */
const SMALL_RINGS = RINGS.filter(([, n]) => n <= 5);

/** So many rotations later there must still be one: longer than an announcement period, and several watches for the token. */
const AFTERWARDS = 12;

interface Token {
  epoch: number;
  hop: number;
}

/** @returns place of the next station behind place `p` of n */
const behind = (p: number, n: number) => (p + 1) % n;

/** @returns an epoch of the round after this one, made by another station than the one that made this */
const ofAnother = (epoch: number) => (Math.floor(epoch / 256) + 1) * 256 + (epoch % 256 === 1 ? 2 : 1);

/** Tokens, each with the place behind which it is put on the ring. */
type Placed = readonly (readonly [place: number, token: Token])[];

/** Injects tokens on the links that leave these places, at once, and runs until all have arrived. */
function injected(ring: FormedRing, tokens: Placed): TokenCount {
  for (const [place, { epoch, hop }] of tokens) {
    const id = ring.plan.ids[place];
    ring.do(`inject ${id} TOK,${id},253,${epoch},${hop},9`);
  }
  const count = new TokenCount(ring);
  const awaited = new Set(tokens.map(([place, { epoch, hop }]) => `${ring.plan.ids[place]} ${epoch} ${hop}`));
  while (awaited.size > 0) {
    const i = count.step();
    if (i < 0) continue;
    const record = ring.records.get(i);
    if (isFrameRecord(record)) awaited.delete(`${record.from} ${record.args[0]} ${record.args[1]}`);
  }
  return count;
}

/** Injects tokens at once. @returns what is wrong, when they have not become one within a rotation */
function inject(ring: FormedRing, tokens: Placed): string {
  const first = ring.length;
  const count = injected(ring, tokens);
  const oneAt = ring.sim.clock.now + ring.rotation;
  count.runUntil(oneAt + AFTERWARDS * ring.rotation);
  const stale = ring.events("stale", first).length;
  const made = ring.events("regenerated", first).length + ring.events("lost", first).length;
  return (
    count.oneSince(oneAt) ||
    (stale === tokens.length ? "" : `${stale} tokens are recorded as stale`) ||
    (made === 0 ? "" : "a token is given up for lost, or made")
  );
}

/** Runs a ring until its token has just come to a place: it is on the link behind it next. */
function ringWithTokenAt(n: number, wiring: Wiring, place: number): FormedRing {
  const ring = new FormedRing(planOf(n, wiring, "bully"));
  ring.toToken(ring.plan.ids[place] as number);
  return ring;
}

/** Fails unless all enter, one after the other, with the one token. */
function serves(ring: FormedRing): void {
  const first = ring.length;
  const { ids, criticalMs } = ring.plan;
  const { epoch } = ring.live()[0] as { epoch: number };
  ring.do("request all");
  ring.sim.runUntil(ring.now + 1000 * ids.length * criticalMs);
  ring.turn(3);
  const turns = ring.from(first).filter(({ event }) => event === "enter" || event === "exit");
  expect(
    turns.map(({ event }) => event),
    ring.where(),
  ).toEqual(ids.flatMap(() => ["enter", "exit"]));
  const fences = ring.events("enter", first).map(({ fields }) => [fields.epoch, fields.grant]);
  const grant = Number(fences[0]?.[1]);
  expect(fences, ring.where()).toEqual(ids.map((_, i) => [epoch, grant + i]));
}

/** Fails with what is wrong and the command that repeats it. */
function hold(ring: FormedRing, wrong: string): void {
  if (wrong) expect.fail(`${wrong}\n${ring.where()}`);
}

/** @returns at the station behind a link: the last hop that it will have seen when a frame comes, and the next one due */
function hopsBehind(ring: FormedRing, place: number, link: number): { seen: number; due: number } {
  const n = ring.plan.ids.length;
  const { hop } = ring.sim.stations[place] as { hop: number };
  // On the link on which the token is, another one comes behind it.
  if (link === place) return { seen: hop + 1, due: hop + n };
  const { hop: seen } = ring.sim.stations[behind(link, n)] as { hop: number };
  return { seen, due: hop + ((link - place + n) % n) };
}

/**
 * Injects a token. @returns what is wrong, when there is not one token after three announcements, a purge and a rotation
 * @param causes takes why the monitor gave tokens up
 */
function countedOut(ring: FormedRing, link: number, token: Token, causes: Set<string>): string {
  const first = ring.length;
  const count = injected(ring, [[link, token]]);
  const { announce, purge, rotation } = ring.sim.settings.limits;
  const oneAt = ring.now + 1000 * (3 * announce + purge + rotation);
  count.runUntil(oneAt + AFTERWARDS * ring.rotation);
  for (const { fields } of ring.events("lost", first)) causes.add(String(fields.cause));
  return count.oneSince(oneAt);
}

function anyHop(wiring: Wiring, n: number): void {
  const causes = new Set<string>();
  for (const place of range(0, n - 1)) {
    for (const link of range(0, n - 1)) {
      const ring = ringWithTokenAt(n, wiring, place);
      for (const more of range(0, 2 * n)) {
        ring.toToken(ring.plan.ids[place] as number);
        const { epoch } = ring.monitor;
        const { seen, due } = hopsBehind(ring, place, link);
        const hop = seen + more;
        // Between what was seen last and what is due next neither of the two ever comes behind the other.
        const meet = hop <= seen || hop >= due;
        hold(
          ring,
          meet ? inject(ring, [[link, { epoch, hop }]]) : countedOut(ring, link, { epoch, hop }, causes),
        );
      }
    }
  }
  // In a ring of three they end by themselves; in a wider one nothing but the count ends some.
  expect([...causes]).toEqual(n > 3 ? ["duplicate"] : []);
}

describe("a second token, injected on any link: there is one again within its bound, and so it stays", () => {
  test.each(RINGS)(
    "of an older epoch, on a %s ring of %i: the second goes, whatever its hop",
    (wiring, n) => {
      for (const place of range(0, n - 1)) {
        const ring = ringWithTokenAt(n, wiring, place);
        for (const link of range(0, n - 1)) {
          for (const hop of [0, 100_000]) {
            ring.toToken(ring.plan.ids[place] as number);
            const { epoch } = ring.monitor;
            for (const older of [1, epoch - 1]) {
              hold(ring, inject(ring, [[link, { epoch: older, hop }]]));
              expect(ring.monitor.epoch, ring.where()).toBe(epoch);
            }
          }
        }
        serves(ring);
      }
    },
  );

  test.each(RINGS)(
    "of a higher epoch, on a %s ring of %i: the ring's own goes, whatever its hop",
    (wiring, n) => {
      for (const place of range(0, n - 1)) {
        for (const link of range(0, n - 1)) {
          const higher: ((epoch: number) => number)[] = [ofAnother, (e) => e + 256, (e) => e + 256_000 + 9];
          for (const [k, make] of higher.entries()) {
            const ring = ringWithTokenAt(n, wiring, place);
            const epoch = make(ring.monitor.epoch);
            hold(ring, inject(ring, [[link, { epoch, hop: 1000 * k }]]));
            expect(
              ring.live().map((s) => s.epoch),
              ring.where(),
            ).toEqual(ring.plan.ids.map(() => epoch));
            serves(ring);
          }
        }
      }
    },
  );

  test.each(RINGS)(
    "of the ring's own epoch, on a %s ring of %i: the one that is behind goes within a rotation",
    (wiring, n) => {
      for (const place of range(0, n - 1)) {
        const ring = ringWithTokenAt(n, wiring, place);
        for (const link of range(0, n - 1)) {
          for (const k of range(0, 6)) {
            ring.toToken(ring.plan.ids[place] as number);
            const { epoch } = ring.monitor;
            const { seen, due } = hopsBehind(ring, place, link);
            const hop = [1, seen - 1, seen, due, due + 1, due + n, due + 100_000][k] as number;
            hold(ring, inject(ring, [[link, { epoch, hop }]]));
            expect(ring.monitor.epoch, ring.where()).toBe(epoch);
          }
        }
        serves(ring);
      }
    },
  );

  test.each(SMALL_RINGS)(
    "of the ring's own epoch, with any hop, on a %s ring of %i: where the two never meet, within three announcement periods, a purge and a rotation",
    (wiring, n) => anyHop(wiring, n),
  );

  test.each(SMALL_RINGS)(
    "two more at once of one higher epoch on a %s ring of %i: any hops, within the bound for several faults",
    (wiring, n) => {
      for (const one of range(0, n - 1)) {
        for (const other of range(0, n - 1)) {
          for (const more of range(0, n + 1)) {
            if (one === other && more === 0) continue;
            const ring = ringWithTokenAt(n, wiring, 0);
            const epoch = ofAnother(ring.monitor.epoch);
            const count = injected(ring, [
              [one, { epoch, hop: 7 }],
              [other, { epoch, hop: 7 + more }],
            ]);
            const oneAt = ring.now + 1000 * ring.bound("several faults").ms;
            count.runUntil(oneAt + AFTERWARDS * ring.rotation);
            hold(ring, count.oneSince(oneAt));
          }
        }
      }
    },
  );

  test.each(RINGS)("two more at once on a %s ring of %i: the highest epoch stays", (wiring, n) => {
    for (const one of range(0, n - 1)) {
      for (const other of range(0, n - 1)) {
        const ring = ringWithTokenAt(n, wiring, 0);
        const { epoch } = ring.monitor;
        const older: Token = { epoch: epoch - 1, hop: 7 };
        const higher: Token = { epoch: ofAnother(epoch), hop: 7 };
        const highest: Token = { epoch: epoch + 512, hop: 7 };
        hold(
          ring,
          inject(ring, [
            [one, older],
            [other, older],
          ]),
        );
        ring.toToken(ring.plan.ids[0] as number);
        hold(
          ring,
          inject(ring, [
            [one, higher],
            [other, highest],
          ]),
        );
        expect(
          ring.live().map((s) => s.epoch),
          ring.where(),
        ).toEqual(ring.plan.ids.map(() => highest.epoch));
        serves(ring);
      }
    }
  });
});

test.each(RINGS)(
  "a second token of the ring's own epoch, with any hop, ends where one is inside: on a %s ring of %i",
  (wiring, n) => {
    for (const inside of range(0, n - 1)) {
      const ring = new FormedRing(planOf(n, wiring, "bully", { criticalMs: 1e6 }));
      const id = ring.plan.ids[inside] as number;
      ring.do(`request ${id}`);
      ring.to((record) => record.event === "enter");
      for (const link of range(0, n - 1)) {
        const { epoch, hop: seen } = ring.sim.stations[behind(link, n)] as { epoch: number; hop: number };
        for (const more of [0, 1, 2, n, 5 * n]) {
          hold(ring, inject(ring, [[link, { epoch, hop: seen + more }]]));
          expect(ring.sim.station(id), ring.where()).toMatchObject({
            inside: true,
            token: { held: true, epoch },
          });
        }
      }
    }
  },
);

test.each(RINGS)(
  "a token of a higher epoch makes the monitor step down, and within the bound for several faults there is one again: %s ring of %i",
  (wiring, n) => {
    const bound = (ring: FormedRing) => 1000 * ring.bound("several faults").ms;
    for (const link of range(0, n - 1)) {
      const ring = ringWithTokenAt(n, wiring, 0);
      const monitor = ring.monitor.id;
      const epoch = ofAnother(ring.monitor.epoch);
      const first = ring.length;
      hold(ring, inject(ring, [[link, { epoch, hop: 1 }]]));
      const count = new TokenCount(ring);
      count.runUntil(ring.now + bound(ring));
      hold(ring, count.oneSince(0) || ring.disagreement());
      const steps = ring.events("stepdown", first).map(({ station, fields }) => ({ station, ...fields }));
      expect(steps, ring.where()).toEqual([{ station: monitor, to: epoch % 256, cause: "epoch" }]);
      expect(ring.events("regenerated", first), ring.where()).toEqual([]);
    }
  },
);

test.each(SMALL_RINGS)(
  "two more at once of the ring's own epoch, with any hops: there is one again within three announcement periods, a purge and a rotation: %s ring of %i",
  (wiring, n) => {
    for (const one of range(0, n - 1)) {
      for (const other of range(0, n - 1)) {
        for (const more of range(0, n + 1)) {
          for (const beyond of range(0, n + 1)) {
            if (one === other && more === beyond) continue;
            const ring = ringWithTokenAt(n, wiring, 0);
            const { epoch } = ring.monitor;
            const { seen } = hopsBehind(ring, 0, one);
            const count = injected(ring, [
              [one, { epoch, hop: seen + more }],
              [other, { epoch, hop: seen + beyond }],
            ]);
            const { announce, purge, rotation } = ring.sim.settings.limits;
            const oneAt = ring.now + 1000 * (3 * announce + purge + rotation);
            count.runUntil(oneAt + AFTERWARDS * ring.rotation);
            hold(ring, count.oneSince(oneAt));
          }
        }
      }
    }
  },
);
