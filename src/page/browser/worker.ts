/** The page's worker: simulates, and reads logs, so that the page itself never stands still. */
import { UsageError } from "../../errors.ts";
import { watchOf } from "../../host/ring/run-watch-of.ts";
import { RecordColumns } from "../../log/columns.ts";
import { type RunHeader, SCHEMA } from "../../log/records.ts";
import type { Plan } from "../../simulation/plan.ts";
import type { Action } from "../../simulation/script/script.ts";
import { LogStream } from "../model/log-stream.ts";
import { Simulator } from "../model/simulator.ts";
import type { Answer, Ask } from "../model/worker-messages.ts";

/** The worker listens between so many steps. */
const STEPS = 20_000;
/** More records than this are not kept: 40 bytes each, here and in the page. */
const MOST_RECORDS = 2_000_000;
const BATCH = 16_384;

/** The worker's side of what the page calls `Worker`. */
declare const self: {
  onmessage: ((event: MessageEvent<Ask>) => void) | null;
  postMessage(answer: Answer): void;
};

let current = 0;
let simulator: Simulator | null = null;
let watch: ReturnType<typeof watchOf> | null = null;
const batch = new RecordColumns(BATCH);
let goal = 0;
let sent = 0;
let running = false;

function say(answer: Answer): void {
  self.postMessage(answer);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function headerOf(plan: Plan, script: Action[], until: number): RunHeader {
  return {
    schema: SCHEMA,
    program: "ringlab page",
    kind: "simulation",
    seed: plan.seed,
    stations: plan.ids,
    wiring: plan.wiring,
    baud: plan.baud,
    election: plan.election,
    plan: { plan, script, until },
  };
}

async function advance(run: number): Promise<void> {
  if (running) return;
  running = true;
  let full = false;
  while (run === current && simulator && !full) {
    const reached = simulator.run(goal, STEPS);
    simulator.take(batch);
    if (batch.length) {
      watch?.write(batch);
      sent += batch.length;
      say({ kind: "records", run, parts: batch.parts() });
      batch.clear();
    }
    full = sent >= MOST_RECORDS;
    if (reached || full) {
      const bad = watch?.violation;
      const violation = bad ? `${bad.claim} does not hold at ${bad.t / 1e6} s: ${bad.text}` : "";
      say({ kind: "reached", run, until: simulator.now, full, violation, warnings: [] });
      break;
    }
    await turn();
  }
  running = false;
  if (run !== current && simulator) void advance(current);
}

async function readLog(run: number, name: string, file: Blob): Promise<void> {
  const stream = new LogStream(name);
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let told = false;
  let last = 0;
  const hand = () => {
    if (!told && stream.header) {
      say({ kind: "header", run, header: stream.header });
      told = true;
    }
    if (!stream.waiting) return;
    const records = stream.take();
    last = Math.max(last, records.t[records.length - 1] as number);
    sent += records.length;
    say({ kind: "records", run, parts: records.parts() });
  };
  let full = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (run !== current) return;
    if (done) break;
    stream.push(value);
    if (stream.waiting >= BATCH || !told) hand();
    if (sent >= MOST_RECORDS) {
      full = true;
      break;
    }
  }
  hand();
  const warnings = full ? [`only the first ${sent} records are shown`] : stream.end();
  say({ kind: "reached", run, until: last, full, violation: "", warnings });
}

async function answer(ask: Ask): Promise<void> {
  if (ask.kind === "extend" || ask.kind === "look") {
    if (ask.run !== current || !simulator) return;
    if (ask.kind === "look")
      say({ kind: "states", run: ask.run, at: ask.at, states: simulator.look(ask.at) });
    else {
      goal = Math.max(goal, ask.until);
      await advance(ask.run);
    }
    return;
  }
  current = ask.run;
  sent = 0;
  simulator = null;
  if (ask.kind === "log") return readLog(ask.run, ask.name, ask.file);
  simulator = new Simulator(ask.plan, ask.script);
  watch = watchOf(ask.plan, true);
  goal = ask.until;
  say({ kind: "header", run: ask.run, header: headerOf(ask.plan, ask.script, ask.until) });
  await advance(ask.run);
}

self.onmessage = ({ data }: MessageEvent<Ask>) => {
  answer(data).catch((error: unknown) => {
    const reason = error instanceof UsageError ? error.message : String(error);
    say({ kind: "refused", run: data.run, reason });
  });
};
