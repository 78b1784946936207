/**
 * Stories are ready scripts that `run NAME` tells. What a lease and a fence are for: C. Gray and D. Cheriton, "Leases",
 * SOSP 1989; M. Kleppmann, "How to do distributed locking", 2016 (a client that pauses beyond its lease).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readyBenches } from "../../src/bench-file/load-bench.ts";
import { planOf } from "../../src/cli/options.ts";
import { readScript, stories, underCommandLine } from "../../src/cli/script-file.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import type { StationRecord } from "../../src/log/records.ts";
import { isFrameRecord } from "../../src/log/records.ts";
import { schedule } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";
import { json, ringlab } from "./ringlab.ts";

const folder = mkdtempSync(join(tmpdir(), "ringlab-stories-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Lines of a run as `station what`, without their times. */
const events = (stdout: string) =>
  [...stdout.matchAll(/^ +\d+\.\d{6} {2}(.*?) +(.*)$/gm)].map((m) => `${m[1]} ${m[2]}`);

/** Asserts that lines that match come in this order, others between them. */
function expectInOrder(lines: string[], wanted: RegExp[]): void {
  let at = 0;
  for (const words of wanted) {
    const found = lines.findIndex((line, i) => i >= at && words.test(line));
    expect(found, `${words} behind ${lines[at - 1] ?? "the start"}`).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
}

test("lease: a holder that pauses beyond its lease is given up, and its late write is refused by its fence", async () => {
  const { code, stdout, stderr } = await ringlab("run", "lease");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("# A lease that runs out.\n");
  const lines = events(stdout);
  expectInOrder(lines, [
    /^1 enters, epoch \d+ grant 1$/,
    /^1 opens the resource, epoch \d+ grant 1$/,
    /^1 fault: pause \(2s\)$/,
    /^3 finds the token lost, epoch \d+ \(lease\)$/,
    /^3 makes a new token, epoch \d+$/,
    /^2 enters, epoch \d+ grant 1$/,
    /^2 has its write accepted by the resource, epoch \d+ grant 1 \(it has seen epoch \d+ grant 1\)$/,
    /^1 fault: resume$/,
    /^1 has its write REFUSED by the resource, epoch \d+ grant 1 \(it has seen epoch \d+ grant 1\)$/,
  ]);
  const fences = lines
    .find((line) => line.includes("REFUSED"))
    ?.match(/\d+/g)
    ?.map(Number) as number[];
  expect(fences[3]).toBeGreaterThan(fences[1] as number);
  expect(stdout).toMatch(/^writes accepted, refused +1, 1$/m);
});

test("lease, as an object and as a log: the same events by name", async () => {
  const log = join(folder, "lease.ndjson");
  expect(await json("run", "lease", "--log", log)).toMatchObject({
    stations: 3,
    violations: 0,
    writes: { accepted: 1, refused: 1 },
    events: { lost: 1, enter: 2, exit: 2, write: 4 },
  });
  const { records } = (await json("log", log, "--event", "lost,regenerated,write,fault", "--from", "3s")) as {
    records: { event: string; [field: string]: unknown }[];
  };
  expect(records.map(({ event, cause, verdict, kind }) => [event, cause ?? verdict ?? kind])).toEqual([
    ["write", "opened"],
    ["fault", "pause"],
    ["lost", "lease"],
    ["regenerated", undefined],
    ["write", "opened"],
    ["write", "accepted"],
    ["fault", "resume"],
    ["write", "refused"],
  ]);
  expect((await ringlab("replay", log)).code).toBe(0);
});

/** The events of a story, run in this process, as `station event cause`. */
function told(name: string, seed: number): string[] {
  const { options, actions } = readScript(stories().get(name) as string);
  const columns = new RecordColumns();
  const sim = new Simulation({ ...planOf(options), seed }, columns);
  sim.bootAll();
  schedule(sim, actions);
  sim.runUntil(Number.parseInt(options.duration as string, 10) * 1e6);
  return Array.from({ length: columns.length }, (_, i) => columns.get(i))
    .filter((record): record is StationRecord => !isFrameRecord(record) && record.t > 2_800_000)
    .map(({ event, station, fields }) =>
      [station, event, fields.cause ?? fields.verdict ?? fields.kind ?? fields.coordinator]
        .filter((word) => word !== undefined)
        .join(" "),
    );
}

const TOLD: { [story: string]: RegExp[] } = {
  "coordinator-crash": [
    /^5 enter/,
    /^5 crash/,
    /^\d elect silence/,
    /^4 coordinator 4/,
    /^4 lost probe/,
    /^4 regenerated/,
    /^2 enter/,
    /^5 restart/,
    /^5 elect preempt/,
    /^4 stepdown election/,
    /^3 enter/,
  ],
  "late-token": [
    /^1 enter/,
    /^1 fault pause/,
    /^1 bypass silent/,
    /^3 lost probe/,
    /^3 regenerated/,
    /^2 enter/,
    /^2 write accepted/,
    /^1 fault resume/,
    /^1 write refused/,
    /^\d stale/,
  ],
  lease: [/^1 fault pause/, /^3 lost lease/, /^2 write accepted/, /^1 write refused/],
  "lost-token": [/^4 request/, /^5 lost probe/, /^5 regenerated/, /^4 enter/, /^1 enter/, /^1 exit/],
  partition: [
    /^1 enter/,
    /^-1 fault partition/,
    /^5 lost/,
    /^5 regenerated/,
    /^3 coordinator 3/,
    /^4 write opened/,
    /^1 write refused/,
    /^-1 fault heal/,
    /^3 stepdown id/,
    /^1 write accepted/,
  ],
};

test("every story has its test, and its name is not that of a bench", () => {
  expect([...stories().keys()]).toEqual(Object.keys(TOLD));
  expect([...stories().keys()].filter((name) => readyBenches().has(name))).toEqual([]);
});

test.each(Object.entries(TOLD))("%s goes as it is told, with other seeds too", (name, wanted) => {
  for (const seed of [1, 2, 3, 4, 5]) expectInOrder(told(name, seed), wanted);
});

test("lost-token: nothing is taken for lost but what was lost", () => {
  expect(told("lost-token", 1).filter((event) => event.includes("lost"))).toHaveLength(1);
});

describe("a script's own options", () => {
  test("run from the file alone, as the script that check writes does", async () => {
    const path = file(
      "small.txt",
      "# ringlab run --ids 4,7 --duration 3s --script FILE\r\n# words\r\n\r\n2s crash 7\r\n",
    );
    expect(await json("run", "--script", path)).toMatchObject({ stations: 2, events: { crash: 1 } });
  });

  test("give way to the command line, which says the ids in either way", () => {
    const script = { stations: 3, lease: "1s", limit: ["announce=400"] };
    expect(underCommandLine(script, { ids: [4, 7], lease: "2s", limit: ["announce=500"] })).toEqual({
      ids: [4, 7],
      lease: "2s",
      limit: ["announce=400", "announce=500"],
    });
    expect(underCommandLine(script, {})).toEqual(script);
  });

  test.each([
    ["# ringlab run --log x\n", "small.txt:1: a script can only ask for"],
    ["# words\n# ringlab run --stations 3 4\n", "small.txt:2: a script can only ask for"],
    ["# ringlab run --stations none\n", "small.txt:1: --stations must be a whole number"],
    ["# words\n\n2s explode 3\n", 'small.txt:3: "explode"'],
  ])("%j is refused with its place", (text, words) => {
    const path = file("small.txt", text);
    expect(() => readScript(path)).toThrow(words);
  });
});

test("the stories are in the help of run, with what they are about", async () => {
  const { stdout } = await ringlab("run", "--help");
  for (const name of stories().keys()) expect(stdout).toMatch(new RegExp(`^ {2}${name} +[A-Z].*\\.$`, "m"));
});

test.each([
  [["run", "leese"], '"leese" does not exist: did you mean "lease"?'],
  [["run", "emulated5"], '"emulated5" does not exist: did you mean "emulated-5"?'],
  [["run", "nothing-like-it"], "of a story (coordinator-crash, late-token, lease, lost-token, partition)"],
  [
    ["run", "lease", "--script", "x"],
    "lease is a story of its own: leave out --ports, --broker and --script",
  ],
  [["run", "lease", "--ports", "x"], "lease is a story of its own: leave out --ports, --broker and --script"],
  [["panel", "lease"], 'bench file "lease" does not exist'],
])("ringlab %j is one clear line", async (args, words) => {
  const { code, stdout, stderr } = await ringlab(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(words);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});
