/** Logs of runs that are damaged or made to do harm: read, summed up, exported and replayed. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedPlan } from "../../src/host/replay/recorded-plan.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { FORMATS } from "../../src/log/export/formats.ts";
import { recordLine } from "../../src/log/file/lines.ts";
import { NdjsonWriter } from "../../src/log/file/ndjson-writer.ts";
import { FileSource, windowOf } from "../../src/log/file/source.ts";
import type { RunHeader } from "../../src/log/records.ts";
import { stampedRecords } from "../../src/log/summary/clocks.ts";
import { Summary } from "../../src/log/summary/summary.ts";
import { summaryLines } from "../../src/log/summary/summary-text.ts";
import { DEFAULT_PLAN } from "../../src/simulation/plan.ts";
import { schedule } from "../../src/simulation/script/script.ts";
import { Simulation } from "../../src/simulation/simulation.ts";
import { ringlab, startRinglab } from "../log/command.ts";
import { sampleRun } from "../log/sample.ts";
import { damaged, fixed, inputs, taken } from "./hostile.ts";

const write = inputs();

/** A short run with events of most kinds, as its file. */
function runText(changes: Partial<RunHeader> = {}): string {
  const { header, columns } = sampleRun(["2400ms request 2", "2500ms send 1 3 a,b", "2450ms drop 3 1"], 2.6, {
    ids: [1, 2, 3],
  });
  const path = write("good.ndjson", "");
  const plan = { plan: DEFAULT_PLAN, script: [{ at: 5, verb: "send", args: ["1", "2", "x"] }], until: 10 };
  const writer = new NdjsonWriter(path, { ...header, plan, ...changes });
  const from = Math.max(0, columns.length - 120);
  columns.firstSeq = -from;
  writer.write(columns, from, columns.length);
  writer.close(writer.footer("done"));
  return readFileSync(path, "utf8");
}

/** All that the program does with a run's file. */
function useAll(path: string): void {
  const source = taken(() => new FileSource(path));
  if (!source) return;
  const summary = new Summary(source.header);
  for (const columns of source.blocks()) {
    summary.write(columns);
    for (let i = 0; i < columns.length; i++) expect(recordLine(columns.get(i))).not.toMatch(/\p{Cc}/u);
  }
  for (const line of [...summaryLines(source.header, summary.result()), ...source.warnings]) {
    expect(line).not.toMatch(/\p{Cc}/u);
  }
  taken(() => recordedPlan(path, source.header));
  taken(() => [...stampedRecords(source)].length);
  for (const format of FORMATS) {
    taken(() => {
      for (const _ of format.pieces(source));
    });
  }
  for (const name of ["svg", "mermaid", "vcd"]) {
    const format = FORMATS.find((each) => each.name === name);
    for (const _ of format?.pieces(windowOf(source, 2.45e6, 2.5e6)) ?? []);
  }
}

describe("a run's file, damaged in any way,", () => {
  it("is read as far as it is good, or refused in one line, by everything that takes one: 300 files", () => {
    const good = runText();
    // The first lines have most to say, and a short file is changed in more of them.
    const short = good.split("\n").slice(0, 12).join("\n");
    fc.assert(
      fc.property(damaged([good, short]), (text) => useAll(write("damaged.ndjson", text))),
      fixed(300),
    );
  });

  const lines = () => runText().split("\n");
  const record = (rest: string) => `{"seq":0,"t":1,"event":"console","station":1,"text":${rest}}`;

  it("loses only the line with a value that is nested thousands deep", () => {
    const [head, ...others] = lines();
    const deep = `{"seq":0,"t":1,"event":"enter","station":1,"epoch":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const source = new FileSource(write("deep.ndjson", [head, deep, ...others].join("\n")));
    let count = 0;
    for (const columns of source.blocks()) count += columns.length;
    expect(count).toBe(others.length - 2);
    expect(source.warnings).toEqual([expect.stringContaining("line 2, not a record: more than 32 brackets")]);
  });

  it("is refused for a seed that is no number, and for texts and lists beyond any run's", () => {
    const refused = (changes: object) => {
      const path = write("header.ndjson", runText(changes as Partial<RunHeader>));
      let message = "";
      try {
        new FileSource(path);
      } catch (error) {
        message = (error as Error).message;
      }
      return message;
    };
    expect(refused({ seed: { toString: 1 } })).toContain("its seed is");
    expect(refused({ program: "x".repeat(70_000) })).toContain("its program has more than 200 characters");
    expect(refused({ stations: Array.from({ length: 100_001 }, (_, k) => k) })).toContain("more than 100000");
    expect(refused({ limits: { token: "soon" } })).toContain("its limits are no numbers");
  });

  it("with half a surrogate pair in a text is shown, exported and replayed", () => {
    useAll(write("half.ndjson", [lines()[0], record('"a\\ud800b"')].join("\n")));
    const script = [{ at: 1, verb: "send", args: ["1", "2", "a\ud800"] }];
    const text = runText({ plan: { plan: DEFAULT_PLAN, script, until: 10 } });
    const path = write("script.ndjson", text);
    const recorded = recordedPlan(path, new FileSource(path).header);
    expect(recorded.script).toHaveLength(1);
    schedule(new Simulation(recorded.plan, new RecordColumns()), recorded.script);
  });

  it("takes no more memory than a long line needs: a frame of 900,000 characters as VCD in 200 MB", async () => {
    const frame = `{"seq":0,"t":1,"event":"hop","from":1,"to":2,"took":3,"type":"DAT","args":["${"x".repeat(900_000)}"]}`;
    const path = write("wide.ndjson", [lines()[0], frame].join("\n"));
    const { code, err } = await startRinglab(
      ["export", path, "--to", "vcd", "--out", `${path}.vcd`],
      undefined,
      ["--max-old-space-size=200"],
    );
    expect([code, err]).toEqual([0, expect.stringContaining("is cut")]);
  });

  it("of more stations than vectors are for is refused in one line by the clocks", async () => {
    const stations = Array.from({ length: 3000 }, (_, k) => 256 + k);
    const hop = `{"seq":0,"t":1,"event":"hop","from":256,"to":257,"took":3,"type":"TOK","args":[1,2,3]}`;
    const path = write("many.ndjson", [runText({ stations }).split("\n")[0], hop].join("\n"));
    for (const args of [
      ["log", path, "--clocks"],
      ["export", path, "--to", "shiviz", "--out", `${path}.log`],
    ]) {
      const { code, err } = await ringlab(args);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^ringlab: vector clocks are for runs of at most 1000/),
      ]);
    }
  });
});

describe("a name of 5,000 characters", () => {
  const long = "x".repeat(5000);
  it("is refused in one short line by every command that opens one", async () => {
    const run = write("named.ndjson", runText());
    for (const args of [
      ["log", long],
      ["replay", long],
      ["export", long, "--to", "csv"],
      ["export", run, "--to", "csv", "--out", `${long}.csv`],
      ["run", long],
      ["run", "--script", long],
      ["run", "--duration", "1ms", "--log", long],
      ["compare-capture", run, long],
    ]) {
      const { code, err } = await ringlab(args);
      expect([args[0], code, err]).toEqual([args[0], 2, expect.stringMatching(/^ringlab: [^\n]{1,400}\n$/)]);
    }
  });
});
