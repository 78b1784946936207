/** Runs the textbook's tasks on a bench of boards: each on a ring that is opened, and elects, for it alone. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../../firmware/types.d.ts";
import type { Bench } from "../../bench-file/load-bench.ts";
import { UsageError } from "../../errors.ts";
import { RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE } from "../../log/records.ts";
import { circulates, frameTypesOf, loadableNames } from "../../protocols/registry.ts";
import { limitsOf, type Plan } from "../../simulation/plan.ts";
import type { MutexRun, MutexTask, Runner } from "../../textbook/runner.ts";
import { type BenchRing, openBench, planOfBench } from "./bench-ring.ts";
import { startRing } from "./start-ring.ts";

const CRITICAL_MS = 30;
/** An idle station keeps the token so long: the request is there before it goes on from a known place. */
export const HOLD_MS = 300;
/** The records are looked at this often, ms. */
const LOOK_MS = 5;
/** A coordinator is agreed within this and the limit of an election, ms. */
const AGREE_MS = 20_000;
/** A station answers a request at least with a message within this and two rotations, ms. */
const ANSWER_MS = 5000;
/** Once messages have gone: so many rotations and critical sections without one end a batch; as on the simulated ring. */
const PATIENCE = 120;
/** Nothing comes of it when nobody has left for so many times as long. */
const NO_EXIT = 5;

/**
 * @param signal ends a task; the boards are released then
 * @returns what runs a task on the bench
 * @throws UsageError when a port does not answer, or boards lack a protocol; the reason of the signal
 */
export function benchRunner(bench: Bench, signal?: AbortSignal): Runner {
  return async (task) => {
    if (task.down?.length) throw new UsageError("no board of a bench is switched off for a task");
    const plan: Plan = {
      ...planOfBench(bench, task.seed ?? 1, task.algorithm),
      criticalMs: CRITICAL_MS,
      holdMs: circulates(task.algorithm) ? HOLD_MS : 0,
      leaseMs: 0,
    };
    const records = new RecordColumns(4096);
    const ends = signal ? { signal } : {};
    const opened = await openBench(bench, { plan, idsGiven: true, records, onRecords: () => {}, ...ends });
    try {
      await startRing(opened.ring);
      return await new BenchTask(task, plan, opened, records, signal).run();
    } finally {
      await opened.ring.stop();
      await opened.stop();
    }
  };
}

/** One task on a ring that has started. */
class BenchTask {
  readonly #task: MutexTask;
  readonly #plan: Plan;
  readonly #opened: BenchRing;
  readonly #records: RecordColumns;
  readonly #signal: AbortSignal | undefined;
  readonly #limits: Limits;
  /** Highest id: the one that every election elects. */
  readonly #highest: number;
  /** Frames of the elections, of the purge and of the algorithm. */
  readonly #types: ReadonlySet<string>;
  readonly #own: ReadonlySet<string>;
  readonly #coordinators = new Map<number, number>();
  readonly #left = new Set<number>();
  #read = 0;
  #movedAt = performance.now();
  #exitAt = 0;
  /** Messages of the algorithm, entries and exits of this batch. */
  #moves = 0;
  /** Where the token has come to with the latest records; -1 while nothing new is known. */
  #tokenAt = -1;
  #lastInside = -1;

  constructor(task: MutexTask, plan: Plan, opened: BenchRing, records: RecordColumns, signal?: AbortSignal) {
    this.#task = task;
    this.#plan = plan;
    this.#opened = opened;
    this.#records = records;
    this.#signal = signal;
    this.#limits = limitsOf(plan);
    this.#highest = Math.max(...task.ids);
    const own = circulates(task.algorithm) ? [] : frameTypesOf(task.algorithm);
    this.#own = new Set(own);
    this.#types = new Set(["PRG", ...frameTypesOf(plan.election), ...own]);
  }

