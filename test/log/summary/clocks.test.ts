import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memorySource, type RunSource } from "../../../src/log/file/source.ts";
import { HOST, isFrameRecord, type RunRecord } from "../../../src/log/records.ts";
import {
  findEarlySends,
  type StampedEvent,
  stampedEvents,
  stampedRecords,
} from "../../../src/log/summary/clocks.ts";
import { header, toColumns } from "../arbitrary.ts";
import { sampleRun } from "../sample.ts";

const stamps = (source: RunSource): StampedEvent[] => [...stampedEvents(source, findEarlySends(source))];
const run = (list: RunRecord[]) => memorySource(header, toColumns(list));
const key = (kind: string, record: RunRecord) => `${kind} ${record.seq}`;

function less(a: readonly number[], b: readonly number[]): boolean {
  const size = Math.max(a.length, b.length);
  let smaller = false;
  for (let k = 0; k < size; k++) {
    if ((a[k] ?? 0) > (b[k] ?? 0)) return false;
    if ((a[k] ?? 0) < (b[k] ?? 0)) smaller = true;
  }
  return smaller;
}

/**
 * Happened-before by its definition (Lamport 1978): the transitive closure of each station's own order and of send
 * before receive. Own order: as recorded; a send stands behind what was recorded before its frame and was over when it
 * started.
 */
function closure(records: RunRecord[]): { events: string[]; before: boolean[][] } {
  const perStation = new Map<number, { name: string; seq: number; t: number; send: boolean }[]>();
  const at = (station: number) => {
    if (!perStation.has(station)) perStation.set(station, []);
    return perStation.get(station) as { name: string; seq: number; t: number; send: boolean }[];
  };
  for (const record of records) {
    const { seq, t } = record;
    if (!isFrameRecord(record)) {
      if (record.station !== HOST)
        at(record.station).push({ name: key("local", record), seq, t, send: false });
    } else if (record.event === "hop")
      at(record.to).push({ name: key("receive", record), seq, t, send: false });
  }
  for (const record of records) {
    if (!isFrameRecord(record) || record.event === "delayed" || record.event === "duplicated") continue;
    const list = at(record.from);
    const start = record.t - record.took;
    let place = 0;
    list.forEach((other, k) => {
      if (other.send || (other.seq < record.seq && other.t <= start)) place = k + 1;
    });
    list.splice(place, 0, { name: key("send", record), seq: record.seq, t: start, send: true });
  }
  const events = [...perStation.values()].flat().map((event) => event.name);
  const index = new Map(events.map((name, i) => [name, i]));
  const before = events.map(() => events.map(() => false));
  const edge = (a: string, b: string) => {
    const row = before[index.get(a) as number] as boolean[];
    if (index.has(b)) row[index.get(b) as number] = true;
  };
  for (const list of perStation.values()) {
    for (let k = 1; k < list.length; k++)
      edge((list[k - 1] as { name: string }).name, (list[k] as { name: string }).name);
  }
  for (const record of records) if (record.event === "hop") edge(key("send", record), key("receive", record));
  for (let k = 0; k < events.length; k++) {
    for (let i = 0; i < events.length; i++) {
      if (!before[i]?.[k]) continue;
      for (let j = 0; j < events.length; j++) if (before[k]?.[j]) (before[i] as boolean[])[j] = true;
    }
  }
  return { events, before };
}

function expectClocksToBeRight(records: RunRecord[]): void {
  const { events, before } = closure(records);
  const found = new Map(stamps(run(records)).map((event) => [key(event.kind, event.record), event]));
  expect([...found.keys()].sort()).toEqual([...events].sort());
  events.forEach((a, i) => {
    events.forEach((b, j) => {
      if (i === j) return;
      const [x, y] = [found.get(a) as StampedEvent, found.get(b) as StampedEvent];
      if (less(x.vector, y.vector) !== before[i]?.[j]) throw new Error(`${a} and ${b}: ${before[i]?.[j]}`);
      if (before[i]?.[j] && !(x.lamport < y.lamport)) throw new Error(`Lamport: ${a} and ${b}`);
    });
  });
}

