import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UsageError } from "../../src/errors.ts";
import { recheck, repeat } from "../../src/host/replay/replay.ts";
import { NdjsonReader } from "../../src/log/file/ndjson-reader.ts";
import { json, ringlab } from "../cli/ringlab.ts";

const again = (path: string) => repeat(new NdjsonReader(path));

let folder = "";
let log = "";
let lines: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ringlab-replay-"));
  log = join(folder, "ring.ndjson");
  const script = [
    "3s request all",
    "4s crash 5",
    "5s send 1 3 two words",
    "6s noise 2 20 1s",
    "7s restart 5",
  ];
  const at = script.flatMap((line) => ["--at", line]);
  await ringlab("run", "--stations", "5", "--duration", "9s", "--lease", "2s", ...at, "--log", log, "--json");
  lines = readFileSync(log, "utf8").trimEnd().split("\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file that differs from the log. @returns its path */
function changed(change: (lines: string[]) => string[] | string): string {
  const path = join(folder, "changed.ndjson");
  const text = change([...lines]);
  writeFileSync(path, typeof text === "string" ? text : `${text.join("\n")}\n`);
  return path;
}

/** Line of the first record, from 0, that is like this. */
function lineOf(...parts: string[]): number {
  const at = lines.findIndex((line) => parts.every((part) => line.includes(part)));
  expect(at).toBeGreaterThan(0);
  return at;
}

/** The header as that of boards. */
const asBoards = ([header = "", ...rest]: string[]) => [
  header.replace('"kind":"simulation"', '"kind":"boards"'),
  ...rest,
];

describe("a recorded simulation", () => {
  test("gives the same records again", async () => {
    expect(await json("replay", log)).toEqual({
      kind: "simulation",
      partial: false,
      same: lines.length - 2,
      difference: null,
      verdict: "done",
      warnings: [],
    });
  });

  test("with a changed record: the first one is named, with both lines", async () => {
    const at = lineOf('"type":"TOK"', '"t":3');
    const path = changed((all) => all.with(at, (all[at] as string).replace('"type":"TOK"', '"type":"TIK"')));
    const { code, stdout } = await ringlab("replay", path);
    expect(code).toBe(1);
    expect(stdout).toContain(`${at - 1} records are the same, record ${at - 1} is not`);
    expect(stdout).toMatch(/in the file .* TIK /);
    expect(stdout).toMatch(/repeated .* TOK /);
  });

  test("with a record that is changed where its words do not show it: both are shown whole", async () => {
    const at = lineOf('"type":"TOK"', '"took":');
    const path = changed((all) => all.with(at, (all[at] as string).replace('"took":', '"took":1')));
    const { difference } = await again(path);
    expect(difference?.seq).toBe(at - 1);
    const [recorded, repeated] = [difference?.recorded, difference?.repeated].map((line) =>
      JSON.parse(line ?? ""),
    );
    expect(recorded).not.toEqual(repeated);
    expect({ ...recorded, took: repeated.took }).toEqual(repeated);
  });

  test("without one of its records: that one is named", async () => {
    const path = changed((all) => all.toSpliced(100, 1));
    const { difference } = await again(path);
    expect(difference).toMatchObject({ seq: 99, recorded: null });
  });

  test("with another seed in its plan is another run", async () => {
    const path = changed((all) => all.with(0, (all[0] as string).replaceAll('"seed":1', '"seed":2')));
    expect((await again(path)).difference).not.toBeNull();
  });

  test("that was cut is repeated as far as it goes, and said to be cut", async () => {
    const half = changed((all) => all.join("\n").slice(0, 20_000));
    const { code, stdout, stderr } = await ringlab("replay", half);
    expect(code).toBe(0);
    expect(stdout).toContain("the same in the repetition");
    expect(stderr).toContain("is cut");
    const whole = changed((all) => all.slice(0, 60));
    expect(await again(whole)).toMatchObject({ same: 59, difference: null });
  });

  test("whose last line says that it is whole, and which lacks records, differs", async () => {
    const path = changed((all) => [...all.slice(0, 60), all.at(-1) as string]);
    const { difference } = await again(path);
    expect(difference).toMatchObject({ seq: 59, recorded: null });
  });
});

describe("a log of boards", () => {
  test("holds every invariant that does not rest on the order of events", async () => {
    expect(await recheck(new NdjsonReader(changed(asBoards)))).toMatchObject({
      records: lines.length - 2,
      violation: null,
    });
  });

  test("with two stations inside in one epoch is refused, with the records before", async () => {
    const at = lineOf('"event":"enter"');
    const entry = JSON.parse(lines[at] as string) as { seq: number; station: number };
    const other = { ...entry, station: entry.station === 1 ? 2 : 1 };
    const path = changed((all) =>
      asBoards(
        all
          .toSpliced(at + 1, 0, JSON.stringify(other))
          .map((line, i) =>
            i > at && i <= lines.length - 1 ? line.replace(/^\{"seq":\d+/, `{"seq":${i - 1}`) : line,
          ),
      ),
    );
    const { code, stdout } = await ringlab("replay", path);
    expect(code).toBe(1);
    expect(stdout).toContain("exclusion does not hold");
    expect(stdout).toContain(`record ${at}`);
    expect(stdout.trimEnd().split("\n").length).toBeLessThan(30);
  });
});

describe("a plan that cannot be used is bad input", () => {
  test.each<[string, (all: string[]) => string[], string]>([
    [
      "a log without a plan",
      (all) => all.with(0, (all[0] as string).replace('"plan":{"plan"', '"x":{"plan"')),
      "has no plan",
    ],
    [
      "a plan with a wrong wiring",
      (all) => all.with(0, (all[0] as string).replaceAll('"wiring":"hub"', '"wiring":"x"')),
      "wiring",
    ],
    [
      "a plan with a reserved id",
      (all) => all.with(0, (all[0] as string).replaceAll('"ids":[1,', '"ids":[252,')),
      "no id of a station",
    ],
    [
      "a plan with an id twice",
      (all) => all.with(0, (all[0] as string).replaceAll('"ids":[1,', '"ids":[2,')),
      "an id is there twice",
    ],
    [
      "a limit longer than any run",
      (all) => all.with(0, (all[0] as string).replace('"limits":{}', '"limits":{"token":1e300}')),
      "limits.token",
    ],
    [
      "a script with an unknown verb",
      (all) => all.with(0, (all[0] as string).replace('"verb":"crash"', '"verb":"explode"')),
      '"explode"',
    ],
    [
      "a script with an unknown station",
      (all) => all.with(0, (all[0] as string).replace('"args":["5"]', '"args":["9"]')),
      '"9"',
    ],
  ])("%s", async (_name, change, words) => {
    const outcome = again(changed(change));
    await expect(outcome).rejects.toThrow(UsageError);
    await expect(outcome).rejects.toThrow(words);
  });

  test("in a log that replay does not take, it is one line and exit code 2", async () => {
    const passive = changed((all) =>
      all.with(0, (all[0] as string).replace('"kind":"simulation"', '"kind":"watch"')),
    );
    const { code, stdout, stderr } = await ringlab("replay", passive);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain('of kind "watch"');
  });
});
