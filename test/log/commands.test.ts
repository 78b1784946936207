import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import { FORMATS } from "../../src/log/export/formats.ts";
import { NdjsonReader } from "../../src/log/file/ndjson-reader.ts";
import { NdjsonWriter } from "../../src/log/file/ndjson-writer.ts";
import { header } from "./arbitrary.ts";
import { ringlab, startRinglab } from "./command.ts";
import { eventfulRun } from "./sample.ts";

const LIMIT = 60_000;

let dir: string;
let file: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "ringlab-commands-"));
  file = join(dir, "run.ndjson");
  writeFileSync(join(dir, "text"), "a,b,c\n");
  writeFileSync(join(dir, "later"), `${JSON.stringify({ ...header, schema: 99 })}\n`);
  mkdirSync(join(dir, "folder"));
  const run = eventfulRun();
  const writer = new NdjsonWriter(file, run.header);
  writer.write(run.columns);
  writer.close(writer.footer("done"));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** A run of so many token hops on three stations. */
function longRun(path: string, hops: number): string {
  const writer = new NdjsonWriter(path, header);
  const columns = new RecordColumns(16_384);
  for (let n = 0; n < hops; n++) {
    const from = 1 + (n % 3);
    const frame = { type: "TOK", src: from, dst: 253, args: [257, n, 0], flags: 0 };
    columns.addFrame(5000 * n + 5000, "hop", from, 1 + ((n + 1) % 3), 3000, frame);
    if (columns.length < 16_384) continue;
    writer.write(columns);
    columns.clear();
  }
  writer.write(columns);
  writer.close(writer.footer("done"));
  return path;
}

