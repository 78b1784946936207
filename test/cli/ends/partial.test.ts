/** What was interrupted says that it is a part, and ends with 130. The signals are sent to this process itself. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ringlab } from "../ringlab.ts";

const dir = mkdtempSync(join(tmpdir(), "ringlab-partial-"));
const log = join(dir, "run.ndjson");

beforeAll(async () => {
  await ringlab("run", "--stations", "3", "--duration", "10m", "--log", log, "--json");
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true }));

/** Interrupts a command as soon as it listens. */
async function interrupted(...args: string[]) {
  const before = process.listenerCount("SIGTERM");
  const look = setInterval(() => {
    if (process.listenerCount("SIGTERM") === before) return;
    clearInterval(look);
    process.emit("SIGTERM", "SIGTERM");
  }, 1);
  try {
    return await ringlab(...args);
  } finally {
    clearInterval(look);
    expect(process.listenerCount("SIGTERM")).toBe(before);
  }
}

test("replay", async () => {
  const { code, stdout, stderr } = await interrupted("replay", log);
  expect([code, stderr]).toEqual([130, "ringlab: SIGTERM: ending; once more ends at once\n"]);
  expect(stdout).toMatch(/: PARTIAL: interrupted after \d+ records, the same so far\n$/);
  const { code: jsonCode, stdout: json } = await interrupted("replay", log, "--json");
  expect([jsonCode, JSON.parse(json)]).toMatchObject([130, { partial: true, difference: null }]);
});

test("discover, whose ports do not answer", async () => {
  const { code, stdout } = await interrupted("discover", "--ports", "/dev/ptmx", "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([130, { partial: true, order: null, heard: [] }]);
});

test("export, compare-capture and bench, which leave nothing", async () => {
  const out = join(dir, "run.vcd");
  expect(await interrupted("export", log, "--to", "vcd", "--out", out)).toMatchObject({
    code: 130,
    stdout: "",
  });
  expect(await interrupted("bench", "--stations", "4")).toMatchObject({ code: 130, stdout: "" });
});
