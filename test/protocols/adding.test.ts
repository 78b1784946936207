/** A mutual exclusion and an election from two files each: every command knows them, and nothing names them but these files. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Said } from "../cli/in-process.ts";
import { bench } from "../emulator/bench.ts";
import { toyFiles } from "./toys.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const files = toyFiles();
const folder = dirname((files[0] as [string, string])[0]);
const log = join(folder, "ring.ndjson");
const small = ["--stations", "4"];

/** What is asked, by name. */
const COMMANDS = {
  mutex: ["mutex", "--algorithm", "polite", "--stations", "5", "--request", "1,2", "--json"],
  dead: ["mutex", "--algorithm", "polite", "--stations", "5", "--request", "1,2", "--down", "4"],
  elect: ["elect", "--algorithm", "roundabout", "--stations", "7", "--down", "7", "--starter", "3", "--json"],
  run: ["run", ...small, "--mutex", "polite", "--duration", "4s", "--at", "3s request all", "--log", log],
  runElection: ["run", ...small, "--election", "roundabout", "--duration", "4s", "--at", "3s elect 2"],
  log: ["log", log, "--event", "XPL,XOK"],
  summary: ["log", log, "--summary"],
  replay: ["replay", log],
  lua: ["export", log, "--to", "lua"],
  csv: ["export", log, "--to", "csv"],
  check: ["check", "--runs", "24", "--exhaustive", "0", "--election", "roundabout", "--json"],
  broken: ["check", "--runs", "24", "--exhaustive", "0", "--mutex", "hasty"],
  polite: ["check", "--runs", "24", "--exhaustive", "0", "--mutex", "polite"],
  compare: ["compare", "--stations", "4,9", "--algorithms", "polite,roundabout,centralised", "--json"],
  compareHelp: ["compare", "--help"],
  unknown: ["mutex", "--algorithm", "rude"],
  bundle: ["bundle", "polite", "roundabout"],
};

type Name = keyof typeof COMMANDS;
let said: { [name in Name]: Said };

beforeAll(() => {
  const args = [JSON.stringify(files), JSON.stringify(Object.values(COMMANDS))];
  const out = execFileSync(process.execPath, ["--import", "tsx", "test/protocols/with-toys.ts", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const answers = JSON.parse(out) as Said[];
  said = Object.fromEntries(Object.keys(COMMANDS).map((name, i) => [name, answers[i]])) as typeof said;
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a toy mutual exclusion and a toy election are found", () => {
  test("by mutex, with its own theory, and who waits for whom where a station is dead", () => {
    expect(said.mutex.code).toBe(0);
    expect(JSON.parse(said.mutex.stdout)).toMatchObject({
      entryOrder: [1, 2],
      messages: { PLEASE: 8, OK: 8, total: 16 },
      textbook: { total: 16, matches: true },
    });
    expect(said.dead.stdout).toContain("station 4 is dead and stations 1 and 2 wait for its OK");
    expect(said.dead.code).toBe(1);
  });

  test("by elect", () => {
    expect(said.elect.code).toBe(0);
    expect(JSON.parse(said.elect.stdout)).toMatchObject({
      coordinator: 6,
      messages: { WHO: 6, COORDINATOR: 6, total: 12 },
      textbook: { total: 12, matches: true },
    });
  });

  test("by run, in whose Bully election an OK of the mutual exclusion is none", () => {
    expect(said.run.stderr).not.toContain("ringlab:");
    expect(said.run.code).toBe(0);
    expect(said.run.stdout).toMatch(/4 +sends OK to 1/);
    expect(said.run.stdout).toMatch(/4 +enters/);
    expect(said.runElection.code).toBe(0);
    expect(said.runElection.stdout).toMatch(/2 +sends WHO to its successor/);
  });

  test("by log, with the names of its frames' fields, and by replay", () => {
    expect(said.log.stdout).toMatch(/XPL 2 to 3 wish 1/);
    expect(said.log.stdout).toMatch(/XOK 1 to 2 granted 1/);
    expect(said.summary.stdout).toContain("ELECTION 6, OK 6, COORDINATOR 3, total 15 ");
    expect(said.replay.code).toBe(0);
  });

  test("by the exports", () => {
    expect(said.lua.code + said.csv.code).toBe(0);
    const lua = readFileSync(join(folder, "ring.lua"), "utf8");
    expect(lua).toContain('XPL = { "wish" }');
    expect(lua).toContain('XEL = { "election", "travellers..." }');
    expect(readFileSync(join(folder, "ring.csv"), "utf8")).toContain("XPL");
  });

  test("by check, in all its processes; what breaks it is found, with the command that repeats it", () => {
    expect(JSON.parse(said.check.stdout)).toMatchObject({ runs: 24, violations: 0 });
    expect(said.check.code).toBe(0);
    expect(said.polite.code).toBe(0);
    expect(said.broken.code).toBe(1);
    expect(said.broken.stdout).toMatch(/check --only \d+ --mutex hasty/);
    expect(said.broken.stdout).toContain("exclusion does not hold");
  });

  test("by compare, in its tables and its list", () => {
    const { perEntry, elections, matches } = JSON.parse(said.compare.stdout);
    const mine = perEntry.filter((row: { algorithm: string }) => row.algorithm === "polite");
    expect(mine).toMatchObject([
      { stations: 4, case: "the first", messages: 6, theory: 6 },
      { stations: 9, case: "the first", messages: 16, theory: 16 },
    ]);
    expect(elections).toHaveLength(5);
    expect(elections[0]).toMatchObject({ algorithm: "roundabout", stations: 6, messages: 10, theory: 10 });
    expect(matches).toBe(true);
    expect(said.compareHelp.stdout).toMatch(/polite +2\(N-1\) an entry\n +a test, 2000/);
  });

  test("in what a wrong name may be", () => {
    expect(said.unknown.code).toBe(2);
    expect(said.unknown.stderr).toMatch(/"rude" is no mutual exclusion: use one of .*raymond, polite/);
  });

  test("in the boot code of a board, without what only the host asks", () => {
    const code = said.bundle.stdout;
    expect(code).toContain("XPL");
    expect(code).toContain("XEL");
    expect(code).not.toMatch(/wish|granted|travellers|traits|fields/);
    const { ask } = bench({ code });
    expect(ask("\x10echo(0)\n\x10station.info(7)\n")).toContain('"console":');
  });
});
