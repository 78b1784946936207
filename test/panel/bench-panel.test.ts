/**
 * The bench panel on the real StandardFirmata, at a terminal, beside rings of emulated boards. What the panel shows is
 * read at the pins of the Uno.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bench, makeBench } from "../../src/bench-file/load-bench.ts";
import { boundOf } from "../../src/check/bounds.ts";
import { openTty } from "../../src/emulator/hardware/tty.ts";
import { type BenchRing, openBench, planOfBench } from "../../src/host/bench/bench-ring.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import {
  type FrameRecord,
  HOST,
  isFrameRecord,
  type RunRecord,
  type StationRecord,
} from "../../src/log/records.ts";
import { BenchPanel, panelOf } from "../../src/panel/bench-panel.ts";
import { openFirmata } from "../../src/panel/firmata-board.ts";
import { limitsOf } from "../../src/simulation/plan.ts";
import { findTool } from "../tools.ts";
import { processHandlers, until } from "./five.ts";
import { startUno, type Uno } from "./uno.ts";

/** Pins of the Uno: 3, 5, 6, 9, 10 and 11 have PWM. Station 3 is the one that can be dimmed. */
const PANEL = {
  1: { led: 2, button: 14, relay: 8 },
  2: { led: 4, button: 15, relay: 12 },
  3: { led: 11, button: 16, relay: 13 },
};
const PRESS_MS = 80;

/** A ring of three emulated boards with the panel beside it. */
class Rig {
  readonly records: RunRecord[] = [];
  ring!: BenchRing;

  static async start(panel: BenchPanel, wiring: "hub" | "wired", options: object): Promise<Rig> {
    const rig = new Rig();
    const bench = benchOf(wiring, options);
    const columns = new RecordColumns();
    const ring = await openBench(bench, {
      plan: planOfBench(bench, 1),
      idsGiven: true,
      records: columns,
      onRecords: () => {
        for (let i = 0; i < columns.length; i++) rig.records.push(columns.get(i));
        panel.write(columns, 0, columns.length);
        columns.clear();
      },
      relay: panel.hooks.relay,
    });
    if (!ring) throw new Error("not opened");
    rig.ring = ring;
    panel.hooks.onRing(ring);
    expect(await ring.ring.start()).toEqual([]);
    await ring.ring.stations[2]?.command("elect");
    await until(
      () => rig.tokens().length > 3,
      () => "a token goes round",
      15_000,
    );
    return rig;
  }

  tokens(): FrameRecord[] {
    return this.records.filter(
      (r): r is FrameRecord => isFrameRecord(r) && r.event === "hop" && r.type === "TOK",
    );
  }

  events(event: string, station?: number): StationRecord[] {
    return this.records.filter(
      (r): r is StationRecord =>
        !isFrameRecord(r) && r.event === event && (station === undefined || r.station === station),
    );
  }

  async stop(): Promise<void> {
    await this.ring.ring.stop();
    await this.ring.stop();
  }
}

function benchOf(wiring: "hub" | "wired", options: object, port?: string): Bench {
  const stations = [1, 2, 3].map((id) => ({ id, port: "emulated" }));
  const panel = { ...(port === undefined ? {} : { port }), stations: PANEL };
  return makeBench({ title: "panel", wiring, stations, options, panel }, "/", () => "test");
}