describe("ringlab log", () => {
  it(
    "sums a run up, for people and as JSON",
    async () => {
      const { code, out, err } = await ringlab(["log", file]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      for (const word of ["rotations", "p50", "p99", "election at", "link", "refused frames"])
        expect(out).toContain(word);
      const json = JSON.parse((await ringlab(["log", file, "--json"])).out);
      expect(json).toMatchObject({ verdict: "done", coordinator: 5, warnings: [] });
      expect(json.records).toBe(readFileSync(file, "utf8").trimEnd().split("\n").length - 2);
      expect(
        json.stations
          .map(({ entries }: { entries: number }) => entries)
          .reduce((a: number, b: number) => a + b),
      ).toBe(json.entries);
    },
    LIMIT,
  );

  it(
    "shows the records that pass its filters, a line each, the last ones with --tail",
    async () => {
      const all = await ringlab(["log", file, "--event", "enter,exit"]);
      const lines = all.out.trimEnd().split("\n");
      expect(lines.length).toBeGreaterThan(10);
      for (const line of lines)
        expect(line).toMatch(/^ +\d+\.\d{6} {2}\d +(enters|leaves), epoch \d+ grant \d+$/);
      const tail = await ringlab(["log", file, "--event", "enter,exit", "--tail", "3"]);
      expect(tail.out.trimEnd().split("\n")).toEqual(lines.slice(-3));
      const part = await ringlab([
        "log",
        file,
        "--station",
        "2",
        "--event",
        "TOK",
        "--from",
        "2500ms",
        "--to",
        "2600ms",
      ]);
      expect(part.out).toMatch(/1→2 +TOK epoch/);
      for (const line of part.out.trimEnd().split("\n")) expect(line).toMatch(/^ +2\.[56]\d+ +(1→2|2→3)/);
    },
    LIMIT,
  );

  it(
    "names the stations that there are when it is asked for one that is not",
    async () => {
      expect(await ringlab(["log", file, "--station", "2,9", "--event", "enter"])).toMatchObject({
        code: 2,
        out: "",
        err: `ringlab: --station: ${file} has no station 9: it has 1, 2, 3, 4, 5\n`,
      });
      // A passive log calls stations by their place until a frame tells their id.
      const watched = join(dir, "watched.ndjson");
      const writer = new NdjsonWriter(watched, { ...header, kind: "watch" });
      writer.close(writer.footer("done"));
      expect(await ringlab(["log", watched, "--station", "9"])).toMatchObject({ code: 0, out: "" });
    },
    LIMIT,
  );

  it(
    "shows the clocks of every event",
    async () => {
      const { out } = await ringlab(["log", file, "--event", "enter", "--clocks", "--tail", "1"]);
      expect(out).toMatch(/enters, epoch \d+ grant \d+ {2}L \d+ V \[\d+,\d+,\d+,\d+,\d+\]\n$/);
      const { records } = JSON.parse(
        (await ringlab(["log", file, "--clocks", "--event", "TOK", "--json", "--tail", "2"])).out,
      );
      expect(records).toHaveLength(2);
      expect(records[0].clock.lamport).toBeGreaterThan(records[0].send.lamport);
    },
    LIMIT,
  );

  it(
    "reads what is there of a file that was cut, and says so once",
    async () => {
      const cut = join(dir, "cut.ndjson");
      const whole = readFileSync(file);
      writeFileSync(cut, whole.subarray(0, whole.length - 200));
      const { code, out, err } = await ringlab(["log", cut, "--tail", "1"]);
      expect(code).toBe(0);
      expect(out).toMatch(/^ +\d+\.\d{6} /);
      expect(err).toMatch(/^ringlab: ".*cut\.ndjson" is cut \(.*\) (in|behind) line \d+\n$/);
    },
    LIMIT,
  );
});

describe("what log and export refuse, each in one line with exit code 2", () => {
  const cases: [string, () => string[], RegExp][] = [
    ["a folder", () => ["log", dir], /is a folder/],
    ["no file", () => ["export", join(dir, "none"), "--to", "csv"], /no such file/],
    ["no log", () => ["log", join(dir, "text")], /not a log of a run/],
    ["a later version", () => ["export", join(dir, "later"), "--to", "csv"], /later version \(schema 99/],
    ["an unknown event", () => ["log", file, "--event", "entr"], /did you mean "enter"/],
    ["times the wrong way round", () => ["log", file, "--from", "3s", "--to", "2s"], /--from is later/],
    ["an unknown format", () => ["export", file, "--to", "pcap"], /must be one of pcapng/],
    [
      "a folder to write to",
      () => ["export", file, "--to", "csv", "--out", join(dir, "folder")],
      /is a folder/,
    ],
    [
      "a missing folder",
      () => ["export", file, "--to", "csv", "--out", join(dir, "no", "x")],
      /no such folder/,
    ],
    ["a full disk", () => ["export", file, "--to", "csv", "--out", "/dev/full"], /the disk is full/],
    ["the run itself", () => ["export", file, "--to", "csv", "--out", file], /the run itself/],
    ["a part for ShiViz", () => ["export", file, "--to", "shiviz", "--from", "1s"], /takes the whole run/],
  ];
  it.concurrent.each(cases)(
    "%s",
    async (_, args, message) => {
      const before = readFileSync(file);
      const { code, out, err } = await ringlab(args());
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toMatch(message);
      expect(err.trimEnd().split("\n")).toHaveLength(1);
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readdirSync(dir).filter((name) => name.endsWith(".part"))).toEqual([]);
    },
    LIMIT,
  );
});

describe("ringlab export", () => {
  it(
    "writes every format beside the run, with its ending",
    async () => {
      for (const { name, ending } of FORMATS) {
        const { code, out } = await ringlab(["export", file, "--to", name]);
        expect(code).toBe(0);
        expect(out).toMatch(new RegExp(`^wrote .*run\\${ending}: `));
        expect(readFileSync(join(dir, `run${ending}`)).length).toBeGreaterThan(50);
      }
    },
    LIMIT,
  );

  it(
    "leaves neither a file nor a part of one where the disk takes no more",
    () => {
      const out = join(dir, "big.csv");
      writeFileSync(out, "seq,t,event,old");
      // A limit on the size of files stands for a full disk: 16 blocks of 512 bytes.
      const command = `ulimit -f 16; exec "${process.execPath}" --import tsx src/cli/main.ts export "$0" --to csv --out "$1"`;
      const { status, stderr } = spawnSync("sh", ["-c", command, file, out], { encoding: "utf8" });
      expect(status).toBe(2);
      expect(stderr).toMatch(/^ringlab: ".*big\.csv": the file is as large as this disk allows\n$/);
      expect(readFileSync(out, "utf8")).toBe("seq,t,event,old");
      expect(readdirSync(dir).filter((name) => name.endsWith(".part"))).toEqual([]);
    },
    LIMIT,
  );

  it(
    "leaves nothing behind on Ctrl-C",
    async () => {
      const long = longRun(join(dir, "long.ndjson"), 200_000);
      const out = join(dir, "long.vcd");
      const parts = () => readdirSync(dir).filter((name) => name.endsWith(".part"));
      let pid = 0;
      const ended = startRinglab(["export", long, "--to", "vcd", "--out", out], (started) => {
        pid = started;
      });
      while (parts().length === 0) await delay(20);
      process.kill(pid, "SIGINT");
      expect((await ended).code).toBe(130);
      expect(existsSync(out)).toBe(false);
      expect(parts()).toEqual([]);
    },
    LIMIT,
  );

  it(
    "and log need no more memory for a long run than for a short one",
    async () => {
      const long = longRun(join(dir, "memory.ndjson"), 600_000);
      // As objects the records would take four times this heap.
      const heap = ["--max-old-space-size=40"];
      const csv = await startRinglab(["export", long, "--to", "csv"], undefined, heap);
      expect(csv).toMatchObject({ code: 0, err: "" });
      const rows = readFileSync(join(dir, "memory.csv"), "latin1").split("\r\n");
      expect(rows).toHaveLength(600_002);
      const summary = await startRinglab(["log", long, "--json"], undefined, heap);
      expect(JSON.parse(summary.out)).toMatchObject({ hops: 600_000, rotation: { p50: 15_000 } });
    },
    LIMIT,
  );
});

describe("a run that is killed", () => {
  it(
    "loses at most the line that was being written",
    async () => {
      const killed = join(dir, "killed.ndjson");
      const args = [
        "run",
        "--stations",
        "3",
        "--baud",
        "921600",
        "--pace",
        "realtime",
        "--duration",
        "60s",
        "--log",
        killed,
      ];
      let pid = 0;
      const ended = startRinglab(args, (started) => {
        pid = started;
      });
      const lines = () => (existsSync(killed) ? readFileSync(killed, "utf8").split("\n").length : 0);
      while (lines() < 50) await delay(50);
      process.kill(pid, "SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
      const reader = new NdjsonReader(killed);
      const seqs = [...reader.records()].map(({ seq }) => seq);
      expect(seqs.length).toBeGreaterThan(40);
      expect(seqs).toEqual(seqs.map((_, i) => i));
      expect(reader.badLines).toBe(0);
      expect(reader.warnings()).toHaveLength(1);
    },
    LIMIT,
  );
});
