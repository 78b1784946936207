/** What a damaged line does to the console of the real interpreter: the call is said once more, and done once. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emulatedFirmware } from "../../../src/host/bench/emulated-board.ts";
import { BoardStation } from "../../../src/host/ring/board-station.ts";
import { DEFAULT_PLAN, settingsOf } from "../../../src/simulation/plan.ts";
import { damagedWire, loseOne, type Wire } from "../damaged-ring.ts";

const ESPRUINO = process.env.ESPRUINO;

describe.skipIf(!ESPRUINO)("the interpreter (skipped without ESPRUINO)", () => {
  const binary = ESPRUINO as string;
  const records: string[] = [];
  let wire: Wire;
  let station: BoardStation;
  let end = async () => {};

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringlab-test-"));
    writeFileSync(join(folder, "boot.js"), await emulatedFirmware());
    writeFileSync(join(folder, "install.js"), 'E.setBootCode(require("fs").readFileSync("boot.js"));quit()');
    spawnSync(binary, ["install.js"], { cwd: folder, timeout: 10_000 });
    const board = spawn(binary, [], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
    const made = damagedWire("interpreter");
    wire = made.wire;
    board.stdout.on("data", (bytes: Buffer) => made.console.write(bytes));
    made.console.onData((bytes) => board.stdin.write(bytes));
    station = new BoardStation(1, "interpreter", () => made.link);
    end = async () => {
      await station.stop();
      board.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    };
    expect(await station.connect()).toBeNull();
    station.events = { ...station.events, record: (event, args) => records.push([event, ...args].join()) };
    const settings = settingsOf({ ...DEFAULT_PLAN, ids: [1], criticalMs: 20 });
    expect(await station.start({ id: 1, wiring: "hub", settings })).toBe(true);
  }, 30_000);

  afterAll(() => end());

  test.each([
    ["the escape before it", 0],
    ["the point", 8],
    ["a letter of the name", 10],
    ["the opening bracket", 16],
    ["a digit of the number", 17],
    ["the closing bracket", -2],
    ["the newline", -1],
  ])("a call that loses %s", async (_, at) => {
    const before = records.length;
    const loss = loseOne(/\x10station\.release\(\d+\)\n/, at);
    wire.toBoard = loss.damage;
    expect(await station.command("release")).toBe(true);
    expect(loss.done()).toBe(true);
    // What the call made the board say comes before the next answer.
    await station.attach(0);
    expect(records.slice(before).filter((record) => record === "refused,outside")).toHaveLength(1);
  });

  test.each([
    ["its head", 0],
    ["a digit", -8],
    ["its check", -3],
    ["its newline", -1],
  ])("an answer that loses %s", async (_, at) => {
    const before = records.length;
    const loss = loseOne(/@\d+,ack,\d+\*\w+\r\n/, at);
    wire.toHost = loss.damage;
    expect(await station.command("release")).toBe(true);
    expect(loss.done()).toBe(true);
    // What the call made the board say comes before the next answer.
    await station.attach(0);
    expect(records.slice(before).filter((record) => record === "refused,outside")).toHaveLength(1);
  });
});
