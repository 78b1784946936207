import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeBench } from "../../../src/bench-file/load-bench.ts";
import { planOfBench } from "../../../src/host/bench/bench-ring.ts";
import { emulateTtys } from "../../../src/host/bench/emulated-ttys.ts";
import { speedsOf } from "../../../src/host/bench/line-speed.ts";
import { limitsOf } from "../../../src/simulation/plan.ts";
import { toolTest } from "../../tools.ts";
import { benchOf, TestRing } from "../rings.ts";

/** @param boards profiles in ring order */
function benchWith(boards: readonly string[], changes: object = {}, ports?: readonly string[]) {
  const stations = boards.map((board, i) => ({ id: i + 1, board, port: ports?.[i] ?? `/dev/tty${i}` }));
  return makeBench({ title: "a test", stations, ...changes }, process.cwd(), () => "test");
}

test.each([
  [["mdbt42q", "mdbt42q"], {}, [9600, 9600], 9600],
  [["esp8266", "puck-js", "raspberry-pi-pico"], {}, [115_200, 9600, 115_200], 9600],
  [["mdbt42q", "raspberry-pi-pico"], { baud: 57_600 }, [57_600, 57_600], 57_600],
  [["raspberry-pi-pico", "raspberry-pi-pico"], {}, [115_200, 115_200], 115_200],
  [["nucleo-f401re", "espruino-pico"], { wiring: "wired" }, [9600, 115_200], 115_200],
  [["nucleo-f401re", "espruino-pico"], { wiring: "wired", baud: 19_200 }, [9600, 115_200], 19_200],
])(
  "the consoles of %j with %j are opened at %j, and the ring runs at %i baud",
  (boards, changes, consoles, ring) => {
    const bench = benchWith(boards, changes);
    expect(speedsOf(bench)).toMatchObject({ consoles, ring });
    expect(planOfBench(bench, 1).baud).toBe(ring);
  },
);

test("a console at 9600 baud makes the limits of its ring longer, wired or not", () => {
  const rotation = (board: string, changes: object) =>
    limitsOf(planOfBench(benchWith([board, board], changes), 1)).rotation;
  // 46 bytes twice, and what stands around them, at 960 bytes a second.
  expect(rotation("nucleo-f401re", {})).toBeGreaterThan(2 * 160);
  expect(rotation("espruino-pico", {})).toBeLessThan(2 * 30);
  // The frames go over UARTs at 115200, but each is told on the console.
  expect(rotation("nucleo-f401re", { wiring: "wired" })).toBeGreaterThan(2 * 66);
  expect(rotation("espruino-pico", { wiring: "wired" })).toBeLessThan(2 * 15);
});

toolTest(["socat", "stty"])("a port is opened at the speed of the board's console", async () => {
  const dir = mkdtempSync(join(tmpdir(), "ringlab-test-"));
  const ttys = await emulateTtys({ stations: 2, dir });
  onTestFinished(async () => {
    await ttys.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  const ring = await TestRing.start(benchWith(["mdbt42q", "esp8266"], {}, ttys.paths));
  onTestFinished(() => ring.stop());
  const speeds = ttys.paths.map((path) =>
    Number(execFileSync("stty", ["-F", realpathSync(path), "speed"], { encoding: "utf8" })),
  );
  expect(speeds).toEqual([9600, 115_200]);
});

test("a frame of a wired ring takes the time of its bytes at the speed of the ring", async () => {
  const bench = { ...benchOf(["emulated", "emulated"], { wiring: "wired" }), baud: 9600 };
  const ring = await TestRing.start(bench);
  onTestFinished(() => ring.stop());
  await ring.until("a frame comes", () => ring.hops() > 0);
  for (const record of ring.records) {
    // The shortest frame has 20 characters, of 1042 microseconds each.
    if (record.event === "hop" && "took" in record) expect(record.took).toBeGreaterThan(20_000);
  }
});
