import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COLUMNS, csv } from "../../../src/log/export/csv.ts";
import { mermaid } from "../../../src/log/export/mermaid.ts";
import { svg } from "../../../src/log/export/svg.ts";
import { memorySource, windowOf } from "../../../src/log/file/source.ts";
import { isFrameRecord, type RunRecord } from "../../../src/log/records.ts";
import { header, records, toColumns } from "../arbitrary.ts";
import { eventfulRun, sampleRun } from "../sample.ts";
import { allRecords, exported } from "./help.ts";

/** Two entries, a link that loses frames, a dead station. */
const troubled = () => sampleRun(["2500ms request 2,4", "2900ms cut 3", "3s crash 5"], 3.2);

/** Entries and crashes in turn for so many seconds. */
const troubledFor = (seconds: number) =>
  sampleRun(
    Array.from(
      { length: Math.floor(seconds / 4) },
      (_, k) => `${4 * k + 3}s ${k % 2 ? "restart" : "crash"} 5`,
    ),
    seconds,
  );

/** Everything at once. */
const crowded = sampleRun(
  [
    "2500ms request all",
    "3s crash 5",
    "4s hang 2",
    "5s resume 2",
    "5s restart 5",
    "6s cut 3",
    "7s mend 3",
    "7s drop 1 4",
  ],
  9,
);

/** Texts that would be syntax, if they were not escaped. */
const hostile = (list: RunRecord[]): RunRecord[] => {
  const word = `<b onclick="x">&amp;#35;'</b>;%%{init}%%:-->>S1`;
  const frame = { from: 1, to: 2, took: 3, type: "DAT", src: 1, dst: 2, args: [word], flags: 0 };
  const more: RunRecord[] = [
    { seq: 0, t: 5, event: "hop", ...frame },
    { seq: 1, t: 6, event: "dropped", ...frame },
    { seq: 2, t: 7, event: "crash", station: 1, fields: { cause: word } },
    { seq: 3, t: 8, event: "bad", station: 2, fields: { cause: word } },
  ];
  return [...more, ...list].map((record, seq) => ({ ...record, seq }));
};

const text = (...args: Parameters<typeof exported>) => exported(...args).toString();