/** A run on three stations: local events, hops that overlap them, lost frames; several in one microsecond. */
const smallRun = fc
  .array(
    fc.record({
      wait: fc.constantFrom(0, 0, 1, 5),
      took: fc.integer({ min: 0, max: 12 }),
      from: fc.constantFrom(1, 2, 3),
      kind: fc.constantFrom("local", "local", "hop", "hop", "hop", "dropped", "corrupted", "delayed", "host"),
    }),
    { maxLength: 40 },
  )
  .map((steps): RunRecord[] => {
    let t = 100;
    const lastStart = [0, 0, 0, 0];
    return steps.map(({ wait, took, from, kind }, seq) => {
      t += wait;
      if (kind === "local") return { seq, t, event: "request", station: from, fields: {} };
      if (kind === "host") return { seq, t, event: "fault", station: HOST, fields: {} };
      // Links are first in, first out: a later frame does not start before an earlier one.
      const start = Math.max(lastStart[from] as number, t - took);
      lastStart[from] = start;
      const event = kind as "hop";
      const frame = { type: "TOK", src: from, dst: 253, args: [1, seq, 0], flags: 0 };
      return { seq, t, event, from, to: (from % 3) + 1, took: t - start, ...frame };
    });
  });

describe("vector and Lamport clocks", () => {
  it("a happened before b exactly when V(a) < V(b), and then L(a) < L(b) (Mattern 1989)", () => {
    fc.assert(fc.property(smallRun, expectClocksToBeRight), { numRuns: 300 });
  });

  it("hold on runs of the ring with an election, a crash and entries", () => {
    for (const seed of [1, 2, 3]) {
      const { columns } = sampleRun(["400ms request 2", "450ms crash 3"], 3, {
        ids: [1, 2, 3],
        seed,
        baud: 1000000,
      });
      const records = Array.from({ length: Math.min(200, columns.length) }, (_, i) => columns.get(i));
      expectClocksToBeRight(records);
    }
  });

  it("an event while the own frame is under way is not known to its receiver", () => {
    const frame = { type: "TOK", src: 1, dst: 253, args: [1, 1, 0], flags: 0 };
    const found = stamps(
      run([
        { seq: 0, t: 10, event: "request", station: 1, fields: {} },
        { seq: 1, t: 25, event: "request", station: 1, fields: {} },
        { seq: 2, t: 30, event: "hop", from: 1, to: 2, took: 10, ...frame },
      ]),
    );
    expect(found.map(({ kind, vector }) => [kind, ...vector])).toEqual([
      ["local", 1],
      ["send", 2],
      ["local", 3],
      ["receive", 2, 1],
    ]);
  });

  it("go on growing when a clock jumps back an hour, whatever the times are (any order of t)", () => {
    fc.assert(
      fc.property(
        smallRun,
        fc.array(fc.integer({ min: -3600e6, max: 3600e6 }), { maxLength: 40 }),
        (list, jumps) => {
          const skewed = list.map((record, i) => ({ ...record, t: record.t + (jumps[i] ?? 0) }));
          const own = new Map<number, number>();
          const sent = new Map<number, StampedEvent>();
          const lastSent = new Map<number, number>();
          for (const event of stamps(run(skewed))) {
            const place = header.stations.indexOf(event.station);
            expect(event.vector[place]).toBe((own.get(event.station) ?? 0) + 1);
            own.set(event.station, event.vector[place] as number);
            if (event.kind === "send") {
              sent.set(event.record.seq, event);
              // First in, first out.
              expect(event.record.seq).toBeGreaterThan(lastSent.get(event.station) ?? -1);
              lastSent.set(event.station, event.record.seq);
            }
            if (event.kind !== "receive") continue;
            const send = sent.get(event.record.seq) as StampedEvent;
            expect(less(send.vector, event.vector)).toBe(true);
            expect(send.lamport).toBeLessThan(event.lamport);
          }
        },
      ),
    );
  });

  it("stand beside every record in the order of the run", () => {
    fc.assert(
      fc.property(smallRun, (list) => {
        const stamped = [...stampedRecords(run(list))];
        expect(stamped.map(({ record }) => record)).toEqual(list);
        for (const { record, stamp, send } of stamped) {
          const isSend = isFrameRecord(record) && record.event !== "delayed";
          expect(send !== undefined).toBe(isSend);
          expect(stamp !== undefined).toBe(record.event === "hop" || record.event === "request");
          if (send && stamp) expect(less(send.vector, stamp.vector)).toBe(true);
        }
      }),
    );
  });
});
