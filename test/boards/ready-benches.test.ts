import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadBench, readyBenches } from "../../src/bench-file/load-bench.ts";
import { UsageError } from "../../src/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "ringlab-ready-"));
afterAll(() => rmSync(folder, { recursive: true }));

function messageOf(path: string): string {
  try {
    loadBench(path);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "taken";
}

describe("the ready benches", () => {
  test("are taken, and go round in one ring", () => {
    const rings = [...readyBenches()].map(([name, file]) => {
      const { wiring, election, stations } = loadBench(file);
      return [name, wiring, election, stations.map(({ board, port, successor }) => [board, port, successor])];
    });
    expect(rings).toEqual([
      ["emulated-5", "hub", "bully", [2, 3, 4, 5, 1].map((successor) => ["emulated", "emulated", successor])],
      [
        "mixed",
        "hub",
        "bully",
        [
          ["espruino-pico", "/dev/ttyACM0", 2],
          ["emulated", "simulated", 3],
          ["raspberry-pi-pico", "/dev/ttyACM1", 4],
          ["emulated", "simulated", 1],
        ],
      ],
      [
        "three-picos-hub",
        "hub",
        "bully",
        [2, 3, 1].map((successor, index) => ["raspberry-pi-pico", `/dev/ttyACM${index}`, successor]),
      ],
      [
        "three-picos-wired",
        "wired",
        "ring",
        [2, 3, 1].map((successor, index) => ["raspberry-pi-pico", `/dev/ttyACM${index}`, successor]),
      ],
    ]);
  });
});

describe("the name of a ready bench", () => {
  test("stands for its file, unless there is a file of that name", () => {
    expect(loadBench("mixed").title).toBe("Two boards and two simulated stations on one hub");
    const cwd = process.cwd();
    writeFileSync(
      join(folder, "mixed"),
      JSON.stringify({ title: "t", stations: [{ id: 1, port: "simulated" }] }),
    );
    process.chdir(folder);
    try {
      expect(loadBench("mixed").title).toBe("t");
    } finally {
      process.chdir(cwd);
    }
  });

  test("is offered where there is no such file", () => {
    expect(messageOf("mixd")).toBe(
      'bench file "mixd" does not exist: give its path, or the name of a ready bench: ' +
        "emulated-5, mixed, three-picos-hub, three-picos-wired",
    );
    expect(messageOf("toString")).toContain('bench file "toString" does not exist');
  });
});
