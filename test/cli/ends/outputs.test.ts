/** One guard stands before every output of every command. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ringlab } from "../ringlab.ts";

const dir = mkdtempSync(join(tmpdir(), "ringlab-outputs-"));
const at = (name: string) => join(dir, name);
const RUN = ["run", "--stations", "3", "--duration", "2s"];

beforeAll(async () => {
  await ringlab(...RUN, "--log", at("run.ndjson"), "--json");
  writeFileSync(at("thesis.docx"), "PK two years of work");
  writeFileSync(at("script.txt"), "1s crash 3\n");
  writeFileSync(at("table.csv"), "name,mark\n");
  symlinkSync(at("thesis.docx"), at("link.svg"));
  execFileSync("mkfifo", [at("pipe")]);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true }));

describe("an output is refused in one line, and nothing is touched,", () => {
  const cases: [why: string, args: string[], says: string, safe: string][] = [
    ["another kind of file", [...RUN, "--log", at("thesis.docx")], "is no run", "thesis.docx"],
    ["another kind of file", [...RUN, "--pcapng", at("thesis.docx")], "is no capture", "thesis.docx"],
    [
      "another kind of file",
      ["compare", "--stations", "4", "--svg", at("thesis.docx")],
      "is no svg",
      "thesis.docx",
    ],
    ["a link to one", ["compare", "--stations", "4", "--svg", at("link.svg")], "is no svg", "thesis.docx"],
    [
      "another table",
      ["export", at("run.ndjson"), "--to", "csv", "--out", at("table.csv")],
      "is no csv",
      "table.csv",
    ],
    [
      "the run itself",
      ["export", at("run.ndjson"), "--to", "csv", "--out", at("run.ndjson")],
      "the run itself",
      "run.ndjson",
    ],
    [
      "the script",
      [...RUN, "--script", at("script.txt"), "--pcapng", at("script.txt")],
      "is the script",
      "script.txt",
    ],
    ["a port", ["watch", at("pipe"), "--log", at("pipe")], "is the port", "pipe"],
    [
      "one path twice",
      [...RUN, "--log", at("new"), "--pcapng", join(dir, ".", "new")],
      "both name",
      "run.ndjson",
    ],
    ["one pipe twice", [...RUN, "--log", at("pipe"), "--pcapng", at("pipe")], "both name", "pipe"],
  ];
  test.each(cases)("where it is %s: %j", async (_, args, says, safe) => {
    const before = statSync(at(safe)).isFile() ? readFileSync(at(safe)) : null;
    const { code, stdout, stderr } = await ringlab(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(says);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    if (before) expect(readFileSync(at(safe)).equals(before)).toBe(true);
    expect(existsSync(at("new"))).toBe(false);
  });
});

test("a run of the same kind, a picture through a link, and what is empty may be written over", async () => {
  await ringlab("compare", "--stations", "4", "--algorithms", "token-ring", "--svg", at("a.svg"));
  symlinkSync(at("a.svg"), at("b.svg"));
  writeFileSync(at("empty.docx"), "");
  for (const out of ["a.svg", "b.svg", "empty.docx"]) {
    const { code } = await ringlab(
      "compare",
      "--stations",
      "4",
      "--algorithms",
      "token-ring",
      "--svg",
      at(out),
    );
    expect([out, code]).toEqual([out, 0]);
    expect(readFileSync(at(out), "latin1")).toMatch(/^<svg .*<\/svg>\s*$/s);
  }
  expect(lstatSync(at("b.svg")).isSymbolicLink()).toBe(true);
});

test.each([
  ["--log", "/dev/full"],
  ["--pcapng", "/dev/full"],
])("a run whose %s has no room says so in one line and ends with 2", async (option, path) => {
  const { code, stderr } = await ringlab(...RUN, option, path, "--json");
  expect(code).toBe(2);
  expect(stderr).toMatch(/^ringlab: "\/dev\/full": the disk is full[^\n]*\n$/);
});

test("what is no plain file is written to and stays what it is", async () => {
  for (const args of [
    ["compare", "--stations", "4", "--algorithms", "token-ring", "--svg", "/dev/null"],
    ["export", at("run.ndjson"), "--to", "vcd", "--out", "/dev/null"],
    [...RUN, "--log", "/dev/null", "--pcapng", "/dev/null", "--json"],
  ]) {
    expect([args, (await ringlab(...args)).code]).toEqual([args, 0]);
  }
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});
