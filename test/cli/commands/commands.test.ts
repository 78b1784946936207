import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERBS } from "../../../src/simulation/script/script.ts";
import { json, ringlab, start } from "../ringlab.ts";

const folder = mkdtempSync(join(tmpdir(), "ringlab-cli-"));

test("elect prints the textbook's 21 messages of a Bully election among seven, the highest dead, third noticing", async () => {
  expect(
    await json("elect", "--algorithm", "bully", "--stations", "7", "--down", "7", "--starter", "3"),
  ).toMatchObject({
    algorithm: "bully",
    stations: 7,
    down: [7],
    starters: [3],
    coordinator: 6,
    agreed: true,
    messages: { ELECTION: 10, OK: 6, COORDINATOR: 5, total: 21 },
    textbook: { total: 21, matches: true },
  });
});

test("elect carries both lists of concurrent Ring elections to one coordinator", async () => {
  expect(
    await json("elect", "--algorithm", "ring", "--ids", "0-7", "--down", "7", "--starter", "2,5"),
  ).toMatchObject({
    coordinator: 6,
    agreed: true,
    lists: { 2: [2, 3, 4, 5, 6, 0, 1], 5: [5, 6, 0, 1, 2, 3, 4] },
  });
});

test("mutex enters in ring order and counts a hop or so per entry", async () => {
  expect(await json("mutex", "--stations", "9", "--request", "4,1,7")).toMatchObject({
    algorithm: "token-ring",
    stations: 9,
    entryOrder: [1, 4, 7],
    entries: 3,
    violations: 0,
    textbook: { matches: true },
  });
});

test("run says what a run was, in the keys that other programs rely on", async () => {
  const result = await json("run", "--duration", "6s", "--at", "3s request 2,4", "--at", "4s crash 5");
  expect(Object.keys(result)).toEqual(
    expect.arrayContaining(["stations", "hops", "entries", "coordinator", "epoch", "violations", "log"]),
  );
  expect(result).toMatchObject({ stations: 5, entries: 2, coordinator: 4, violations: 0, log: null });
});

test("the same seed and script give a byte-identical log, another seed does not", async () => {
  const logs = [];
  for (const [name, seed] of [
    ["a", "1"],
    ["b", "1"],
    ["c", "2"],
  ] as const) {
    const file = join(folder, `${name}.ndjson`);
    await ringlab("run", "--duration", "4s", "--seed", seed, "--at", "3s crash 2", "--json", "--log", file);
    logs.push(readFileSync(file, "utf8"));
  }
  expect(logs[1]).toBe(logs[0]);
  expect(logs[2]).not.toBe(logs[0]);
});

test("Ctrl-C ends a run cleanly: the table is printed and the log has its footer", async () => {
  const log = join(folder, "stopped.ndjson");
  const program = start(["run", "--pace", "realtime", "--duration", "60s", "--log", log]);
  await program.shows("hears its predecessor");
  program.kill("SIGINT");
  const { code, stdout } = await program.outcome;
  expect(code).toBe(0);
  expect(stdout).toContain("ring time");
  expect(readFileSync(log, "utf8").trimEnd().split("\n").at(-1)).toContain('"verdict":"stopped"');
});

