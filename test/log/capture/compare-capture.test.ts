import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareLine, findStation, loggedFrames } from "../../../src/log/capture/compare.ts";
import { FrameDecoder } from "../../../src/log/capture/frame-decoder.ts";
import { vcd } from "../../../src/log/export/vcd.ts";
import { NdjsonWriter } from "../../../src/log/file/ndjson-writer.ts";
import { type RunSource, windowOf } from "../../../src/log/file/source.ts";
import { toolTest } from "../../tools.ts";
import { ringlab } from "../command.ts";
import { exportTo, run, testFolder } from "../export/help.ts";
import { sampleRun } from "../sample.ts";

const folder = testFolder();
const sigrok = toolTest(["sigrok-cli"]);
const source = windowOf(sampleRun([], 3), 0, 2_350_000);
const logged = loggedFrames(source);
const lines = (id: number) => (logged.get(id) ?? []).map(({ line }) => line);

function decoded(bytes: string) {
  const decoder = new FrameDecoder();
  for (const byte of Buffer.from(bytes, "latin1")) decoder.byte(byte);
  return decoder.frames;
}

function saved(name: string, some: RunSource): string {
  const path = join(folder, name);
  const writer = new NdjsonWriter(path, some.header);
  for (const columns of some.blocks()) writer.write(columns);
  writer.close(writer.footer("done"));
  return path;
}

describe("captured frames against those of the log", () => {
  it("are all equal when the bytes are those of the log", () => {
    for (const id of source.header.stations) {
      const result = compareLine(id, logged.get(id) ?? [], decoded(lines(id).join("")));
      expect(result).toEqual({ station: id, equal: lines(id).length, missing: [], extra: [], outside: 0 });
    }
  });

  it("show what the wire lost, what it added and what it damaged", () => {
    const sent = lines(2);
    const damaged = sent[9]?.replace("*", "5*") as string;
    const captured = [
      ...sent.slice(0, 4),
      ...sent.slice(5, 9),
      damaged,
      ...sent.slice(10, 12),
      "$TOK,9,253,1,1,1*00\n",
    ];
    captured.push(...sent.slice(12));
    const result = compareLine(2, logged.get(2) ?? [], decoded(captured.join("")));
    expect(result.missing.map(({ line }) => line)).toEqual([sent[4], sent[9]]);
    expect(result.extra.map(({ cause }) => cause)).toEqual(["bad-fcs", "bad-fcs"]);
    expect(result.equal).toBe(sent.length - 2);
  });

  it("count as outside before the capture began and after it ended", () => {
    const result = compareLine(2, logged.get(2) ?? [], decoded(lines(2).slice(3, -2).join("")));
    expect(result).toMatchObject({ equal: lines(2).length - 5, missing: [], extra: [], outside: 5 });
  });

  it("are found among the rest of what a board says, and after a start in the middle of a frame", () => {
    const [first, ...rest] = lines(3) as [string, ...string[]];
    const bytes = `${first.slice(5)}>echo(0)\n@123456,tx,${rest.join("@99,rec,enter\r\n@1,tx,")}`;
    const result = compareLine(3, logged.get(3) ?? [], decoded(bytes));
    expect(result).toMatchObject({ equal: rest.length, missing: [], extra: [] });
  });

  it("tell whose line it is", () => {
    for (const id of source.header.stations)
      expect(findStation(logged, decoded(lines(id).join("")))).toBe(id);
    expect(findStation(logged, decoded("hello\n"))).toBeUndefined();
  });
});

describe("ringlab compare-capture", () => {
  sigrok(
    "finds a capture equal to the log, with times to the microsecond, and exits 0",
    async () => {
      const file = exportTo(join(folder, "wires.vcd"), vcd, source);
      const capture = join(folder, "wires.sr");
      run("sigrok-cli", ["-I", "vcd", "-i", file, "-o", capture]);
      const { code, out } = await ringlab([
        "compare-capture",
        saved("run.ndjson", source),
        capture,
        "--json",
      ]);
      const result = JSON.parse(out);
      expect(code).toBe(0);
      expect(result.equal).toBe(true);
      expect(result.lines.map((line: { station: number }) => line.station)).toEqual([1, 2, 3, 4, 5]);
      // The capture starts with the first bit of the run.
      const start = Math.min(...[...logged.values()].flat().map(({ t }) => t));
      for (const line of result.lines) {
        expect(line.equal).toBe(lines(line.station).length);
        expect(line.apart.max).toBeLessThan(1);
        expect(Math.abs(line.offset - start)).toBeLessThan(1);
      }
    },
    60_000,
  );

  sigrok(
    "names what is missing and extra, with its time, and exits 1",
    async () => {
      const early = windowOf(source, 0, 2_300_000);
      const file = exportTo(join(folder, "early.vcd"), vcd, early);
      const path = join(folder, "cut.ndjson");
      const writer = new NdjsonWriter(path, source.header);
      // The log of a host that missed one record of station 2.
      const gone = (logged.get(2) ?? [])[5]!;
      for (const columns of early.blocks()) {
        const at = gone.seq - columns.firstSeq;
        writer.write(columns, 0, at);
        writer.write(columns, at + 1);
      }
      writer.close(writer.footer("done"));
      const { code, out } = await ringlab(["compare-capture", path, file, "--channel", "S2_tx=2"]);
      expect(code).toBe(1);
      expect(out).toMatch(/^station 2 \(channel S2_tx\): \d+ equal, 0 missing, 1 extra, 0 outside\n/);
      expect(out).toContain(`extra ${(gone.t / 1e6).toFixed(6)} s, ${gone.line.trimEnd()}`);
    },
    60_000,
  );

  it("takes plain bytes, and says in one line what it cannot do", async () => {
    const path = saved("plain.ndjson", source);
    const bytes = join(folder, "bytes.bin");
    writeFileSync(bytes, lines(4).join(""));
    expect((await ringlab(["compare-capture", path, bytes])).out).toMatch(
      /^station 4: \d+ equal, 0 missing, 0 extra/,
    );
    writeFileSync(bytes, Buffer.from([1, 2, 3, 200]));
    const refused = await ringlab(["compare-capture", path, bytes]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/^ringlab: ".*bytes\.bin": no frame of this run is in it.*\n$/);
    const missing = await ringlab(["compare-capture", path, join(folder, "none")]);
    expect(missing).toMatchObject({ code: 2, err: expect.stringMatching(/^ringlab: .*no such file\n$/) });
  }, 60_000);
});