  async run(): Promise<MutexRun> {
    const { algorithm, batches } = this.#task;
    await this.#agree();
    const spans: MutexRun["batches"] = [];
    let unserved: number[] = [];
    for (const batch of batches) {
      let holder = this.#lastInside < 0 ? this.#highest : this.#lastInside;
      if (circulates(algorithm)) holder = await this.#token(this.#task.tokenAt ?? holder);
      const from = this.#records.length;
      this.#moves = 0;
      this.#left.clear();
      this.#exitAt = performance.now();
      this.#movedAt = this.#exitAt;
      await this.#command("request", batch);
      await this.#served(batch);
      spans.push({ from, to: this.#records.length, holder });
      unserved = batch.filter((id) => !this.#left.has(id));
      if (unserved.length) break;
    }
    if (unserved.length && this.#moves === 0) {
      throw new UsageError(
        `${algorithm}: nobody answered station ${unserved.join(", ")}; do the boards carry it? ${this.#flash()}`,
      );
    }
    const records = inOrder(this.#records, this.#plan.wiring === "hub");
    return { records, coordinator: this.#highest, batches: spans, unserved, reasons: [] };
  }

  /** Waits until every station knows the highest as coordinator, and what comes after an election is done. */
  async #agree(): Promise<void> {
    await this.#command("elect", [this.#highest]);
    const agreed = () => this.#task.ids.every((id) => this.#coordinators.get(id) === this.#highest);
    if (!(await this.#until(AGREE_MS + this.#limits.election, agreed))) {
      const others = this.#task.ids.filter((id) => this.#coordinators.get(id) !== this.#highest);
      throw new UsageError(
        `station ${others.join(", ")} did not take ${this.#highest} for coordinator: do the boards carry ${this.#plan.election}? ${this.#flash()}`,
      );
    }
    await this.#until(AGREE_MS, () => this.#quiet());
  }

  /** Waits until the token has come to a station, which keeps it for a while. */
  async #token(id: number): Promise<number> {
    this.#look();
    this.#tokenAt = -1;
    const came = await this.#until(AGREE_MS + 2 * this.#rotation(), () => this.#tokenAt === id);
    if (!came)
      throw new UsageError(`the token did not come to station ${id}: look at the ring (ringlab run)`);
    return id;
  }

  /** Waits until all of a batch have left and their last message has gone, or nothing moves any more. */
  async #served(batch: readonly number[]): Promise<void> {
    const rotation = this.#rotation();
    const patience = PATIENCE * (this.#limits.rotation + CRITICAL_MS) + 2 * rotation;
    const done = () => {
      const idle = performance.now() - this.#movedAt;
      if (batch.every((id) => this.#left.has(id))) return this.#own.size === 0 || this.#quiet();
      return idle > (this.#moves ? patience : ANSWER_MS + 2 * rotation);
    };
    for (;;) {
      const left = this.#left.size;
      const ended = await this.#until(NO_EXIT * patience, done);
      if (ended || this.#left.size === left) return;
    }
  }

  /** A rotation of the token, ms, when every station keeps it. */
  #rotation(): number {
    return this.#limits.rotation + this.#plan.holdMs * this.#task.ids.length;
  }

  /** Has nothing moved for so long that nothing is under way? */
  #quiet(): boolean {
    return performance.now() - this.#movedAt > Math.max(150, 2 * this.#limits.rotation);
  }

  async #command(name: "request" | "elect", ids: readonly number[]): Promise<void> {
    const stations = this.#opened.ring.stations.filter(({ id }) => ids.includes(id));
    await Promise.all(stations.map((station) => station.command(name)));
  }

  /** @returns false when the limit came first */
  async #until(limitMs: number, holds: () => boolean): Promise<boolean> {
    for (const end = performance.now() + limitMs; ; await sleep(LOOK_MS)) {
      this.#signal?.throwIfAborted();
      this.#look();
      if (holds()) return true;
      if (performance.now() > end) return false;
    }
  }

  /** Takes note of the records that have come. */
  #look(): void {
    const { event, station, peer, type, frameTypes } = this.#records;
    for (; this.#read < this.#records.length; this.#read++) {
      const i = this.#read;
      const id = station[i] as number;
      const code = event[i];
      if (code === EVENT_CODE.hop) {
        const name = frameTypes[type[i] as number] as string;
        if (name === "TOK") this.#tokenAt = peer[i] as number;
        if (this.#types.has(name)) this.#movedAt = performance.now();
        if (this.#own.has(name)) this.#moves++;
      } else if (code === EVENT_CODE.coordinator) {
        this.#coordinators.set(id, this.#records.value(i, 0) as number);
      } else if (code === EVENT_CODE.enter || code === EVENT_CODE.exit) {
        this.#moves++;
        this.#movedAt = performance.now();
        this.#lastInside = id;
        if (code === EVENT_CODE.exit) this.#left.add(id);
      }
    }
  }

  #flash(): string {
    const loadable = loadableNames();
    const names = [this.#plan.election, this.#task.algorithm].filter((name) => loadable.includes(name));
    return `Flash them: ringlab flash --protocols ${names.join(",")}`;
  }
}

/**
 * A hop is recorded when the board has answered, which can be behind what the frame made it do: it is put before that.
 * @param arrived what arrived first was first: no record is earlier than the one before it
 * @returns the records in the order in which things happened
 */
function inOrder(records: RecordColumns, arrived: boolean): RecordColumns {
  const order: number[] = [];
  for (let i = 0; i < records.length; i++) {
    let k = order.length;
    if (records.event[i] === EVENT_CODE.hop) while (k > 0 && follows(records, order[k - 1] as number, i)) k--;
    order.splice(k, 0, i);
  }
  const sorted = new RecordColumns(Math.max(1, records.length));
  for (const i of order) sorted.copy(records, i);
  for (let i = 1; arrived && i < sorted.length; i++) {
    sorted.t[i] = Math.max(sorted.t[i] as number, sorted.t[i - 1] as number);
  }
  return sorted;
}

/** Is record `i` an event of the station that hop `hop` came to, and no earlier? */
function follows(records: RecordColumns, i: number, hop: number): boolean {
  return (
    records.event[i] !== EVENT_CODE.hop &&
    records.station[i] === records.peer[hop] &&
    (records.t[i] as number) >= (records.t[hop] as number)
  );
}
