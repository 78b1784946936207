/** Rings of boards for the tests: their records as they come, and waiting for one of them within a limit. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, makeBench } from "../../src/bench-file/load-bench.ts";
import type { RunWatch } from "../../src/check/run-watch.ts";
import { type BenchRing, openBench, planOfBench } from "../../src/host/bench/bench-ring.ts";
import { boardAction } from "../../src/host/ring/board-actions.ts";
import { watchOf } from "../../src/host/ring/run-watch-of.ts";
import type { ReconnectOptions } from "../../src/link/reconnect.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { formatRecord } from "../../src/log/format.ts";
import {
  type FrameEvent,
  type FrameRecord,
  isFrameRecord,
  type RunRecord,
  type StationRecord,
} from "../../src/log/records.ts";
import type { Plan } from "../../src/simulation/plan.ts";
import { parseAction } from "../../src/simulation/script/script.ts";

export interface RingChanges {
  wiring?: "hub" | "wired";
  election?: string;
  ids?: readonly number[];
  options?: object;
}

/** A bench of ports in ring order; "emulated" is a board in this process. */
export function benchOf(ports: readonly string[], changes: RingChanges = {}): Bench {
  const { wiring = "hub", election = "bully", ids, options } = changes;
  const stations = ports.map((port, i) => ({ id: ids?.[i] ?? i + 1, port, board: "emulated" }));
  const bench = { title: "a test", wiring, election, stations, ...(options ? { options } : {}) };
  return makeBench(bench, process.cwd(), () => "test");
}

export class TestRing {
  readonly records: RunRecord[] = [];
  readonly opened: BenchRing;
  readonly plan: Plan;
  /** The check that a run makes while it lasts. */
  readonly watch: RunWatch;

  private constructor(opened: BenchRing, plan: Plan, records: RunRecord[], watch: RunWatch) {
    this.opened = opened;
    this.plan = plan;
    this.records = records;
    this.watch = watch;
  }

  static async open(
    bench: Bench,
    idsGiven = true,
    reconnect: Partial<ReconnectOptions> = {},
  ): Promise<TestRing> {
    const columns = new RecordColumns();
    const records: RunRecord[] = [];
    const plan = planOfBench(bench, 1);
    const watch = watchOf(plan, false);
    const onRecords = () => {
      watch.write(columns);
      for (let i = 0; i < columns.length; i++) records.push(columns.get(i));
      columns.clear();
    };
    const opened = await openBench(bench, { plan, idsGiven, records: columns, onRecords, reconnect });
    return new TestRing(opened, plan, records, watch);
  }

  static async start(
    bench: Bench,
    idsGiven = true,
    reconnect: Partial<ReconnectOptions> = {},
  ): Promise<TestRing> {
    const ring = await TestRing.open(bench, idsGiven, reconnect);
    const failed = await ring.opened.ring.start();
    if (failed.length > 0) throw new Error(`station ${failed} did not start`);
    return ring;
  }

  /** Does what a line of a script says, now. @throws UsageError */
  act(action: string): void {
    boardAction(this.opened, parseAction(`0s ${action}`))();
  }

  /** Frames to which a fault did this, by their transmitter. */
  frames(event: FrameEvent, from: number): FrameRecord[] {
    return this.records.filter(
      (record): record is FrameRecord =>
        isFrameRecord(record) && record.event === event && record.from === from,
    );
  }

  /** Events of stations, without frames. */
  events(name?: string): StationRecord[] {
    return this.records.filter(
      (record): record is StationRecord => !isFrameRecord(record) && (!name || record.event === name),
    );
  }

  hops(type?: string): number {
    return this.records.filter(
      (record) => isFrameRecord(record) && record.event === "hop" && (!type || record.type === type),
    ).length;
  }

  count(name: string, station?: number): number {
    return this.events(name).filter((record) => station === undefined || record.station === station).length;
  }

  /** Waits until something holds. @throws with the latest events when that takes longer than `limitMs` */
  async until(what: string, holds: () => boolean, limitMs = 10_000): Promise<void> {
    for (const deadline = performance.now() + limitMs; !holds(); await sleep(10)) {
      if (performance.now() < deadline) continue;
      const last = this.events().slice(-30).map(formatRecord);
      const text = last.map((line) => `${line.time} ${line.who} ${line.what}`).join("\n");
      throw new Error(`not within ${limitMs} ms: ${what}\n${text}`);
    }
  }

  /** Waits for the first token, and so many of its hops. */
  forms(hops = 20, limitMs = 15_000): Promise<void> {
    return this.until("the ring forms", () => this.hops("TOK") >= hops, limitMs);
  }

  async stop(): Promise<void> {
    await this.opened.ring.stop();
    await this.opened.stop();
  }
}
