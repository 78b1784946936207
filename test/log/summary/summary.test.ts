import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordColumns } from "../../../src/log/columns.ts";
import { makeFilter } from "../../../src/log/filter.ts";
import { isFrameRecord, type RunRecord } from "../../../src/log/records.ts";
import { Histogram } from "../../../src/log/summary/histogram.ts";
import { type RunSummary, Summary } from "../../../src/log/summary/summary.ts";
import { summaryLines } from "../../../src/log/summary/summary-text.ts";
import { header, records, toColumns } from "../arbitrary.ts";
import { eventfulRun, sampleRun } from "../sample.ts";

function summarise(columns: RecordColumns, block = columns.length): RunSummary {
  const summary = new Summary();
  for (let i = 0; i < columns.length; i += block)
    summary.write(columns, i, Math.min(columns.length, i + block));
  return summary.result();
}

describe("percentiles", () => {
  it("are those of the sorted list, at most 0.1 % above, for any number of durations", () => {
    const durations = fc.array(
      fc.oneof(fc.nat({ max: 3000 }), fc.nat({ max: 1e7 }), fc.nat({ max: Number.MAX_SAFE_INTEGER })),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(
        durations,
        fc.constantFrom(1, 400),
        fc.constantFrom(0.01, 0.5, 0.99, 1),
        (list, times, part) => {
          const histogram = new Histogram();
          const all: number[] = [];
          for (let k = 0; k < times; k++) all.push(...list);
          for (const duration of all) histogram.add(duration);
          const sorted = all.sort((a, b) => a - b);
          const exact = sorted[Math.ceil(part * sorted.length) - 1] as number;
          const found = histogram.percentile(part);
          expect(found).toBeGreaterThanOrEqual(exact);
          expect(found).toBeLessThanOrEqual(all.length > 4096 ? exact * 1.001 : exact);
          expect(histogram.max).toBe(sorted.at(-1));
        },
      ),
    );
  });
});

