import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chromeTrace } from "../../../src/log/export/chrome-trace.ts";
import { memorySource, type RunSource } from "../../../src/log/file/source.ts";
import { isFrameRecord } from "../../../src/log/records.ts";
import { header, records, toColumns } from "../arbitrary.ts";
import { eventfulRun } from "../sample.ts";
import { allRecords, exported, hops } from "./help.ts";

interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  dur: number;
  pid: number;
  tid: number;
  id: number;
  args: { [name: string]: unknown };
}

/** Reads the trace, and keeps the viewers' rules: flows paired inside slices, no overlap in a lane. */
function read(source: RunSource): TraceEvent[] {
  const { traceEvents } = JSON.parse(exported(chromeTrace, source).toString()) as {
    traceEvents: TraceEvent[];
  };
  const lanes = new Map<string, TraceEvent[]>();
  for (const event of traceEvents) {
    if (!Number.isInteger(event.pid)) throw new Error("pid must be provided");
    if (event.ph !== "X") continue;
    const lane = `${event.pid} ${event.tid}`;
    if (!lanes.has(lane)) lanes.set(lane, []);
    lanes.get(lane)?.push(event);
  }
  for (const lane of lanes.values()) {
    lane.sort((a, b) => a.ts - b.ts);
    lane.forEach((slice, k) => {
      if (!(slice.dur > 0)) throw new Error(`a slice of ${slice.dur} µs`);
      const before = lane[k - 1];
      if (before && before.ts + before.dur > slice.ts)
        throw new Error(`${before.name} and ${slice.name} overlap`);
    });
  }
  const inSlice = ({ pid, tid, ts }: TraceEvent) =>
    lanes.get(`${pid} ${tid}`)?.some((slice) => slice.ts <= ts && ts <= slice.ts + slice.dur) === true;
  const ends = new Map<number, TraceEvent>();
  for (const event of traceEvents) if (event.ph === "f") ends.set(event.id, event);
  const starts = traceEvents.filter(({ ph }) => ph === "s");
  expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length);
  expect(ends.size).toBe(starts.length);
  for (const start of starts) {
    const end = ends.get(start.id);
    if (!end || !inSlice(start) || !inSlice(end))
      throw new Error(`flow ${start.id} does not stand in slices`);
  }
  return traceEvents;
}

describe("chrome-trace", () => {
  it("has each flow paired inside slices and no overlap in a lane, for any records", () => {
    // Few stations and few microseconds: much happens at once.
    const list = records(50).map((all) =>
      all.map((record) => {
        const t = record.t % 40;
        if (!isFrameRecord(record)) return { ...record, t, station: record.station % 3 };
        return { ...record, t, from: record.from % 3, to: record.to % 3, took: record.took % 30 };
      }),
    );
    fc.assert(
      fc.property(list, (some) => void read(memorySource(header, toColumns(some)))),
      { numRuns: 200 },
    );
  });

  it("has a flow for each hop of a real run, none for a lost frame, and the lanes of each station", () => {
    const source = eventfulRun();
    const all = allRecords(source);
    const trace = read(source);
    expect(trace.filter(({ ph }) => ph === "s")).toHaveLength(hops(all).length);
    const lost = all.filter(isFrameRecord).filter(({ event }) => event === "dropped");
    expect(trace.filter(({ name, ph }) => ph === "X" && name.endsWith(" dropped"))).toHaveLength(lost.length);
    const inside = trace.filter(({ name, ph }) => ph === "X" && name === "inside");
    expect(inside).toHaveLength(all.filter(({ event }) => event === "enter").length);
    for (const { dur } of inside) expect(dur).toBeGreaterThanOrEqual(20_000);
    const names = trace.filter(({ name }) => name === "process_name").map(({ args }) => args.name);
    for (const id of source.header.stations) expect(names).toContain(`station ${id}`);
  });
});
