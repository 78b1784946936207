/** Runs a ring of boards and hands its records on as they come. */
import type { Bench } from "../../bench-file/load-bench.ts";
import { UsageError } from "../../errors.ts";
import { hostTimers } from "../../link/time.ts";
import { RecordColumns } from "../../log/columns.ts";
import { handOn, type RecordConsumer } from "../../log/consumer.ts";
import type { Plan } from "../../simulation/plan.ts";
import { type Action, located } from "../../simulation/script/script.ts";
import { boardAction } from "../ring/board-actions.ts";
import { type BenchRing, openBench, type Relay } from "./bench-ring.ts";
import { startRing } from "./start-ring.ts";

export interface BenchRun {
  bench: Bench;
  plan: Plan;
  /** False: boards that have ids of their own keep them. */
  idsGiven: boolean;
  actions: readonly Action[];
  /** Microseconds after which the run ends. */
  until: number;
  consumers: readonly RecordConsumer[];
  /** The relays of a bench panel, for a wired ring. */
  relay?: Relay;
  /** Called with the ring before it starts. */
  onRing?: (ring: BenchRing) => unknown;
  signal: AbortSignal;
  /** Called when every station has answered and the run begins, with the ids as they are. */
  onReady: (plan: Plan) => unknown;
}

/** @returns the size of the ring and how long it ran, µs @throws UsageError when a port does not answer */
export async function runBench(run: BenchRun): Promise<{ stations: number; micros: number }> {
  const records = new RecordColumns(4096);
  let fail: (error: unknown) => void = () => {};
  // What goes wrong in a timer would end the process, with the boards left as they are.
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  broken.catch(() => {});
  const onRecords = () => {
    try {
      handOn(records, run.consumers);
    } catch (error) {
      fail(error);
    }
  };
  const { bench, plan, idsGiven, signal } = run;
  const relay = run.relay ? { relay: run.relay } : {};
  const opening = openBench(bench, { plan, idsGiven, records, onRecords, signal, ...relay });
  const opened = await opening.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (!opened) return { stations: bench.stations.length, micros: 0 };
  const cancels: (() => void)[] = [];
  try {
    const acts = run.actions.map((action) => ({
      at: action.at,
      act: located(action, () => boardAction(opened, action)),
    }));
    run.onRing?.(opened);
    // Before the stations start: nothing that they say is left out.
    run.onReady(opened.plan);
    for (const words of opened.renamed) opened.ring.remark(words);
    await startRing(opened.ring);
    // The stations have taken their time to start; an action counts from where the records do.
    const late = opened.ring.now;
    for (const { at, act } of acts) cancels.push(hostTimers.after(Math.max(0, at - late) / 1000, act));
    await Promise.race([broken, ended(Math.max(0, run.until - late), signal, opened.ring.allGone)]);
    return { stations: opened.ring.stations.length, micros: opened.ring.now };
  } finally {
    for (const cancel of cancels) cancel();
    await opened.ring.stop();
    await opened.stop();
    onRecords();
  }
}

/** @throws UsageError when no board is left */
function ended(micros: number, signal: AbortSignal, allGone: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const cancel = hostTimers.after(micros / 1000, resolve);
    void allGone.then(() => {
      cancel();
      reject(new UsageError("every board has gone: the run ends; plug them in and start it again"));
    });
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}
