import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordColumns } from "../../../src/log/columns.ts";
import { wireLine } from "../../../src/log/crc.ts";
import { vcd } from "../../../src/log/export/vcd.ts";
import { memorySource, type RunSource, windowOf } from "../../../src/log/file/source.ts";
import { isFrameRecord, type RunRecord } from "../../../src/log/records.ts";
import { toolTest } from "../../tools.ts";
import { header, records, toColumns } from "../arbitrary.ts";
import { eventfulRun, sampleRun } from "../sample.ts";
import { allRecords, exported, exportTo, run, testFolder } from "./help.ts";

const folder = testFolder();
const sigrok = toolTest(["sigrok-cli"]);

/** The bytes that a station put on the wire, in the order in which it started to. */
function sentBy(list: RunRecord[], id: number): string {
  return list
    .filter(isFrameRecord)
    .filter(({ event, from, took }) => from === id && (event === "hop" || (event === "dropped" && took > 0)))
    .sort((a, b) => a.t - a.took - (b.t - b.took))
    .map((record) => wireLine(record))
    .join("");
}

/** What a UART decoder reads on the lane. */
function decoded(file: string, lane: string, baud: number): string {
  const decoder = `uart:rx=${lane}:baudrate=${baud}`;
  return run("sigrok-cli", [
    "-I",
    "vcd:compress=100000",
    "-i",
    file,
    "-P",
    decoder,
    "-B",
    "uart=rx",
  ]).toString("latin1");
}

interface Wave {
  names: string[];
  /** Changes of each signal: time in units of 100 ns, value. */
  changes: Map<string, [time: number, value: number][]>;
}

/** Reads a VCD by its rules (IEEE Std 1364-2005, chapter 18); throws where it breaks them. */
function parse(text: string): Wave {
  const codes = new Map<string, string>();
  const changes: Wave["changes"] = new Map();
  let time = -1;
  for (const line of text.split("\n")) {
    const wire = /^\$var wire 1 (\S+) (\S+) \$end$/.exec(line);
    if (wire) {
      const [, code, name] = wire as unknown as [string, string, string];
      if (codes.has(code) || changes.has(name)) throw new Error(`twice: ${line}`);
      codes.set(code, name);
      changes.set(name, []);
    } else if (line.startsWith("#")) {
      if (!(Number(line.slice(1)) >= time)) throw new Error(`time goes back: ${line}`);
      time = Number(line.slice(1));
    } else if (/^[01]/.test(line)) {
      const name = codes.get(line.slice(1));
      if (name === undefined) throw new Error(`no signal for ${line}`);
      (changes.get(name) as [number, number][]).push([time, Number(line[0])]);
    } else if (line && !line.startsWith("$")) throw new Error(`not VCD: ${line}`);
  }
  return { names: [...changes.keys()], changes };
}

const wave = (source: RunSource) => parse(exported(vcd, source).toString());

