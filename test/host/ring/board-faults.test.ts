/** Faults that boards make of themselves when the host says so: crash, hang, pause, resume, restart. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleFirmware } from "../../../src/host/firmware-bundle/bundle.ts";
import { boardAction } from "../../../src/host/ring/board-actions.ts";
import { silenceMs } from "../../../src/host/ring/silence-watch.ts";
import { DEFAULT_PLAN, limitsOf, settingsOf } from "../../../src/simulation/plan.ts";
import { parseAction } from "../../../src/simulation/script/script.ts";
import { type Bench, bench } from "../../emulator/bench.ts";
import { benchOf, TestRing } from "../rings.ts";

describe("a board by itself, on a virtual clock", () => {
  let far: Bench;
  let n = 10;

  /** Calls a function of the station. @returns what the board says within `ms`, without times */
  function call(name: string, ...args: (string | number)[]): (ms?: number) => string {
    const list = [++n, ...args].map((arg) => JSON.stringify(arg)).join();
    return (ms = 20) =>
      far
        .ask(`\x10station.${name}(${list})\n`, ms)
        .replace(/@\d+/g, "@")
        .replace(/\*\w+\r/g, "\r");
  }

  beforeAll(async () => {
    far = bench({ code: await bundleFirmware(["bully"]) });
    const settings = settingsOf({ ...DEFAULT_PLAN, ids: [2] });
    far.ask("\x10echo(0)\n");
    call("attach", 0)();
    call("configure", JSON.stringify({ id: 2, wiring: "hub", settings }))();
    call("elect")(10_000);
  });

  test("a board that hangs hears nothing and says nothing; what came due meanwhile runs when it goes on", () => {
    // Alone, it takes itself for the coordinator, and announces that again and again.
    expect(call("attach", 0)(2000)).toMatch(/(tx,\$AMP.+){3}/s);
    expect(call("fault", "hang")()).toBe(`@,ack,${n}\r\n`);
    expect(call("attach", 0)(1000)).toBe("");
    expect(call("elect")(1000)).toBe("");
    const unheard = n;
    const said = call("fault", "resume")();
    expect(said).toMatch(new RegExp(`^@,fault,resume\r\n@,nak,${unheard}\r\n@,ack,${n}\r\n`));
    expect(said).toContain("@,tx,$AMP,");
    expect(said).not.toContain("elect");
    expect(call("attach", 0)(2000)).toMatch(/(tx,\$AMP.+){3}/s);
  });

  test("a pause ends by itself, and an earlier resume ends it once", () => {
    call("fault", "pause", 300)();
    expect(call("elect")(200)).toBe("");
    expect(
      far
        .ask("", 100)
        .replace(/@\d+/g, "@")
        .replace(/\*\w+\r/g, "\r"),
    ).toMatch(new RegExp(`^@,fault,resume\r\n@,nak,${n}\r\n`));
    call("fault", "pause", 300)();
    expect(call("fault", "resume")()).toContain("fault,resume");
    call("fault", "hang")();
    expect(far.ask("", 500)).toBe("");
    expect(call("fault", "resume")()).toContain("fault,resume");
  });

  test("one that was left standing still goes on when a host asks who is there, or takes its leave", () => {
    call("fault", "hang")();
    expect(call("info")()).toMatch(/fault,resume.*"running":1/s);
    call("fault", "hang")();
    call("detach")();
    expect(call("attach", 0)()).toContain(`@,ack,${n}\r\n`);
  });

  test("a crash takes the state away, and a restart makes a new boot id", () => {
    const boot = () => Number(/"boot":(\d+)/.exec(call("info")())?.[1]);
    const before = boot();
    call("fault", "crash")();
    expect(call("elect")(5000)).toBe("");
    expect(call("fault", "resume")()).not.toContain("resume");
    expect(call("info")()).toContain('"running":0');
    call("fault", "restart")(1000);
    expect(call("info")()).toContain('"running":1');
    expect(boot()).not.toBe(before);
  });
});

