/** Frames that nobody sent: what the observer says of them, and what a log keeps of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchOf } from "../../src/host/ring/run-watch-of.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { NdjsonReader } from "../../src/log/file/ndjson-reader.ts";
import { isFrameRecord } from "../../src/log/records.ts";
import { DEFAULT_PLAN } from "../../src/simulation/plan.ts";
import { parseAction, schedule } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";
import { ringlab } from "../cli/ringlab.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ringlab-forged-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a ring of five for so many seconds. @returns its records, and what the observer of `run` says of them */
function watched(seconds: number, ...script: string[]) {
  const records = new RecordColumns();
  const plan = { ...DEFAULT_PLAN, criticalMs: 200 };
  const sim = new Simulation(plan, records);
  sim.bootAll();
  schedule(sim, script.map(parseAction));
  sim.runUntil(seconds * 1e6);
  const watch = watchOf(plan, true);
  watch.write(records);
  return { records, violation: watch.violation };
}

test.each([
  ["a hop that no ring has made", ["6s inject 1 TOK,1,253,261,9007199254740982,7"]],
  ["a hop wider than 32 bits", ["6s inject 1 TOK,1,253,261,4294967300,7"]],
  ["a later epoch, while another station is inside", ["6s request all", "6100ms inject 1 TOK,1,253,517,4,1"]],
  [
    "the ring's own epoch, while another station is inside",
    ["6s request all", "6100ms inject 1 TOK,1,253,261,99999,1"],
  ],
  [
    "a grant far ahead",
    ["6s request all", "6100ms inject 3 TOK,3,253,261,99999,4000000000", "20s request all"],
  ],
  ["a result of an election that was never held", ["6s inject 1 BCO,5,4,261", "6s inject 1 BCO,3,2,261"]],
])("of a forged frame with %s nothing is claimed that is not promised", (_name, script) => {
  const { records, violation } = watched(60, ...script);
  expect(violation).toBeNull();
  expect(records.length).toBeGreaterThan(5000);
});

test("records keep every number that a frame can carry, and logs are read back as they are", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const frames = [
    `TOK,${most},253,${most},${most},${most}`,
    `AMP,${most},255,${most},${most}`,
    `BEL,4294967296,${most},${most}`,
    `PRG,2147483648,253,${most},4294967296,2`,
  ];
  const log = join(folder, "forged.ndjson");
  const at = frames.flatMap((frame) => ["--at", `3s inject 2 ${frame}`]);
  await ringlab("run", "--duration", "4s", "--json", "--log", log, ...at);
  const reader = new NdjsonReader(log);
  const found: string[] = [];
  for (const record of reader.records()) {
    if (record.event !== "hop" || !isFrameRecord(record)) continue;
    found.push([record.type, record.src, record.dst, ...record.args].join());
  }
  expect(reader.warnings()).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(frames));
});