describe("vcd", () => {
  for (const baud of [9600, 115200, 921600]) {
    sigrok(
      `carries the exact bytes of the log on its tx lanes, decoded by sigrok-cli at ${baud} baud`,
      () => {
        for (const wiring of ["hub", "wired"] as const) {
          const whole = sampleRun([], baud < 10_000 ? 20 : 2, { ids: [1, 2, 3], baud, wiring });
          const token = allRecords(whole).find((record) => isFrameRecord(record) && record.type === "TOK");
          const source = windowOf(whole, 0, (token as RunRecord).t + 300_000);
          const list = allRecords(source);
          const file = exportTo(join(folder, `${wiring}${baud}.vcd`), vcd, source);
          for (const id of [1, 2, 3]) {
            const bytes = sentBy(list, id);
            expect(bytes.length).toBeGreaterThan(50);
            expect(decoded(file, `S${id}_tx`, baud)).toBe(bytes);
          }
        }
      },
    );
  }

  sigrok("has the bits at the time at which the log says that the frame started", () => {
    const source = windowOf(sampleRun([], 3), 2_000_000, 2_400_000);
    const file = exportTo(join(folder, "times.vcd"), vcd, source);
    const args = ["-I", "vcd", "-i", file, "-P", "uart:rx=S1_tx:baudrate=115200:rx_packet_delim=10"];
    const text = run("sigrok-cli", [
      ...args,
      "-A",
      "uart=rx-packet",
      "--protocol-decoder-samplenum",
    ]).toString();
    const starts = text
      .trim()
      .split("\n")
      .map((line) => Number(line.split("-")[0]));
    const expected = allRecords(source)
      .filter(isFrameRecord)
      .filter(({ from, event }) => from === 1 && event === "hop")
      .map(({ t, took }) => (t - took) * 10);
    // sigrok counts from its own first sample.
    const since = (times: number[]) => times.map((time) => time - (times[0] as number));
    expect(since(starts)).toEqual(since(expected));
    expect(wave(source).changes.get("S1_tx")?.[1]?.[0]).toBe(expected[0]);
  });

  it("begins a window with what the stations were before it", () => {
    const run = sampleRun(["2500ms request 2"], 4, { criticalMs: 3000 });
    const { changes } = wave(windowOf(run, 3_000_000, 3_200_000));
    expect(changes.get("S2_inside")).toContainEqual([30_000_000, 1]);
    expect(changes.get("S5_coordinator")).toContainEqual([30_000_000, 1]);
    expect(changes.get("S1_coordinator") ?? []).not.toContainEqual([30_000_000, 1]);
  });

  sigrok("shows sigrok all lanes, of one bit each", () => {
    const file = exportTo(join(folder, "show.vcd"), vcd, sampleRun([], 3));
    const text = run("sigrok-cli", ["-I", "vcd", "-i", file, "--show"]).toString();
    const lanes = [1, 2, 3, 4, 5].flatMap((id) =>
      ["token", "inside", "coordinator", "tx"].map((n) => `S${id}_${n}`),
    );
    expect(text).toContain(`Channels: ${lanes.length}`);
    for (const lane of lanes) expect(text).toContain(`- ${lane}: logic`);
  });

  it("has token, inside and coordinator as the records have them", () => {
    const source = eventfulRun();
    const list = allRecords(source);
    const { changes } = wave(source);
    const ups = (lane: string) =>
      (changes.get(lane) ?? [])
        .slice(1)
        .filter(([, value]) => value === 1)
        .map(([t]) => t / 10);
    const entered = list.filter(({ event }) => event === "enter");
    for (const id of source.header.stations) {
      const mine = entered.filter((record) => !isFrameRecord(record) && record.station === id);
      expect(ups(`S${id}_inside`)).toEqual(mine.map(({ t }) => t));
      // A station has the token when it enters and when it leaves.
      for (const { t } of mine) {
        const edges = changes.get(`S${id}_token`) as [number, number][];
        expect(edges.filter(([time]) => time <= t * 10).at(-1)?.[1]).toBe(1);
      }
    }
    // One coordinator at a time, once the ring runs: 5, then 4, then 5 again.
    const reigns = [4, 5].flatMap((id) => ups(`S${id}_coordinator`).map((t) => ({ id, t })));
    expect(reigns.sort((a, b) => a.t - b.t).map(({ id }) => id)).toEqual([5, 4, 5]);
    // Never two tokens at once in a run without duplicates: sum the lanes at every change.
    const all = source.header.stations.flatMap((id) =>
      (changes.get(`S${id}_token`) as [number, number][]).slice(1),
    );
    let tokens = 0;
    for (const [, value] of all.sort(([a, x], [b, y]) => a - b || x - y)) {
      tokens += value ? 1 : -1;
      expect(tokens).toBeLessThanOrEqual(1);
    }
  });

  it("keeps to the rules of the format, whatever the records are: times in order, every signal known", () => {
    fc.assert(fc.property(records(40), (list) => void wave(memorySource(header, toColumns(list)))));
  });

  sigrok(
    "has faster lanes where frames follow each other faster than the baud rate allows, as over USB",
    () => {
      const columns = new RecordColumns();
      for (let n = 0; n < 50; n++) {
        const frame = { type: "TOK", src: 1, dst: 253, args: [257, n, 0], flags: 0 };
        columns.addFrame(1000 * n + 300, "hop", 1, 2, 250, frame);
      }
      const source = memorySource(header, columns);
      const file = exportTo(join(folder, "fast.vcd"), vcd, source);
      expect(exported(vcd, source).toString()).toContain(
        "460800 baud 8N1 on the tx lanes, since frames follow",
      );
      expect(decoded(file, "S1_tx", 460800)).toBe(sentBy(allRecords(source), 1));
      const edges = wave(source).changes.get("S1_tx") ?? [];
      // The last frame starts at its own time: the lane does not fall behind.
      expect(edges.some(([time, value]) => time === 490_500 && value === 0)).toBe(true);
    },
  );

  it("gives each of many signals a name of its own", () => {
    const ids = Array.from({ length: 3000 }, (_, i) => (i < 250 ? i + 1 : i + 6));
    const { names } = wave(memorySource({ ...header, stations: ids }, toColumns([])));
    expect(names).toHaveLength(12_000);
  });
});
