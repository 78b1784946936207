/** The tables of `ringlab compare`, as the command prints them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import { comparedAlgorithms } from "../../src/textbook/algorithms.ts";
import { compare, defaultTask } from "../../src/textbook/compare.ts";
import type { Comparison } from "../../src/textbook/comparison.ts";
import { comparisonChart } from "../../src/textbook/comparison-chart.ts";
import { comparisonCsv } from "../../src/textbook/comparison-csv.ts";
import { runSimulated } from "../../src/textbook/simulated-ring.ts";
import type { Said } from "../cli/in-process.ts";
import { ringlab } from "../cli/ringlab.ts";
import book from "../fixtures/textbook.json" with { type: "json" };

describe("all the tables", () => {
  let run: Said;
  let comparison: Comparison;
  beforeAll(async () => {
    run = await ringlab("compare", "--json");
    comparison = JSON.parse(run.stdout || "{}") as Comparison;
  }, 120_000);

  test("match the textbook, and the command ends well", () => {
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    expect(comparison.matches).toBe(true);
    const rows = [comparison.perEntry, comparison.simultaneous, comparison.contended, comparison.elections];
    for (const row of rows.flat()) expect(row).toMatchObject({ matches: true });
  });

  test("have the textbook's numbers per entry", () => {
    const { columns, rows } = book.mutualExclusion.perEntryUncontended;
    for (const row of rows) {
      const stations = row[0] as number;
      const messages = (algorithm: string) =>
        comparison.perEntry
          .filter((one) => one.algorithm === algorithm && one.stations === stations)
          .map((one) => one.messages);
      const expected = (column: string) => row[columns.indexOf(column)];
      for (const name of ["centralised", "lamport", "ricart-agrawala"]) {
        expect(messages(name)).toEqual([expected(name)]);
      }
      expect(messages("maekawa")).toEqual([expected("maekawa-grid")]);
      expect(messages("token-ring")).toEqual([expected("token-ring-min"), expected("token-ring-max")]);
      expect(messages("suzuki-kasami")).toEqual([stations, 0]);
    }
  });

  test("have the delays of the literature, in message times", () => {
    const rows = comparison.perEntry.filter(({ stations }) => stations === 25);
    const delays = Object.fromEntries(rows.map((row) => [row.algorithm, [row.delay, row.synchronisation]]));
    expect(delays).toMatchObject({
      centralised: [2, 2],
      lamport: [2, 1],
      "ricart-agrawala": [2, 1],
      "ricart-agrawala-implicit": [2, 1],
      maekawa: [2, 2],
    });
    expect(rows.filter(({ algorithm }) => algorithm === "token-ring").map(({ delay }) => delay)).toEqual([
      1, 24,
    ]);
    expect(rows.filter(({ algorithm }) => algorithm === "suzuki-kasami")).toMatchObject([
      { delay: 2, synchronisation: 1 },
      { delay: 0, synchronisation: 1 },
    ]);
  });

  test("have the twelve totals of the contended trace", () => {
    const { columns, rows } = book.mutualExclusion.contendedTrace;
    for (const row of rows) {
      columns.slice(4).forEach((algorithm, i) => {
        const [found] = comparison.contended.filter(
          (one) => one.algorithm === algorithm && one.meanContenders === row[0],
        );
        expect(found).toMatchObject({ entries: row[2], messages: row[4 + i], theory: row[4 + i] });
      });
    }
  });

  test("have the textbook's elections", () => {
    for (const algorithm of ["bully", "ring"] as const) {
      for (const { stations, down, starter, total, coordinator } of book.election[algorithm]) {
        const found = comparison.elections.find(
          (row) =>
            row.algorithm === algorithm &&
            row.stations === stations &&
            row.starter === starter &&
            row.down.join() === down.join(),
        );
        expect(found).toMatchObject({ messages: total, theory: total, coordinator });
      }
    }
  });

  test("count a hop for each link that a message passes: a rotation", () => {
    for (const row of comparison.perEntry) {
      expect(row.hops).toBe(row.algorithm === "token-ring" ? row.messages : row.messages * row.stations);
    }
  });
});

const SMALL = { ...defaultTask(), stations: [4], algorithms: ["lamport", "raymond", "ring"] };

test("a ring that sends one message too many does not match", async () => {
  const comparison = await compare(SMALL, (task) => {
    const run = runSimulated(task);
    const { from } = run.batches[0] ?? { from: 0 };
    const records = new RecordColumns();
    for (let i = 0; i < run.records.length; i++) {
      if (i === from) records.addEvent(0, "sent", 1, "REQUEST", 2, 1);
      const { event } = run.records.get(i);
      if (event === "hop") records.addFrame(0, "hop", 0, 0, 0, run.records.frame(i));
      else {
        const [a, b, c] = ([0, 1, 2] as const).map((k) => run.records.value(i, k));
        records.addEvent(run.records.t[i]!, event as "sent", run.records.station[i]!, a, b, c);
      }
    }
    const batches = run.batches.map((batch) => ({ ...batch, to: batch.to + 1 }));
    return { ...run, records, batches };
  });
  const verdicts = comparison.perEntry.map(({ algorithm, matches }) => [algorithm, matches]);
  expect(verdicts).toEqual([
    ["lamport", false],
    ["raymond", false],
  ]);
  expect(comparison.matches).toBe(false);
});

describe("the file of the tables", () => {
  test("is CSV with one line a row", async () => {
    const comparison = await compare(SMALL);
    const lines = comparisonCsv(comparison).split("\r\n");
    const { perEntry, simultaneous, contended, elections } = comparison;
    const rows = perEntry.length + simultaneous.length + contended.length + elections.length;
    expect(lines).toHaveLength(rows + 2);
    const columns = (lines[0] ?? "").split(",").length;
    for (const line of lines.slice(0, -1)) expect(line.split(",")).toHaveLength(columns);
    expect(lines[1]).toMatch(/^perEntry,lamport,4,,.*,9,9,/);
  });

  test("is a chart with a mark for each count", async () => {
    const { perEntry } = await compare({ ...SMALL, stations: [4, 9], algorithms: ["lamport", "raymond"] });
    const svg = comparisonChart(perEntry);
    expect(svg.match(/transform="translate/g)).toHaveLength(4);
    expect(svg).toContain(">Lamport</text>");
    expect(svg.trimEnd()).toMatch(/^<svg [\s\S]*<\/svg>$/);
  });
});

describe("the command", () => {
  test("writes the chart whole", async () => {
    const folder = mkdtempSync(join(tmpdir(), "compare-"));
    try {
      const file = join(folder, "chart.svg");
      const run = await ringlab("compare", "--stations", "4", "--algorithms", "centralised", "--svg", file);
      expect(run.code).toBe(0);
      expect(run.stdout).toContain("Every count matches the textbook.");
      expect(readdirSync(folder)).toEqual(["chart.svg"]);
      expect(readFileSync(file, "utf8")).toMatch(/<\/svg>\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([
    [["--stations", "1"], /--stations must be a whole number from 2 to 250, not "1"/],
    [["--algorithms", "paxos"], /"paxos" is no algorithm: use some of token-ring, /],
    [["--contenders", "0"], /--contenders must be a whole number from 1/],
    [["--json", "--csv"], /choose one of them/],
    [["--stations", "4", "--algorithms", "lamport", "--svg", "/no/such/folder/x.svg"], /no such folder/],
  ])("refuses %j in one line", async (args, message) => {
    const run = await ringlab("compare", ...args);
    expect(run.code).toBe(2);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(message);
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("names every algorithm in its help", async () => {
    const { stdout } = await ringlab("compare", "--help");
    for (const { name, messages, source } of comparedAlgorithms()) {
      expect(stdout).toContain(`${name} `);
      expect(stdout).toContain(messages);
      expect(stdout).toContain(source);
    }
  });
});
