/** One damaged character on a console costs a repetition: nothing false is believed, nothing that arrived counts as lost. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_PLAN, settingsOf } from "../../../src/simulation/plan.ts";
import { boardBehindWire, type DamagedRing, damagedRing, loseOne } from "../damaged-ring.ts";

describe.sequential("a hub ring of three emulated boards", () => {
  let ring: DamagedRing;

  beforeAll(async () => {
    ring = await damagedRing(3, { criticalMs: 20 });
    expect(await ring.ring.start()).toEqual([]);
    await ring.until("the ring forms", () => ring.hops("TOK") > 20);
  }, 30_000);

  afterAll(() => ring.stop());

  /** Nobody was taken out, no token was lost and no frame counts as dropped since the ring formed. */
  async function goesOn(): Promise<void> {
    const hops = ring.hops("TOK");
    await ring.until("the token goes on", () => ring.hops("TOK") > hops + 30, 5000);
    expect(ring.events("bypass")).toEqual([]);
    expect(ring.records.filter(({ event }) => event === "dropped")).toEqual([]);
    expect(ring.violation()).toBeNull();
  }

  const tokens = () => ring.events("regenerated").length;
  /** Every place of a call at which a character can be lost, and what the board then makes of the line. */
  const places: [what: string, at: number][] = [
    ["the escape before it", 0],
    ["its first letter", 1],
    ["the point", 8],
    ["the name", 10],
    ["the opening bracket", 14],
    ["a digit of the number", 16],
    ["the comma", 21],
    ["the quote that opens the frame", -5],
    ["a character of the check sequence", -6],
    ["the quote that closes the frame", -3],
    ["the closing bracket", -2],
    ["the newline", -1],
  ];

  test.each(places)("a call to a board that loses %s is said once more", async (what, at) => {
    const before = tokens();
    const pattern = what.includes("opens") ? /\x10station\.frame\(\d+,"\$TO/ : /\x10station\.frame\(.*\n/;
    const loss = loseOne(pattern, at);
    const wire = ring.wires[1] as (typeof ring.wires)[0];
    wire.toBoard = loss.damage;
    await ring.until("a frame is damaged", loss.done);
    await goesOn();
    expect(tokens()).toBe(before);
  });

  test.each([
    ["the @", 0],
    ["a digit of the time", 3],
    ["a letter of the word", -15],
    ["a digit of the call's number", -8],
    ["the check", -3],
    ["the newline", -1],
  ])("an answer that loses %s is asked for again, and its frame counts as delivered", async (_, at) => {
    const before = tokens();
    const loss = loseOne(/@\d+,ack,\d+\*\w+\r\n/, at);
    (ring.wires[1] as (typeof ring.wires)[0]).toHost = loss.damage;
    await ring.until("an answer is damaged", loss.done);
    await goesOn();
    expect(tokens()).toBe(before);
  });

  test("an answer that is lost whole does not make the board do the call twice", async () => {
    const wire = ring.wires[1] as (typeof ring.wires)[0];
    let lost = "";
    wire.toHost = (line) => {
      if (lost !== "" || !/,ack,/.test(line)) return line;
      lost = line;
      return "";
    };
    const entries = ring.events("enter", 2).length;
    expect(await ring.stations[1]?.command("request")).toBe(true);
    await ring.until("it enters", () => ring.events("exit", 2).length === entries + 1);
    await goesOn();
    expect(lost).not.toBe("");
    expect(ring.events("enter", 2).length).toBe(entries + 1);
  });

  test("a digit that is lost of an entry's epoch makes no other epoch: the record is counted, and not used", async () => {
    const [damaged, known] = [
      ring.events("bad", 2).length,
      new Set(ring.events("enter").map((r) => r.fields.epoch)),
    ];
    const loss = loseOne(/@\d+,enter,\d\d/, -1);
    (ring.wires[1] as (typeof ring.wires)[0]).toHost = loss.damage;
    for (let n = 0; n < 2; n++) {
      const exits = ring.events("exit", 2).length;
      await ring.stations[1]?.command("request");
      await ring.until("it leaves", () => ring.events("exit", 2).length === exits + 1);
    }
    expect(loss.done()).toBe(true);
    expect(new Set(ring.events("enter").map((r) => r.fields.epoch)).size).toBe(Math.max(1, known.size));
    expect(
      ring
        .events("bad", 2)
        .slice(damaged)
        .map((r) => r.fields),
    ).toEqual([{ cause: "damaged" }]);
    await goesOn();
  });

  test("a record of an exit that is lost accuses nobody of being inside", async () => {
    const loss = loseOne(/@\d+,exit,\d\d/, -1);
    (ring.wires[1] as (typeof ring.wires)[0]).toHost = loss.damage;
    await ring.stations[1]?.command("request");
    await ring.until("the exit is damaged", loss.done);
    const entries = ring.events("enter", 1).length;
    await ring.stations[0]?.command("request");
    await ring.until("another enters", () => ring.events("enter", 1).length === entries + 1);
    await goesOn();
  });

  test("1 MB of noise makes one line with a count", async () => {
    const lines = () => [...ring.events("bad", 1), ...ring.events("console", 1)];
    const before = new Set(lines());
    const wire = ring.wires[0] as (typeof ring.wires)[0];
    let random = 1;
    const noise = Array.from({ length: 2 ** 20 }, () => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
      return String.fromCharCode(random >>> 24);
    }).join("");
    let sent = false;
    wire.toHost = (line) => {
      if (sent) return line;
      sent = true;
      return `${noise}\n${line}`;
    };
    await ring.until("the noise is told of", () =>
      ring.events("bad", 1).some((r) => r.fields.cause === "noise"),
    );
    await goesOn();
    const told = ring.events("bad", 1).filter((r) => r.fields.cause === "noise");
    expect(told).toHaveLength(1);
    expect(Number(told[0]?.fields.count)).toBeGreaterThan(800_000);
    expect(lines().filter((line) => !before.has(line))).toEqual(told);
  });

  test("a reset while the port stays open is noticed by the board's time, and told with its new boot id", async () => {
    const boot = ring.stations[1]?.boot;
    const board = ring.boards[1];
    board?.powerOff();
    board?.powerOn();
    await ring.until("the restart is recorded", () => ring.events("restart", 2).length === 1);
    expect(ring.events("restart", 2)[0]?.fields.boot).toBe(ring.stations[1]?.boot);
    expect(ring.stations[1]?.boot).not.toBe(boot);
    const hops = ring.hops("TOK");
    await ring.until("the token goes on", () => ring.hops("TOK") > hops + 30);
    await ring.until("it knows the coordinator", () => ring.events("joined", 2).length > 0);
    expect(ring.violation()).toBeNull();
  }, 30_000);
});

test("a digit that a configuration loses is not stored: the board says so, and gets it again", async () => {
  const { wire, board, station } = await boardBehindWire(0);
  onTestFinished(async () => {
    await station.stop();
    board.stop();
  });
  expect(await station.connect()).toBeNull();
  const settings = settingsOf({ ...DEFAULT_PLAN, ids: [1], criticalMs: 20 });
  const loss = loseOne(/\\"criticalMs\\":20/, -1);
  wire.toBoard = loss.damage;
  expect(await station.start({ id: 1, wiring: "hub", settings })).toBe(true);
  expect(loss.done()).toBe(true);
  const calls = wire.heard.split("\n").filter((line) => line.includes("configure"));
  expect(calls.map((line) => /\\"criticalMs\\":(\d+)/.exec(line)?.[1])).toEqual(["2", "20"]);
});
