/** What is observed of a ring against what was given: the wires of a wired one, the ids of the boards on a hub. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emulateTtys } from "../../../src/host/bench/emulated-ttys.ts";
import { startRing } from "../../../src/host/bench/start-ring.ts";
import { ObservedWires } from "../../../src/host/ring/observed-wires.ts";
import type { RingStation } from "../../../src/host/ring/ring-station.ts";
import { toolTest } from "../../tools.ts";
import { benchOf, TestRing } from "../rings.ts";

/** Stations in the order that was given, whose hello is heard by `heardBy`. */
function wires(ids: readonly number[], heardBy: (id: number) => number | undefined) {
  const remarks: string[] = [];
  const time = { now: 0 };
  const stations = ids.map((id) => ({
    id,
    where: `port ${id}`,
    command: async () => {
      const by = ids.indexOf(heardBy(id) ?? -1);
      if (by >= 0) observed.hears(by, id);
      return true;
    },
  })) as unknown as RingStation[];
  const observed: ObservedWires = new ObservedWires(
    stations,
    (position) => (position + ids.length - 1) % ids.length,
    (text) => remarks.push(text),
    () => time.now,
  );
  return { observed, remarks, time };
}

const next = (order: readonly number[]) => (id: number) => order[(order.indexOf(id) + 1) % order.length];

test("wires in the order of the ports are no problem, in another one they are named with the ports to give", async () => {
  expect(await wires([1, 2, 3, 4], next([1, 2, 3, 4])).observed.problem()).toBeNull();
  expect(await wires([1, 2, 3, 4], next([1, 3, 2, 4])).observed.problem()).toBe(
    "the boards are wired 1 → 3 → 2 → 4 →, not 1 → 2 → 3 → 4 →: name them in that order (port 1,port 3,port 2,port 4)",
  );
});

test("a wire that is out is no other order; one that leads elsewhere is told with what is wrong", async () => {
  const out = (id: number) => (id === 2 ? undefined : next([1, 2, 3])(id));
  expect(await wires([1, 2, 3], out).observed.problem()).toBeNull();
  const crossed = (id: number) => [0, 2, 1, 4, 3][id];
  expect(await wires([1, 2, 3, 4], crossed).observed.problem()).toMatch(
    /^the wires are not those of this ring: stations 1 and 2 hear only each other: a crossed pair;/,
  );
});

test("a hop is of the station that sent the frame, whoever was given as its predecessor; it is told once", () => {
  const { observed, remarks, time } = wires([1, 2, 3], next([1, 2, 3]));
  const token = (src: number) => ({ type: "TOK", src, dst: 253, args: [1, 2, 3], flags: 0 });
  expect(observed.take(2, token(2))).toBe(2);
  for (let n = 0; n < 10; n++) expect(observed.take(2, token(1))).toBe(1);
  // A relay may just be switching.
  expect(remarks).toEqual([]);
  time.now += 1_000_000;
  for (let n = 0; n < 10; n++) expect(observed.take(2, token(1))).toBe(1);
  // Who passes on what goes to a station is the one that was heard last.
  expect(observed.take(2, { type: "BEL", src: 2, dst: 3, args: [1], flags: 0 })).toBe(1);
  expect(remarks).toEqual(["station 3 hears 1, not 2: its wire was led elsewhere"]);
});

async function ttys(changes: { wired?: boolean } = {}) {
  const dir = mkdtempSync(join(tmpdir(), "ringlab-test-"));
  const made = await emulateTtys({ stations: 3, dir, ...changes });
  onTestFinished(async () => {
    await made.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return made.paths as unknown as readonly [string, string, string];
}

toolTest(["socat"])("boards whose paths are swapped on a hub get the other ids, and it is said", async () => {
  const [a, b, c] = await ttys();
  const first = await TestRing.start(benchOf([a, b, c]));
  expect(first.opened.renamed).toEqual([]);
  await first.stop();
  const second = await TestRing.open(benchOf([b, a, c]));
  onTestFinished(() => second.stop());
  expect(second.opened.renamed).toEqual([
    `the board on ${b} was station 2 until now, and is station 1 here`,
    `the board on ${a} was station 1 until now, and is station 2 here`,
  ]);
});

toolTest(["socat"])("a wired ring whose ports are given in another order does not start", async () => {
  const [a, b, c] = await ttys({ wired: true });
  const ring = await TestRing.open(benchOf([a, c, b], { wiring: "wired" }));
  onTestFinished(() => ring.stop());
  await expect(startRing(ring.opened.ring)).rejects.toThrow(
    `the boards are wired 1 → 3 → 2 →, not 1 → 2 → 3 →: name them in that order (${a},${b},${c})`,
  );
});