/** Reads CSV by RFC 4180. */
function parseCsv(whole: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (field.lastIndex < whole.length) {
    const match = field.exec(whole);
    if (!match) throw new Error("not CSV");
    const [, value, end] = match as unknown as [string, string, string];
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe("csv", () => {
  it("has the same columns in every row (RFC 4180), with what the record has in them", () => {
    fc.assert(
      fc.property(records(40), (list) => {
        const [head, ...rows] = parseCsv(text(csv, memorySource(header, toColumns(list))));
        expect(head).toEqual(COLUMNS);
        expect(rows).toHaveLength(list.length);
        rows.forEach((row, i) => {
          expect(row).toHaveLength(COLUMNS.length);
          const record = list[i]!;
          const cell = (name: string) => row[COLUMNS.indexOf(name)];
          expect([cell("seq"), cell("t"), cell("event")]).toEqual(
            [record.seq, record.t, record.event].map(String),
          );
          if (isFrameRecord(record)) {
            for (const name of ["from", "to", "took", "type", "src", "dst", "flags"] as const) {
              expect(cell(name)).toBe(String(record[name]));
            }
            if (typeof record.args[0] !== "string") expect(cell("args")).toBe(record.args.join(" "));
          } else {
            expect(cell("station")).toBe(String(record.station));
            for (const [name, value] of Object.entries(record.fields)) {
              if (typeof value === "number") expect(cell(name)).toBe(String(value));
            }
          }
        });
      }),
    );
  });

  it("has no control character but its line ends, and nothing that a spreadsheet takes for a formula", () => {
    const columns = toColumns([
      { seq: 0, t: 1, event: "console", station: 1, fields: { text: '=HYPERLINK("x")\u001b[2J\r\n,' } },
      { seq: 1, t: 1, event: "clock", station: 1, fields: { offset: -5, bound: 1, drift: -2.5 } },
    ]);
    const rows = parseCsv(text(csv, memorySource(header, columns)));
    expect(rows[1]?.[COLUMNS.indexOf("text")]).toBe('\'=HYPERLINK("x")\\x1b[2J\\r\\n,');
    expect(rows[2]?.[COLUMNS.indexOf("offset")]).toBe("-5");
  });
});

describe("mermaid", () => {
  it("stays below what renderers take (50,000 characters) by telling less, and says so in its first note", () => {
    const source = eventfulRun();
    const diagram = text(mermaid, source);
    expect(diagram.length).toBeLessThan(50_000);
    const [, ...lines] = diagram.split("\n").filter((line) => !line.includes("participant"));
    expect(lines[0]).toMatch(/^ {2}Note over S1,S5: Messages without their hops, so that it fits/);
    // The last event of the run is in it, and every crash, restart and coordinator.
    for (const event of ["crash", "restart", "regenerated", "enter"]) {
      const words = {
        crash: "crashes",
        restart: "restarts",
        regenerated: "makes a new token",
        enter: "enters",
      };
      const count = allRecords(source).filter((record) => record.event === event).length;
      expect(
        lines.filter((line) => line.includes(words[event as "crash"])),
        event,
      ).toHaveLength(count);
    }
    const short = text(mermaid, windowOf(source, 2_400_000, 2_600_000));
    expect(short).not.toContain("so that it fits");
    expect(short).toMatch(/activate S4\n/);
    const night = text(mermaid, troubledFor(900));
    expect(night.length).toBeLessThan(50_000);
    expect(night).toMatch(
      /^sequenceDiagram\n(?: {2}participant.*\n)+.*ends at [\d.]+ s with \d+ more records/,
    );
  });

  it("knows in a window what the stations were when it began", () => {
    const run = sampleRun(["3s crash 5", "6s request 2", "6500ms hang 3"], 8, { criticalMs: 3000 });
    const window = text(mermaid, windowOf(run, 7e6, 7.2e6));
    expect(window).toMatch(/Note over S5: at 7\.000000 s#58; is dead and is out of the ring\n/);
    expect(window).toMatch(/Note over S4: at 7\.000000 s#58; is the coordinator\n/);
    expect(window).toMatch(/Note over S3: at 7\.000000 s#58; stands still/);
    expect(window).toMatch(/Note over S2: at 7\.000000 s#58; is inside\n {2}activate S2\n/);
  });

  it("draws every message of a short run, the idle token as a note, entries as activations, lost frames cut", () => {
    const source = windowOf(troubled(), 2_400_000, 3_100_000);
    const diagram = text(mermaid, source);
    const all = allRecords(source);
    const arrows = (arrow: string) => diagram.split("\n").filter((line) => line.includes(arrow)).length;
    const frames = all.filter(isFrameRecord);
    const others = frames.filter(({ event, type }) => event === "hop" && type !== "TOK").length;
    const noted = [...diagram.matchAll(/token goes on to \d+, (\d+) hops/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    expect(arrows("->>")).toBe(frames.filter(({ event }) => event === "hop").length - noted);
    expect(arrows("->>")).toBeGreaterThanOrEqual(others);
    expect(noted).toBeGreaterThan(10);
    expect(arrows("-x")).toBe(frames.filter(({ event }) => event === "dropped").length);
    expect(arrows("-x")).toBeGreaterThan(0);
    expect(diagram.match(/ activate/g)).toHaveLength(all.filter(({ event }) => event === "enter").length);
    expect(diagram.match(/deactivate/g)).toEqual(diagram.match(/ activate/g)?.map(() => "deactivate"));
  });

  it("has only its own syntax in it, whatever the texts are", () => {
    const line =
      /^ {2}(participant S\d+ as \d+|S\d+(->>|-x)S\d+: [^#;<>%{}"\\]*(#\d+;[^#;<>%{}"\\]*)*|(de)?activate S\d+|Note over S\d+(,S\d+)?: [^;]*(#\d+;[^;]*)*)$/;
    fc.assert(
      fc.property(records(60).map(hostile), (list) => {
        const stations = [...new Set(list.flatMap((r) => (isFrameRecord(r) ? [r.from, r.to] : [r.station])))];
        const some = { ...header, stations: stations.filter((id) => id >= 0) };
        const [first, ...lines] = text(mermaid, memorySource(some, toColumns(list)))
          .trimEnd()
          .split("\n");
        expect(first).toBe("sequenceDiagram");
        for (const each of lines) expect(each).toMatch(line);
      }),
    );
  });
});

describe("svg", () => {
  /** Every tag is closed and every attribute quoted: what XML asks for. */
  function tags(whole: string): string[] {
    const open: string[] = [];
    const names: string[] = [];
    const rest = whole.replace(
      /<(\/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>/g,
      (_, end, name, __, alone) => {
        if (end) expect(open.pop()).toBe(name);
        else {
          names.push(name);
          if (!alone) open.push(name);
        }
        return "";
      },
    );
    expect(rest).not.toMatch(/[<>]|&(?!#\d+;)/);
    expect(open).toEqual([]);
    return names;
  }

  const count = (drawing: string, pattern: RegExp) => drawing.match(pattern)?.length ?? 0;
  /** The bars of one kind: where they start and end, pixels. */
  const bars = (drawing: string, look: string) =>
    [
      ...drawing.matchAll(
        new RegExp(`<rect class="${look}" x="([\\d.]+)" y="[\\d.]+" width="([\\d.]+)"[^>]*><`, "g"),
      ),
    ].map(([, x, width]) => [Number(x), Number(x) + Number(width)] as const);

  it("draws an arrow for each hop, a cross for each lost frame, a bar for each entry, where they can be told apart", () => {
    const source = windowOf(troubled(), 2_400_000, 3_100_000);
    const drawing = text(svg, source);
    const all = allRecords(source);
    tags(drawing);
    const hops = all.filter(({ event }) => event === "hop").length;
    const dropped = all.filter(({ event }) => event === "dropped").length;
    expect(count(drawing, /<line class="(token|frame|election)".*marker-end.*<title>/g)).toBe(hops);
    expect(count(drawing, /<line class="lost"/g)).toBe(dropped);
    expect(dropped).toBeGreaterThan(0);
    expect(bars(drawing, "inside")).toHaveLength(all.filter(({ event }) => event === "enter").length);
    expect(bars(drawing, "dead")).toHaveLength(1);
    expect(drawing).not.toContain("too many");
    for (const id of source.header.stations) expect(drawing).toContain(`>station ${id}</text>`);
  });

  it("has a run of any length on one page, to its end, and says that it leaves out arrows", () => {
    const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const run = sampleRun(["20s request all", "50s drop 4 1 TOK", "55s crash 9"], 60, { ids });
    const drawing = text(svg, run);
    expect(drawing).toContain('width="1280" height="720"');
    expect(drawing).toMatch(/\d+ frames, too many for arrows/);
    expect(drawing.length).toBeLessThan(100_000);
    expect(bars(drawing, "inside")).toHaveLength(9);
    const [[from, to]] = bars(drawing, "dead") as [readonly [number, number]];
    // The axis goes from pixel 100 to pixel 1252.
    expect(from).toBeCloseTo(100 + (1152 * 55) / 60, -1);
    expect(to).toBeCloseTo(1252, -1);
    expect(drawing).toMatch(/<rect class="missing".*<title>no token for \d+ ms: token dropped from 4 to 5/);
    expect(text(svg, windowOf(sampleRun([], 3), 0, 2_200_000))).not.toContain("too many");
  });

  it("knows in a window what the stations were when it began, and that there is no token", () => {
    const run = sampleRun(["3s crash 5", "6s request 2", "6500ms hang 3"], 8, { criticalMs: 3000 });
    const window = text(svg, windowOf(run, 7e6, 7.2e6));
    for (const look of ["dead", "out", "duty", "stopped", "inside"]) {
      expect(
        bars(window, look).filter(([from, to]) => from === 100 && to === 1252).length,
        look,
      ).toBeGreaterThan(0);
    }
    const lost = sampleRun(["3s drop 2 1 TOK"], 4);
    expect(text(svg, windowOf(lost, 3.2e6, 3.24e6))).toMatch(
      /<rect class="missing" x="100" .*token dropped from 2 to 3/,
    );
  });

  it("lays no words on others", () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.integer({ min: 1, max: 9000 }), (start, length) => {
        const run = windowOf(crowded, start * 1000, (start + length) * 1000);
        const boxes = [
          ...text(svg, run).matchAll(/<text class="(?:trouble-)?label" x="([\d.]+)" y="([\d.]+)">([^<]*)</g),
        ].map(([, x, y, words]) => ({
          left: Number(x),
          right: Number(x) + (words as string).length * 5.9,
          y: Number(y),
          words,
        }));
        for (const [k, a] of boxes.entries()) {
          expect(a.left).toBeGreaterThanOrEqual(100);
          expect(a.right).toBeLessThanOrEqual(1252);
          for (const b of boxes.slice(k + 1)) {
            const apart = a.right <= b.left || b.right <= a.left || Math.abs(a.y - b.y) >= 11;
            expect(apart, `${a.words} and ${b.words}`).toBe(true);
          }
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("is well-formed whatever the records are, and has only finite numbers", () => {
    fc.assert(
      fc.property(records(40).map(hostile), (list) => {
        const stations = [...new Set(list.flatMap((r) => (isFrameRecord(r) ? [r.from, r.to] : [r.station])))];
        const some = { ...header, stations: stations.filter((id) => id >= 0) };
        const drawing = text(svg, memorySource(some, toColumns(list)));
        tags(drawing);
        expect(drawing).not.toMatch(/NaN|Infinity|undefined/);
      }),
    );
  });
});
