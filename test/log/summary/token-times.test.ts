/** Outages, gaps and requests of a run: what the summary says is what the records show. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordColumns } from "../../../src/log/columns.ts";
import { isFrameRecord } from "../../../src/log/records.ts";
import { type RunSummary, Summary } from "../../../src/log/summary/summary.ts";
import { summaryLines } from "../../../src/log/summary/summary-text.ts";
import { Tally } from "../../../src/log/summary/tally.ts";
import { DEFAULT_PLAN } from "../../../src/simulation/plan.ts";
import { sampleHeader, sampleRun } from "../sample.ts";

const header = { ...sampleHeader(DEFAULT_PLAN), limits: { token: 100 } };

function summarise(columns: RecordColumns): RunSummary {
  const summary = new Summary(header);
  summary.write(columns);
  return summary.result();
}

/** A ring of three whose token goes on every 10 ms. */
class Ring {
  readonly columns = new RecordColumns();
  now = 0;
  #hop = 0;
  #epoch = 257;

  turn(hops: number): this {
    for (let k = 0; k < hops; k++) {
      this.now += 10_000;
      const from = 1 + (this.#hop % 3);
      const frame = { type: "TOK", src: from, dst: 253, args: [this.#epoch, this.#hop, 0], flags: 0 };
      this.columns.addFrame(this.now, "hop", from, 1 + (++this.#hop % 3), 5000, frame);
    }
    return this;
  }

  wait(micros: number): this {
    this.now += micros;
    return this;
  }

  event(...args: Parameters<RecordColumns["addEvent"]> extends [number, ...infer Rest] ? Rest : never): this {
    this.columns.addEvent(this.now, ...args);
    return this;
  }

  /** A new epoch begins here. */
  made(station: number): this {
    this.#epoch += 256;
    return this.event("regenerated", station, this.#epoch);
  }
}

describe("outages", () => {
  it("have their start, end, length and cause; the largest gap is that between two arrivals", () => {
    const ring = new Ring().turn(9).event("fault", 2, "crash").event("crash", 2, "power").wait(400_000);
    const run = summarise(ring.event("lost", 1, 257, "probe").made(1).turn(4).columns);
    expect(run.token).toEqual({
      first: 10_000,
      made: 1,
      lost: 1,
      gap: { from: 90_000, to: 500_000, took: 410_000 },
      outages: 1,
      outage: 400_000,
      outageList: [{ from: 90_000, to: 490_000, took: 400_000, cause: "crash of 2", open: false }],
    });
  });

  it("are none while a living station is inside, and begin when it dies there", () => {
    const inside = new Ring().turn(3).event("enter", 1, 257, 1).wait(5e6).event("exit", 1, 257, 1).turn(3);
    const { token } = summarise(inside.columns);
    expect(token.outages).toBe(0);
    expect(token.gap).toEqual({ from: 30_000, to: 5_040_000, took: 5_010_000, inside: 1 });
    // The run ends before the entry does.
    const ends = new Ring().turn(3).event("enter", 1, 257, 1).wait(5e6).event("console", 2, "x");
    expect(summarise(ends.columns).token.outages).toBe(0);
    const dies = new Ring().turn(3).event("enter", 1, 257, 1).wait(1e6).event("bypass", 1, "silent");
    const [outage] = summarise(dies.wait(300_000).made(3).columns).token.outageList;
    expect(outage).toMatchObject({ from: 1_030_000, took: 300_000, cause: "bypass of 1 (silent)" });
  });

  it("name the hang that came before the token did, and go on to the end where no token came back", () => {
    const ring = new Ring().turn(2).event("fault", 1, "hang").turn(1).wait(2e6).event("console", 3, "x");
    expect(summarise(ring.columns).token.outageList).toEqual([
      { from: 30_000, to: 2_030_000, took: 2_000_000, cause: "hang of 1", open: true },
    ]);
    const unknown = new Ring().turn(3).wait(2e6).turn(1);
    expect(summarise(unknown.columns).token.outageList[0]?.cause).toBe("no fault is recorded");
    const lost = new Ring().turn(3);
    const frame = { type: "TOK", src: 1, dst: 253, args: [257, 4, 0], flags: 0 };
    lost.columns.addFrame(lost.now, "dropped", 1, 2, 5000, frame);
    const [outage] = summarise(lost.wait(2e6).turn(1).columns).token.outageList;
    expect(outage?.cause).toBe("token dropped from 1 to 2");
  });

  it("are judged by the rotations that are usual where the ring's limits are not known", () => {
    const ring = new Ring().turn(30).wait(2e6).turn(30);
    const summary = new Summary();
    summary.write(ring.columns);
    expect(summary.result().token).toMatchObject({ outages: 1, outage: 2_010_000 });
  });

  it("of the crash of a coordinator are told by log and run alike, and are those of an independent reading", () => {
    const sample = sampleRun(["3s request 2,4", "4s crash 5", "7s request all", "8s restart 5"], 10);
    const { columns } = sample;
    let [before, gap] = [Number.NaN, 0];
    for (let i = 0; i < columns.length; i++) {
      const record = columns.get(i);
      if (!isFrameRecord(record) || record.event !== "hop" || record.type !== "TOK") continue;
      if (record.t - before > gap) gap = record.t - before;
      before = record.t;
    }
    const summary = new Summary(sample.header);
    summary.write(columns);
    const { token, requests } = summary.result();
    expect(gap).toBeGreaterThan(1_900_000);
    expect(token.gap?.took).toBe(gap);
    expect(token.outageList).toMatchObject([{ cause: "crash of 5" }]);
    expect(requests).toMatchObject({ asked: 6, served: 6, gone: 0, waiting: [] });
    const tally = new Tally();
    tally.tokenLimit = (sample.header.limits?.token as number) * 1000;
    tally.write(columns, 0, columns.length);
    expect(tally.token.result(10e6)).toEqual(token);
    expect(tally.requests.counts()).toEqual(requests);
  });
});

describe("the tokens of a ring without a fault", () => {
  it("are one, made and not lost", () => {
    for (const changes of [{}, { wiring: "wired" as const }, { election: "ring", preemptMs: -1 }]) {
      const sample = sampleRun(["3s request all"], 5, changes);
      const summary = new Summary(sample.header);
      summary.write(sample.columns);
      const run = summary.result();
      expect(run.token).toMatchObject({ made: 1, lost: 0, outages: 0 });
      expect(run.faults).toEqual({});
      expect(summaryLines(sample.header, run).join("\n")).toContain("made 1, lost 0");
    }
  });
});

describe("rotations", () => {
  it("count only what a station saw that was in the ring all the time", () => {
    const ends: [string, (ring: Ring) => Ring][] = [
      ["bypassed", (ring) => ring.event("bypass", 2, "silent").wait(15e6).event("insert", 2, "open")],
      ["dead", (ring) => ring.event("crash", 2, "power").wait(15e6).event("restart", 2, 7)],
      ["hanging", (ring) => ring.event("fault", 2, "hang").wait(15e6).event("fault", 2, "resume")],
    ];
    for (const [what, absent] of ends) {
      const ring = new Ring().turn(30);
      // Only station 2 sees it: the others have it all the time.
      absent(ring);
      const from = 1;
      const frame = { type: "TOK", src: from, dst: 253, args: [257, 99, 0], flags: 0 };
      ring.columns.addFrame(ring.now, "hop", from, 2, 5000, frame);
      expect(summarise(ring.columns).rotation.max, what).toBe(30_000);
    }
  });
});

describe("requests", () => {
  it("that were asked are served, gone with their station, or waiting", () => {
    const columns = new RecordColumns();
    columns.addEvent(1000, "request", 1);
    columns.addEvent(2000, "request", 2);
    columns.addEvent(3000, "request", 3);
    columns.addEvent(4000, "enter", 1, 257, 1);
    columns.addEvent(5000, "crash", 2, "power");
    const run = summarise(columns);
    const waiting = [{ station: 3, since: 3000 }];
    expect(run.requests).toEqual({ asked: 3, served: 1, gone: 1, waiting });
    expect(summaryLines(header, run).join("\n")).toContain(
      "asked 3, served 1, gone 1 (with the station), waiting 1 (3 since 0.003000 s)",
    );
  });

  it("always add up", () => {
    const steps = fc.array(
      fc.tuple(
        fc.constantFrom("request", "enter", "exit", "crash", "restart") as fc.Arbitrary<"request">,
        fc.nat(4),
      ),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const columns = new RecordColumns();
        list.forEach(([event, station], k) => {
          columns.addEvent(k, event, station);
        });
        const { asked, served, gone, waiting } = summarise(columns).requests;
        expect(served + gone + waiting.length).toBe(asked);
        expect(asked).toBe(list.filter(([event]) => event === "request").length);
      }),
    );
  });
});