test.each([
  [["run", "--stations", "0x3"], "--stations must be a whole number"],
  [["run", "--ids", "1,-1"], '--ids must be a whole number from 0 to 250, not "-1"'],
  [["run", "--ids", "251"], "--ids: 251 is reserved: ids are 0 to 250"],
  [["elect", "--stations", "3", "--down", "1-3"], "--down names every station"],
  [["run", "--ids", "1,1"], "--ids: 1 is there twice"],
  [["elect", "--down", "03"], '--down: write 3, not "03"'],
  [["elect", "--down", "3.0"], '--down: write 3, not "3.0"'],
  [["elect", "--down", " 3"], '--down: write 3, not " 3"'],
  [["elect", "--down", "9"], "station 9 is not in this ring"],
  [["run", "--limit", "token=1"], "limit token: 1 ms is below 2 rotations of this ring (103.2 ms)"],
  [["run", "--at", "soon crash 5"], '"soon" is not a time'],
  [["run", "--at", "2s crash 9"], 'no station of this ring is called "9"'],
  [["run", "--at", "2s explode 3"], '"explode"'],
  [["run", "--pace", "fast"], "--pace must be max, realtime or a factor"],
  [["run", "--log", tmpdir()], "folder"],
  [["run", "/no/such/bench"], "does not exist"],
  [["run", "--ports", "/dev/no-such-port"], "no such port"],
  [["mutex", "--request", "4,4"], "--request: 4 is there twice"],
  [
    ["run", "--ids", "240-260"],
    '--ids: "240-260" has the reserved ids 251 to 255 in it: write 240-250,256-260',
  ],
  [["run", "--ids", "1-4,3-5"], "--ids: 3 is there twice"],
  [["elect", "--stations", "5", "--down", "2,1-3"], "--down: 2 is there twice"],
  [
    ["flash", "--ports", "/dev/a", "--ids", "300"],
    "--ids: no board can be station 300: write a whole number",
  ],
  [["run", "--at", "2s crash 1,2,1"], "the list of stations: 1 is there twice"],
  [["run", "--limit", `token=${"9".repeat(400)}`], "limit token: Infinity ms is too long: write at most"],
  [["run", "--pace", "9".repeat(400)], "--pace must be max, realtime or a factor from 0.0001 to 1000000"],
  [["rum"], "unknown command 'rum' (Did you mean run?) (--help shows"],
  [["run", "--sttions", "3"], "unknown option '--sttions' (Did you mean --stations?) (--help shows"],
  [["run", "--duration", "34561m"], '"34561m" is too long: write at most 34560m (24 days)'],
  [["run", "--at", "99999999999999999999s crash 1"], "is too long: write at most 34560m (24 days)"],
  [
    ["run", "emulated-5", "mixed"],
    'run takes bench, and "mixed" is one argument too many: "ringlab run --help"',
  ],
  [
    ["compare-capture", "a", "b", "c"],
    '"c" is one argument too many: "ringlab compare-capture --help" shows',
  ],
  [["emulate", "3"], 'emulate takes options only, not "3": "ringlab emulate --help" shows examples'],
  [["ports", tmpdir()], 'is a folder, not a port: "ringlab ports" alone lists the ports'],
])("ringlab %j is one clear line and exit code 2", async (args, words) => {
  const { code, stdout, stderr } = await ringlab(...args);
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain(words);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("a mistyped name does not overwrite somebody's work", async () => {
  const file = join(folder, "thesis.txt");
  writeFileSync(file, "two years of work");
  const run = await ringlab("run", "--duration", "10ms", "--json", "--log", file);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("is there already and is no run")]);
  const log = join(folder, "good.ndjson");
  for (let again = 0; again < 2; again++)
    expect((await ringlab("run", "--duration", "10ms", "--json", "--log", log)).code).toBe(0);
  const picture = await ringlab("export", log, "--to", "svg", "--out", file);
  expect([picture.code, picture.stderr]).toEqual([2, expect.stringContaining("is no svg")]);
  expect(readFileSync(file, "utf8")).toBe("two years of work");
});

test("ports takes any number of paths, and says which are no ports", async () => {
  const { ports } = await json("ports", "/dev/no-such-port", "tcp://localhost:4001");
  expect(ports).toMatchObject([
    { path: "/dev/no-such-port", why: "no such port" },
    { path: "tcp://localhost:4001", why: "not listed" },
  ]);
});

test("faults of a seed are printed as a script that repeats them, and every invariant holds", async () => {
  const ring = ["run", "--stations", "4", "--duration", "20s", "--json"];
  const drawn = await ringlab(...ring, "--faults", "5");
  expect(drawn.code).toBe(0);
  expect(drawn.stderr).toMatch(
    /^# faults of seed 5.*\n(\d+ms [a-z]+.*\n)+14000ms calm\n(\d+ms request \d+\n)*$/,
  );
  const script = join(folder, "faults.txt");
  writeFileSync(script, drawn.stderr);
  const repeated = await ringlab(...ring, "--script", script);
  expect(repeated.stdout).toBe(drawn.stdout);
  expect(JSON.parse(drawn.stdout)).toMatchObject({ violations: 0 });
  expect((await ringlab(...ring, "--faults", "6")).stderr).not.toBe(drawn.stderr);
});

test("--help of run lists every action, and says which of them boards can do", async () => {
  const { stdout } = await ringlab("run", "--help");
  for (const verb of Object.keys(VERBS)) expect(stdout).toMatch(new RegExp(`^  [bh ] ${verb} `, "m"));
  expect(stdout).toMatch(/^ {2}b hang /m);
  expect(stdout).toMatch(/^ {2}h drop /m);
  expect(stdout).toMatch(/^ {4}slow /m);
});
