/**
 * Faults that the host of a hub makes, with the words of the simulation's scripts: each shows in the records as it does
 * there, and the ring is whole again afterwards: one token, one coordinator, no claim of the observer broken.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silenceMs } from "../../../src/host/ring/silence-watch.ts";
import { limitsOf } from "../../../src/simulation/plan.ts";
import { benchOf, TestRing } from "../rings.ts";

let ring: TestRing;

beforeAll(async () => {
  ring = await TestRing.start(benchOf(["emulated", "emulated", "simulated"]));
  await ring.forms();
}, 20_000);

afterAll(() => ring.stop());

/** The token passes each station again. */
async function recovers(limitMs = 10_000): Promise<void> {
  const hops = ring.hops("TOK");
  await ring.until("the token goes on", () => ring.hops("TOK") > hops + 12, limitMs);
  expect(ring.watch.violation).toBeNull();
}

describe.sequential("frames", () => {
  test("drop: a token that is lost is replaced", async () => {
    const made = ring.count("regenerated");
    ring.act("drop 2 1 TOK");
    await ring.until("a new token", () => ring.count("regenerated") > made);
    expect(ring.frames("dropped", 2)).toMatchObject([{ type: "TOK", to: 3 }]);
    expect(ring.events("fault").at(-1)?.fields).toEqual({ kind: "drop", detail: "1 TOK" });
    await recovers();
  });

  test.each([
    ["a board", 1, 2],
    ["a simulated station", 2, 3],
  ])("corrupt: the line comes spoiled, and %s counts and drops it", async (_, from, to) => {
    const bad = ring.count("bad", to);
    const made = ring.count("regenerated");
    ring.act(`corrupt ${from} 1 TOK`);
    await ring.until("it is refused", () => ring.count("bad", to) > bad, 1000);
    await ring.until("a new token", () => ring.count("regenerated") > made);
    expect(ring.frames("corrupted", from)).toMatchObject([{ type: "TOK", to }]);
    await recovers();
  });

  test("duplicate: the second token is stale", async () => {
    ring.act("duplicate 1 2 TOK");
    await ring.until("both are found", () => ring.count("stale", 2) >= 2, 2000);
    expect(ring.frames("duplicated", 1)).toHaveLength(2);
    await recovers();
  });

  test("delay: the frame is late, and those behind it wait their turn", async () => {
    const since = ring.records.length;
    ring.act("delay 2 100ms 1 TOK");
    await ring.until("it is late", () => ring.frames("delayed", 2).length === 1, 2000);
    await recovers();
    const [late] = ring.frames("delayed", 2);
    expect(late?.took).toBe(100_000);
    const hop = ring.records
      .slice(since)
      .find(
        (record) =>
          "hop" === record.event && record.t > (late?.t ?? 0) && "from" in record && record.from === 2,
      );
    expect(hop).toMatchObject({ type: "TOK" });
    // Timers and the alignment of the board's clock are off by a few milliseconds; without the delay a hop takes as little.
    expect((hop as { took: number }).took).toBeGreaterThan(80_000);
    expect((hop?.t ?? 0) - (late?.t ?? 0)).toBeGreaterThan(80_000);
  });

  test("noise: frames are hit at random, for a time", async () => {
    const hit = () =>
      (["dropped", "corrupted", "duplicated", "delayed"] as const).flatMap((event) => ring.frames(event, 1))
        .length;
    const before = hit();
    ring.act("noise 1 100 300ms");
    await ring.until("some are hit", () => hit() > before, 2000);
    await recovers();
  });

  test("inject: a frame that nobody sent is handed over", async () => {
    const stale = ring.count("stale", 2);
    ring.act("inject 1 TOK,1,253,1,1,0");
    await ring.until("it is found stale", () => ring.count("stale", 2) > stale, 2000);
    await recovers();
  });
});