describe("the summary of a run", () => {
  it("counts rotations and their times by hand: three stations, one token, 10 ms a hop", () => {
    const columns = new RecordColumns();
    const hop = (n: number) => {
      const from = 1 + (n % 3);
      const frame = { type: "TOK", src: from, dst: 253, args: [257, n, 0], flags: 0 };
      columns.addFrame(10_000 * (n + 1), "hop", from, 1 + ((n + 1) % 3), 5000, frame);
    };
    for (let n = 0; n < 10; n++) hop(n);
    const run = summarise(columns);
    // Station 2 sees the token at hops 0, 3, 6 and 9.
    expect(run.rotations).toBe(3);
    expect(run.rotation).toEqual({ count: 7, p50: 30_000, p99: 30_000, max: 30_000 });
    expect(run.links.map(({ from, to, hops }) => [from, to, hops])).toEqual([
      [1, 2, 4],
      [2, 3, 3],
      [3, 1, 3],
    ]);
  });

  it("knows coordinator and epoch of a running ring from its frames, where no record tells them", () => {
    const columns = new RecordColumns();
    const frame = (type: string, src: number, dst: number, args: (number | string)[]) =>
      columns.addFrame(columns.length, "hop", 3, 4, 1, { type, src, dst, args, flags: 0 });
    frame("AMP", 5, 255, [261, 7]);
    frame("AMP", 2, 255, ["rubbish", 7]);
    expect(summarise(columns)).toMatchObject({ coordinator: 5, epoch: 261 });
    // Not from the station that it passes: kept aside, whole.
    frame("TOK", 1, 253, [517, 3, 0]);
    frame("AMP", 2, 255, [258, 9]);
    expect(summarise(columns)).toMatchObject({ coordinator: 5, epoch: 517 });
  });

  it("has the wait from the request to the entry, and the time inside", () => {
    const columns = new RecordColumns();
    columns.addEvent(100, "request", 4);
    columns.addEvent(350, "enter", 4, 257, 1);
    columns.addEvent(1350, "exit", 4, 257, 1);
    columns.addEvent(2000, "request", 4);
    columns.addEvent(2100, "enter", 4, 257, 2);
    columns.addEvent(2200, "exit", 4, 257, 2);
    // This one dies waiting: no wait is counted, also not when it enters later in a new life.
    columns.addEvent(3000, "request", 5);
    columns.addEvent(3100, "crash", 5, "power");
    columns.addEvent(9000, "enter", 5, 257, 3);
    const run = summarise(columns);
    expect(run.stations).toEqual([
      { id: 4, requests: 2, entries: 2, waitMean: 175, waitMax: 250, inside: 1100 },
      { id: 5, requests: 1, entries: 1, waitMean: 0, waitMax: 0, inside: 0 },
    ]);
    expect(run.wait).toEqual({ count: 2, p50: 100, p99: 250, max: 250 });
  });

  it("lists the elections of a real run with the messages that were sent for each", () => {
    const { columns } = eventfulRun();
    const run = summarise(columns);
    const sent: { [name: string]: number } = {};
    for (let i = 0; i < columns.length; i++) {
      const record = columns.get(i);
      if (record.event !== "sent" || isFrameRecord(record)) continue;
      const name = record.fields.message as string;
      sent[name] = (sent[name] ?? 0) + 1;
    }
    const listed: { [name: string]: number } = {};
    for (const election of run.electionList) {
      for (const [name, n] of Object.entries(election.messages)) listed[name] = (listed[name] ?? 0) + n;
      expect(election.total).toBe(Object.values(election.messages).reduce((a, b) => a + b, 0));
    }
    expect(listed).toEqual(sent);
    expect(run.electionList[0]).toMatchObject({ starters: [1], causes: ["boot"], coordinator: 5 });
    expect(run.electionList[1]).toMatchObject({ causes: ["silence"], coordinator: 4 });
    // The highest of five stations comes back: it tells the four others, and needs no answer (Garcia-Molina 1982).
    expect(run.electionList[2]).toMatchObject({
      starters: [5],
      causes: ["preempt"],
      messages: { COORDINATOR: 4 },
    });
    expect(run.coordinator).toBe(5);
    expect(run.faults).toMatchObject({ crash: 1, restart: 1 });
  });

  it("is the same in whatever blocks the records come", () => {
    fc.assert(
      fc.property(records(40), fc.integer({ min: 1, max: 9 }), (list, block) => {
        const columns = toColumns(list);
        expect(summarise(columns, block)).toEqual(summarise(columns));
        for (const line of summaryLines(header, summarise(columns))) {
          expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]|undefined|NaN/);
        }
      }),
    );
  });

  it("stays small when a damaged file has a new cause in every record", () => {
    const columns = new RecordColumns();
    for (let n = 0; n < 5000; n++) columns.addEvent(n, "bad", 1, `cause ${n}`);
    columns.addEvent(5000, "bad", 1, "__proto__");
    const run = summarise(columns);
    expect(Object.keys(run.refused).length).toBeLessThanOrEqual(101);
    expect(Object.values(run.refused).reduce((a, b) => a + b, 0)).toBe(5001);
  });
});

describe("the filter", () => {
  const keep = (list: RunRecord[], filter: Parameters<typeof makeFilter>[0]) => {
    const columns = toColumns(list);
    const passes = makeFilter(filter);
    return list.filter((_, i) => passes(columns, i));
  };

  it("keeps what a plain reading of it keeps", () => {
    const filters = fc.record(
      {
        stations: fc.array(fc.nat({ max: 250 }), { maxLength: 100 }),
        events: fc.constantFrom(["hop" as const], ["enter" as const, "dropped" as const]),
        frameTypes: fc.constantFrom(["TOK"], ["ELN", "DAT"]),
        from: fc.nat({ max: 1e9 }),
        to: fc.nat({ max: 1e9 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(records(), filters, (list, filter) => {
        const { stations, events, frameTypes, from, to } = filter;
        const expected = list.filter((record) => {
          const frame = isFrameRecord(record);
          const who = frame ? [record.from, record.to] : [record.station];
          if (from !== undefined && record.t < from) return false;
          if (to !== undefined && record.t > to) return false;
          if (stations && !who.some((id) => stations.includes(id))) return false;
          if (!events && !frameTypes) return true;
          if (events?.some((name) => name === record.event)) return true;
          return frame && (frameTypes as string[] | undefined)?.includes(record.type) === true;
        });
        expect(keep(list, filter)).toEqual(expected);
      }),
    );
  });

  it("finds the passages of one station in a real run", () => {
    const { columns } = sampleRun([], 3);
    const passes = makeFilter({ stations: [3], frameTypes: ["TOK"] });
    let n = 0;
    for (let i = 0; i < columns.length; i++) if (passes(columns, i)) n++;
    expect(n).toBeGreaterThan(20);
  });
});
