/**
 * Runs a simulated ring and hands its records on in batches, at full speed or against the wall clock.
 */
import { RecordColumns } from "../../log/columns.ts";
import { handOn, type RecordConsumer } from "../../log/consumer.ts";
import type { Plan } from "../../simulation/plan.ts";
import { type Action, schedule } from "../../simulation/script/script.ts";
import { Simulation } from "../../simulation/simulation.ts";
import { whyWaiting } from "../../textbook/waiting.ts";

/** Records are handed on when so many have gathered. */
const BATCH = 16_384;
/** The program looks up after so long, ms: Ctrl-C must get through. */
const SLICE_MS = 25;
/** The time is looked at after so many steps. */
const STEPS = 256;
const TICK_MS = 20;
/**
 * A process that stood still for longer does not catch up, nor does one whose machine is slower than the pace: the ring
 * goes on from where it is, ms.
 */
const MOST_LATE_MS = 1000;

export interface Session {
  plan: Plan;
  actions: readonly Action[];
  /** Virtual microseconds after which the run ends. */
  until: number;
  /** Virtual seconds per second of the wall clock; Infinity: as fast as it goes. */
  pace: number;
  consumers: readonly RecordConsumer[];
  /** Called when all that was asked for is understood and the run begins. */
  onReady: (plan: Plan) => unknown;
  /** Ends the run early, cleanly. */
  signal?: AbortSignal;
}

/**
 * @returns when all records have been handed on: the size of the ring, how long it ran in µs, and which dead stations
 * others wait for, as sentences
 */
export async function runSession(
  session: Session,
): Promise<{ stations: number; micros: number; waiting: string[] }> {
  const records = new RecordColumns(BATCH);
  const sim = new Simulation(session.plan, records);
  const { consumers } = session;
  sim.bootAll();
  schedule(sim, session.actions);
  session.onReady(session.plan);
  const stopped = () => session.signal?.aborted === true;
  /** Runs until a virtual time, or until a slice of the real one is over. @returns whether the virtual time has come */
  const slice = (until: number): boolean => {
    const end = performance.now() + SLICE_MS;
    while (sim.clock.peek() <= until) {
      for (let k = 0; k < STEPS && sim.clock.peek() <= until; k++) sim.step();
      if (records.length >= BATCH) handOn(records, consumers);
      if (performance.now() >= end) return false;
    }
    return true;
  };
  if (session.pace === Infinity) {
    while (!stopped() && !slice(session.until)) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await allReady(consumers);
    }
  } else {
    let last = performance.now();
    let due = 0;
    while (!stopped() && sim.clock.now < session.until) {
      await new Promise<void>((resolve) => setTimeout(resolve, TICK_MS));
      const now = performance.now();
      due = Math.min(due + Math.min(now - last, MOST_LATE_MS) * 1000 * session.pace, session.until);
      last = now;
      if (slice(Math.floor(due))) sim.clock.advance(Math.floor(due));
      else due = sim.clock.now;
      handOn(records, consumers);
      await allReady(consumers);
    }
  }
  if (!stopped()) sim.clock.advance(session.until);
  handOn(records, consumers);
  return { stations: sim.stations.length, micros: sim.clock.now, waiting: whyWaiting(sim) };
}

/** A simulated ring waits for a reader that is behind; whoever stops it ends the waiting too. */
async function allReady(consumers: readonly RecordConsumer[]): Promise<void> {
  for (const consumer of consumers) await consumer.ready?.();
}