describe.sequential("lines", () => {
  test.each([
    ["cut", "mend", 1],
    ["deafen", "mend", 3],
  ])(
    "%s: the host bypasses the station within its limit, and inserts it when it is mended",
    async (verb, end, station) => {
      const [bypassed, inserted] = [ring.count("bypass", station), ring.count("insert", station)];
      const before = performance.now();
      ring.act(`${verb} ${station}`);
      await ring.until("bypass", () => ring.count("bypass", station) > bypassed, 5000);
      expect(performance.now() - before).toBeLessThan(silenceMs(limitsOf(ring.plan)) + 300);
      expect(ring.events("bypass").at(-1)?.fields.cause).toBe("silent");
      const from = verb === "cut" ? station : station - 1;
      expect(ring.frames("dropped", from).length).toBeGreaterThan(0);
      await recovers();
      expect(ring.count("insert", station)).toBe(inserted);
      ring.act(`${end} ${station}`);
      await ring.until("insert", () => ring.count("insert", station) > inserted, 100);
      await recovers();
    },
    20_000,
  );

  test("bypass: the station stays out although it answers, until it is inserted", async () => {
    ring.act("bypass 2");
    expect(ring.opened.ring.mau.isInserted(1)).toBe(false);
    const hops = ring.hops("TOK");
    const until = performance.now() + 1300;
    await ring.until("a heartbeat has passed", () => performance.now() > until);
    expect(ring.hops("TOK")).toBeGreaterThan(hops);
    expect(ring.opened.ring.mau.isInserted(1)).toBe(false);
    ring.act("insert 2");
    await recovers();
    expect(ring.events("insert").at(-1)).toMatchObject({ station: 2, fields: { cause: "relay" } });
  });

  test("partition: a coordinator on each side, and one when it is healed", async () => {
    const took = (id: number) =>
      ring
        .events("coordinator")
        .filter(({ station }) => station === id)
        .at(-1);
    const partition = ring.records.length;
    ring.act("partition 1/2,3");
    const alone = () =>
      ring.records
        .slice(partition)
        .some((r) => r.event === "regenerated" && "station" in r && r.station === 1);
    await ring.until("1 makes a token of its own", alone, 15_000);
    ring.act("heal");
    await ring.until("1 takes 3 for coordinator", () => took(1)?.fields.coordinator === 3, 15_000);
    await recovers();
    expect(
      ring
        .events("fault")
        .slice(-2)
        .map(({ fields }) => fields.kind),
    ).toEqual(["partition", "heal"]);
  }, 40_000);

  test("calm ends what still lasts", async () => {
    ring.act("drop all 1000000");
    ring.act("cut 1");
    ring.act("bypass 2");
    ring.act("calm");
    expect(ring.opened.ring.mau.count).toBe(3);
    await recovers();
    expect(ring.events("fault").at(-1)?.fields.kind).toBe("calm");
  });
});

test("a station alone, and an argument that does not fit: one line", () => {
  expect(() => ring.act("drop 9")).toThrow(/^no station of this ring is called "9": it has 1, 2, 3$/);
  expect(() => ring.act("delay 1 soon")).toThrow(/"soon" is not a time/);
  expect(() => ring.act("slow 1 3")).toThrow(
    /^"slow" cannot be done to boards: use .*crash.*drop.*, or a simulated ring$/,
  );
});

test("a wired ring refuses what only a hub can do, and says what can be done there", async () => {
  const wired = await TestRing.open(benchOf(["emulated", "emulated"], { wiring: "wired" }));
  try {
    for (const action of [
      "drop 1",
      "corrupt 1",
      "duplicate 1",
      "delay 1 1s",
      "noise 1 5 1s",
      "cut 1",
      "mend 1",
      "heal",
      "partition 1/2",
    ]) {
      expect(() => wired.act(action)).toThrow(
        `${action.split(" ")[0]} needs a hub: on a wired ring frames go from board to board past this program; here use request, release, elect, send, crash, restart, hang, resume, pause, calm`,
      );
    }
    expect(() => wired.act("bypass 1")).toThrow(
      /^bypass needs a relay of a bench panel at that station, or a hub; here use/,
    );
  } finally {
    await wired.stop();
  }
});