/** Boards whose power is in nobody's hand, and a simulated station beside them. */
describe.sequential("a ring on a hub", () => {
  let ring: TestRing;
  let silence: number;

  beforeAll(async () => {
    ring = await TestRing.start(benchOf(["emulated", "emulated", "simulated", "emulated"]));
    silence = silenceMs(limitsOf(ring.plan));
    await ring.forms();
  }, 20_000);

  afterAll(() => ring.stop());

  const act = (action: string) => boardAction({ ...ring.opened, boards: [] }, parseAction(`0s ${action}`))();
  const last = (event: string) => ring.events(event).at(-1);

  async function recovers(): Promise<void> {
    const hops = ring.hops("TOK");
    await ring.until("the token goes on", () => ring.hops("TOK") > hops + 12);
    expect(ring.watch.violation).toBeNull();
  }

  test("text arrives as it was typed, with the characters that a frame needs for itself", async () => {
    act("send 1 2 it's 2*3, $5");
    await ring.until("it arrives", () => ring.count("data", 2) === 1);
    expect(decodeURIComponent(String(last("data")?.fields.text))).toBe("it's 2*3, $5");
    expect(() => act("send 1 nobody hello")).toThrow(`"nobody" is not a station's id`);
  });

  test.each([
    ["a board", 2],
    ["a simulated station", 3],
  ])(
    "hang: %s is found silent and bypassed, and inserted when it goes on",
    async (_, id) => {
      const [bypassed, inserted] = [ring.count("bypass", id), ring.count("insert", id)];
      const before = performance.now();
      act(`hang ${id}`);
      act(`request ${id}`);
      await ring.until("bypass", () => ring.count("bypass", id) > bypassed, silence + 300);
      // The token is on its way to it: what it does not answer tells sooner than that it says nothing.
      expect(performance.now() - before).toBeLessThan(silence);
      expect(last("bypass")?.fields.cause).toBe("silent");
      await recovers();
      act(`resume ${id}`);
      await ring.until("insert", () => ring.count("insert", id) > inserted, 200);
      expect(last("fault")).toMatchObject({ station: id, fields: { kind: "resume" } });
      expect(ring.count("enter", id)).toBe(0);
      await recovers();
    },
    15_000,
  );

  test.each([
    ["a board", 1],
    ["a simulated station", 3],
  ])(
    "pause: %s that is back before the limit is not bypassed",
    async (_, id) => {
      const bypassed = ring.count("bypass");
      const resumed = ring.count("fault", id);
      act(`pause ${id} 400ms`);
      await ring.until("it goes on", () => ring.count("fault", id) === resumed + 2, 1500);
      const [start, end] = ring.events("fault").slice(-2);
      expect([start, end].map((record) => record?.fields.kind)).toEqual(["pause", "resume"]);
      expect(start?.fields.detail).toBe("400ms");
      expect(Math.abs((end?.t ?? 0) - (start?.t ?? 0) - 400_000)).toBeLessThan(150_000);
      await recovers();
      expect(ring.count("bypass")).toBe(bypassed);
    },
    15_000,
  );

  test.each([
    ["a board", 2],
    ["a simulated station", 3],
  ])(
    "restart: %s is there again with another boot id",
    async (_, id) => {
      const boots = () =>
        ring
          .events("hello")
          .filter(({ fields }) => fields.from === id)
          .map(({ fields }) => fields.boot);
      const before = boots().at(-1) ?? -1;
      const inserted = ring.count("insert", id);
      act(`restart ${id}`);
      await ring.until("insert", () => ring.count("insert", id) > inserted, 5000);
      expect(last("restart")?.station).toBe(id);
      expect(last("restart")?.fields.boot).not.toBe(before);
      expect(last("crash")).toMatchObject({ station: id, fields: { cause: "power" } });
      await recovers();
    },
    15_000,
  );

  test("crash: the coordinator is out at once and stays out, another takes over; a restart brings it back", async () => {
    const took = ring.count("coordinator", 3);
    act("crash 4");
    await ring.until("bypass", () => last("bypass")?.station === 4, 500);
    await ring.until(
      "3 is coordinator",
      () => ring.count("coordinator", 3) > took && last("coordinator")?.fields.coordinator === 3,
      15_000,
    );
    await recovers();
    expect(last("insert")?.station).not.toBe(4);
    act("restart 4");
    await ring.until(
      "4 is coordinator",
      () => last("coordinator")?.fields.coordinator === 4 && last("insert")?.station === 4,
      15_000,
    );
    await recovers();
  }, 40_000);

  test("an emulated board loses its real power: a running one restarts, too", async () => {
    const inserted = ring.count("insert", 1);
    ring.act("restart 1");
    await ring.until("insert", () => ring.count("insert", 1) > inserted, 5000);
    expect(last("restart")?.station).toBe(1);
    await recovers();
  }, 15_000);
});