describe.skipIf(!findTool("socat"))("a bench panel on StandardFirmata (skipped without socat)", () => {
  let dir: string;
  let uno: Uno;
  let panel: BenchPanel;
  let handlers: string;
  const said: string[] = [];

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "panel-"));
    uno = await startUno(join(dir, "uno"));
    handlers = processHandlers();
    panel = await BenchPanel.open({
      ...panelOf(benchOf("hub", {}), uno.path),
      say: (text) => said.push(text),
    });
  }, 40_000);

  afterAll(async () => {
    await panel?.close();
    expect(processHandlers()).toBe(handlers);
    await uno?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test("says once which LEDs cannot be dimmed", () => {
    expect(said.splice(0)).toEqual([
      "panel: no PWM at the LED of station 1, 2: the dim light of a coordinator does not show there",
    ]);
  });

  describe("beside a hub whose token rests 60 ms at each station", () => {
    let rig: Rig;

    beforeAll(async () => {
      rig = await Rig.start(panel, "hub", { holdMs: 60, criticalMs: 700 });
    }, 30_000);
    afterAll(() => rig?.stop());

    test("the light walks as the log says, hop by hop", async () => {
      const hops = rig.tokens().length;
      const changes = uno.changes.length;
      await until(
        () => rig.tokens().length >= hops + 20,
        () => "20 hops",
        10_000,
      );
      const walked = rig
        .tokens()
        .slice(hops, hops + 18)
        .map(({ to }) => to);
      await until(
        () => uno.changes.length > changes + 20,
        () => "the lights",
      );
      // Station 3's LED is not at this kind of pin: it is looked at below.
      const lit = uno.changes
        .slice(changes)
        .filter(({ pin, level }) => level === 1 && (pin === 2 || pin === 4))
        .map(({ pin }) => (pin === 2 ? 1 : 2));
      const expected = walked.filter((id) => id !== 3);
      // The first change may belong to the hop before.
      const from = lit[0] === expected[0] ? 0 : 1;
      expect(lit.slice(from, from + 10)).toEqual(expected.slice(0, 10));
      expect(expected.length).toBeGreaterThanOrEqual(10);
    });

    test("the coordinator's light is dim while the token is elsewhere", async () => {
      expect(rig.events("coordinator").at(-1)?.fields.coordinator).toBe(3);
      const seen = new Set<number>();
      await until(
        () => seen.add(uno.pwm).has(12) && seen.has(-1),
        () => `pulses of ${[...seen]}`,
      );
    });

    test("a press asks for the critical section, and the light blinks inside", async () => {
      const changes = uno.changes.length;
      await uno.press(PANEL[2].button, PRESS_MS);
      await until(
        () => rig.events("enter", 2).length === 1,
        () => "station 2 enters",
        6000,
      );
      await until(
        () => rig.events("exit", 2).length === 1,
        () => "station 2 exits",
        6000,
      );
      expect(rig.events("request").map(({ station }) => station)).toEqual([2]);
      const blinks = uno.changes.slice(changes).filter(({ pin, level }) => pin === 4 && level === 1);
      // 700 ms of 120 ms each, on and off.
      expect(blinks.length).toBeGreaterThanOrEqual(3);
    });

    test("a hold starts an election", async () => {
      const before = rig.events("elect", 1).length;
      await uno.press(PANEL[1].button, 1100);
      await until(
        () => rig.events("elect", 1).length > before,
        () => "station 1 elects",
      );
      expect(rig.events("elect", 1).at(-1)?.fields.cause).toBe("asked");
      expect(rig.events("request", 1)).toEqual([]);
    });
  });

  describe("as the MAU of a wired ring", () => {
    let rig: Rig;
    let bound: number;

    beforeAll(async () => {
      rig = await Rig.start(panel, "wired", {});
      const { plan } = rig.ring;
      // With relays a wired ring recovers as a hub does.
      bound = boundOf({ ...plan, wiring: "hub", limits: limitsOf(plan) }, "coordinator crash").ms;
    }, 30_000);
    afterAll(() => rig?.stop());

    /** Records of the ring's recovery since `from`: a coordinator that all have heard of, and tokens. */
    const recovered = (from: number, ids: number[], coordinator: number) =>
      until(
        () => {
          const late = rig.records.slice(from);
          const agreed = ids.every((id) =>
            late.some(
              (r) =>
                !isFrameRecord(r) &&
                r.event === "coordinator" &&
                r.station === id &&
                r.fields.coordinator === coordinator,
            ),
          );
          const passed = (to: number) =>
            late.some((r) => isFrameRecord(r) && r.type === "TOK" && r.to === to);
          return agreed && ids.every(passed);
        },
        () => `stations ${ids} recover with coordinator ${coordinator}`,
        15_000,
      );

    test("the relay of a crashed board opens and the ring heals within the bound", async () => {
      const from = rig.records.length;
      await uno.press(PANEL[3].button, PRESS_MS);
      await new Promise((resolve) => setTimeout(resolve, 120));
      await uno.press(PANEL[3].button, PRESS_MS);
      await until(
        () => rig.events("crash", 3).length === 1,
        () => "station 3 crashes",
      );
      await until(
        () => uno.level(PANEL[3].relay) === 1,
        () => "the relay opens",
      );
      expect(rig.events("bypass", 3).map(({ fields }) => fields.cause)).toEqual(["closed"]);
      await recovered(from, [1, 2], 2);
      const crash = rig.events("crash", 3)[0]?.t ?? 0;
      const healed = rig.events("coordinator", 1).at(-1)?.t ?? 0;
      expect((healed - crash) / 1000).toBeLessThan(bound);
    });

    test("revived by a double press it is back in the ring, and coordinator again", async () => {
      const from = rig.records.length;
      await uno.press(PANEL[3].button, PRESS_MS);
      await new Promise((resolve) => setTimeout(resolve, 120));
      await uno.press(PANEL[3].button, PRESS_MS);
      await until(
        () => rig.events("insert", 3).length === 1,
        () => "station 3 is inserted",
        10_000,
      );
      await until(
        () => uno.level(PANEL[3].relay) === 0,
        () => "the relay closes",
      );
      await recovered(from, [1, 2, 3], 3);
    });

    test("a beacon bypasses the station before it, whose console is well", async () => {
      const hops = () => rig.tokens().filter(({ to }) => to === 3).length;
      rig.ring.wires?.cut(1);
      await until(
        () => rig.events("bypass", 2).length === 1,
        () => "station 2 is bypassed",
        10_000,
      );
      expect(rig.events("beacon").map(({ station }) => station)).toEqual([3]);
      expect(rig.events("bypass", 2)[0]?.fields.cause).toBe("beacon");
      await until(
        () => uno.level(PANEL[2].relay) === 1,
        () => "its relay opens",
      );
      const before = hops();
      await until(
        () => hops() > before + 10,
        () => "the token passes station 3",
        10_000,
      );
      // It answers each second, and yet it stays out.
      await new Promise((resolve) => setTimeout(resolve, 1200));
      expect(rig.events("insert", 2)).toEqual([]);
      rig.ring.wires?.mend(1);
      const entries = rig.events("enter", 2).length;
      await uno.press(PANEL[2].button, PRESS_MS);
      await until(
        () => rig.events("insert", 2).length === 1,
        () => "a press puts it back",
      );
      await until(
        () => rig.events("enter", 2).length > entries,
        () => "it enters",
        10_000,
      );
    });

    test("unplugged it says so, and the ring goes on", async () => {
      await uno.unplug();
      await until(
        () => said.length > 0,
        () => "a word",
      );
      const words = said.splice(0).join("|");
      expect(words).toMatch(/^panel: \S*uno is gone \([^|]*\): the ring goes on without it$/);
      await until(
        () => rig.events("console", HOST).length > 0,
        () => "it is in the records too",
      );
      expect(rig.events("console", HOST).map(({ fields }) => fields.text)).toEqual([words]);
      const before = rig.tokens().length;
      await until(
        () => rig.tokens().length > before + 30,
        () => "30 hops",
      );
      // No relay opens without a panel.
      rig.ring.ring.bypass(0, "asked");
      expect(rig.events("bypass", 1)).toEqual([]);
    });

    test("plugged in again it shows the ring", async () => {
      await uno.plug();
      await until(
        () => said.length > 0,
        () => "a word",
        15_000,
      );
      expect(said).toEqual(["panel: it is back"]);
      await until(
        () => rig.events("console", HOST).length > 1,
        () => "it is in the records too",
      );
      expect(rig.events("console", HOST).at(-1)?.fields.text).toBe("panel: it is back");
      const changes = uno.changes.length;
      await until(
        () => uno.changes.length > changes + 5,
        () => "the lights walk",
      );
    });
  });

  test("a port that is not there, one without Firmata, and a pin that is none give one error each", async () => {
    const events = { lost() {}, button() {} };
    const pins = new Map([[1, { led: 2 }]]);
    await expect(openFirmata(join(dir, "none"), pins, events)).rejects.toThrow(/^[^\n]*none: [^\n]*$/);
    const silent = await openTty(join(dir, "silent"));
    await expect(openFirmata(silent.path, pins, events, { readyMs: 300 })).rejects.toThrow(
      /silent: no Firmata answers: flash StandardFirmata \(Arduino IDE: File, Examples, Firmata\), which speaks 57600 baud$/,
    );
    await silent.close();
    expect(() => panelOf({ ...benchOf("hub", {}), panel: undefined } as Bench)).toThrow(
      "the bench has no panel",
    );
    expect(() => panelOf(benchOf("hub", {}))).toThrow("no port for the panel: give --port");
  });
});

test("the command with a wrong port ends with one line and code 2", async () => {
  const dir = mkdtempSync(join(tmpdir(), "panel-"));
  const file = join(dir, "bench.json");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(
    file,
    JSON.stringify({
      title: "t",
      stations: [{ id: 1, port: "emulated" }],
      panel: { stations: { 1: { led: 2 } } },
    }),
  );
  const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--import", "tsx", main, "panel", "--port", join(dir, "none"), file],
    {
      timeout: 15_000,
    },
  );
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      text += data;
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  rmSync(dir, { recursive: true, force: true });
  expect(text).toMatch(/^ringlab: \S*none: [^\n]*\n$/);
  expect(code).toBe(2);
});
