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
  it("stays below what renderers take (50,000 characters) and says what it leaves out", () => {
    const source = eventfulRun();
    const diagram = text(mermaid, source);
    expect(diagram.length).toBeLessThan(50_000);
    expect(diagram).toMatch(
      /Note over S1,S5: ends here, at \d+\.\d{6} s\. \d+ more records, use --from and --until\n$/,
    );
    const short = text(mermaid, windowOf(source, 2_400_000, 2_600_000));
    expect(short).not.toContain("ends here");
    expect(short).toMatch(/activate S4\n/);
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

  it("draws an arrow for each hop, a cross for each lost frame, a bar for each entry", () => {
    const source = windowOf(troubled(), 2_400_000, 3_100_000);
    const drawing = text(svg, source);
    const all = allRecords(source);
    const count = (pattern: RegExp) => drawing.match(pattern)?.length ?? 0;
    tags(drawing);
    expect(count(/<line class="hop/g)).toBe(
      all.filter(({ event }) => event === "hop" || event === "dropped").length,
    );
    expect(count(/class="cross"/g)).toBe(all.filter(({ event }) => event === "dropped").length);
    expect(count(/class="cross"/g)).toBeGreaterThan(0);
    expect(count(/class="inside"/g)).toBe(all.filter(({ event }) => event === "enter").length);
    expect(count(/class="dead"/g)).toBe(1);
    for (const id of source.header.stations) expect(drawing).toContain(`>station ${id}</text>`);
  });

  it("says where it ends when there is more than it draws", () => {
    expect(text(svg, sampleRun([], 30))).toMatch(/ends at \d+\.\d{6} s, \d+ more records/);
    expect(text(svg, windowOf(sampleRun([], 3), 0, 2_200_000))).not.toContain("more records");
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
