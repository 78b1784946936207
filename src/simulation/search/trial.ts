/**
 * A trial: a ring, a script of faults that ends with `calm`, and an observer that watches the records after every event.
 * Plan and script determine it completely.
 */
import { boundOf, SEVERAL, serviceBound, TOKEN_LOST } from "../../check/bounds.ts";
import { judge } from "../../check/liveness.ts";
import { Observer, type Violation } from "../../check/observer.ts";
import { Settling } from "../../check/settling.ts";
import { RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE } from "../../log/records.ts";
import { limitsOf, type Plan } from "../plan.ts";
import { parseAction, schedule } from "../script/script.ts";
import { Simulation } from "../simulation.ts";

export interface Trial {
  /** Name of the bound for its recovery. */
  fault: string;
  plan: Plan;
  /** Lines of a script in the order of time; the last is `<time> calm [stations that stay as they are]`. */
  script: string[];
}

export interface TrialResult {
  violation: Violation | null;
  /** From the end of the faults to the last sign of recovery; 0 when there was none. Milliseconds. */
  recoveryMs: number;
  boundMs: number;
  records: RecordColumns;
}

const MICROS = 1000;

/** Runs a trial to its end, or to the first violation. */
export function runTrial(trial: Trial): TrialResult {
  const { plan } = trial;
  const limits = limitsOf(plan);
  const boundMs = boundOf({ ...plan, limits }, trial.fault).ms;
  const actions = trial.script.map(parseAction);
  const calmAt = Math.max(0, ...actions.map((action) => action.at));
  const settledAt = calmAt + Math.ceil(boundMs * MICROS);
  const critical = Math.max(plan.criticalMs, 0);
  const serviceMicros = MICROS * serviceBound({ ...plan, limits }).ms;
  const tokenMicros = MICROS * (2 * limits.token + critical);
  const end = settledAt + Math.ceil(serviceMicros + tokenMicros);

  const records = new RecordColumns(1 << 14);
  const sim = new Simulation(plan, records);
  sim.medium.witness = true;
  const observer = new Observer({ ...plan, step: sim.settings.step }, records, {
    recoveryMicros: MICROS * boundOf({ ...plan, limits }, SEVERAL).ms,
  });
  const settling = new Settling();
  sim.bootAll();
  schedule(sim, [...actions, { at: settledAt, verb: "request", args: ["all"] }]);

  let seen = 0;
  while (sim.clock.peek() <= end) {
    sim.step();
    if (records.length === seen) continue;
    if (observer.read()) break;
    for (; seen < records.length; seen++) settling.see(seen, observer.view);
  }
  const unsettled = settling.unsettledAt;
  const since = trial.fault === TOKEN_LOST ? firstLoss(records) : calmAt;
  const recoveryMs = Math.max(0, unsettled - since) / MICROS;
  let { violation } = observer;
  const last = { record: records.length - 1, t: Math.min(sim.clock.now, end) };
  if (!violation) {
    const options = { tokenMicros, serviceMicros, orphanMicros: MICROS * 10 * limits.rotation };
    const [text] = judge(observer.view, end, options);
    if (text !== undefined) violation = { claim: "liveness", text, ...last };
    else if (recoveryMs > boundMs) {
      const record = lastBefore(records, unsettled);
      const detail = `${recoveryMs.toFixed(1)} ms after the end of the faults (${trial.fault}) the ring still recovers, the bound is ${boundMs.toFixed(1)} ms`;
      violation = { claim: "bound", text: detail, record, t: unsettled };
    }
  }
  return { violation, recoveryMs, boundMs, records };
}

/** @returns the last record at a time */
function lastBefore(records: RecordColumns, time: number): number {
  let i = records.length - 1;
  while (i > 0 && (records.t[i] as number) > time) i--;
  return i;
}

/** @returns when a frame was lost first, microseconds */
function firstLoss(records: RecordColumns): number {
  for (let i = 0; i < records.length; i++) {
    if (records.event[i] === EVENT_CODE.dropped) return records.t[i] as number;
  }
  return Infinity;
}
