/** `ringlab run`: starts a ring and shows what happens in it. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { quote, UsageError } from "../errors.ts";
import { runSession } from "../host/session.ts";
import { NdjsonWriter } from "../log/ndjson-writer.ts";
import { type RunHeader, SCHEMA } from "../log/records.ts";
import { Tally } from "../log/tally.ts";
import { limitsOf, type Plan } from "../simulation/plan.ts";
import { type Action, parseAction, parseTime } from "../simulation/script.ts";
import { parsePace, planOf, type RingOptions, repeated, ringOptions, timeOptions } from "./options.ts";
import { PROGRAM } from "./version.ts";
import { LiveView } from "./view.ts";
import { rows } from "./words.ts";

interface RunOptions extends RingOptions {
  duration: string;
  pace: string;
  at?: string[];
  script?: string;
  log?: string;
  hops?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab run --stations 5 --duration 6s --at "3s request 2,4" --at "4s crash 5"
  ringlab run --pace realtime --log ring.ndjson
  ringlab run --election ring --wiring wired --baud 9600 --duration 1m

Actions for --at and --script (time, verb, stations):
  crash, restart, hang, resume, pause, cut, mend, request, release, elect, send`;

export function register(program: Command): void {
  const command = program
    .command("run")
    .description("start a ring and show every hop")
    .option("--election <name>", "bully, ring or chang-roberts");
  timeOptions(ringOptions(command))
    .option("--duration <time>", "how long the ring runs, on its own clock", "10s")
    .option("--pace <pace>", "max, realtime, or ring seconds per second like 0.1", "max")
    .option("--at <action>", 'what happens and when, e.g. "2s crash 5"; repeatable', repeated)
    .option("--script <file>", "a file with one action a line")
    .option("--log <file>", "write every record to an NDJSON file")
    .option("--hops", "a line for every hop, not only for events")
    .option("--json", "one JSON object on stdout at the end, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action(run);
}

async function run(options: RunOptions): Promise<void> {
  const plan = planOf(options);
  const actions = readActions(options);
  const until = parseTime(options.duration);
  const pace = parsePace(options.pace);
  const tally = new Tally();
  const view = options.json ? null : new LiveView(process.stdout, options.hops === true, plan.ids.length);
  if (view) process.stdout.write(`${opening(plan)}\n`);
  const header: RunHeader = {
    schema: SCHEMA,
    program: PROGRAM,
    kind: "simulation",
    seed: plan.seed,
    stations: plan.ids,
    wiring: plan.wiring,
    baud: plan.baud,
    election: plan.election,
    plan: { plan, script: actions, until },
  };
  const writer = options.log === undefined ? null : new NdjsonWriter(options.log, header);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  try {
    const consumers = [
      tally,
      ...(writer ? [writer, { write: () => pace < Infinity && writer.flush() }] : []),
      ...(view ? [view] : []),
    ];
    const sim = await runSession({ plan, actions, until, pace, consumers, signal: stop.signal });
    view?.end();
    const result = {
      stations: plan.ids.length,
      hops: tally.count("hop"),
      entries: tally.count("enter"),
      coordinator: tally.coordinator,
      epoch: tally.epoch,
      violations: 0,
      log: options.log ?? null,
    };
    writer?.close({ records: tally.records, counts: {}, verdict: stop.signal.aborted ? "stopped" : "done" });
    if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else process.stdout.write(closing(result, tally, sim.clock.now));
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}

function readActions(options: RunOptions): Action[] {
  const lines = [...(options.at ?? [])];
  if (options.script !== undefined) {
    let text: string;
    try {
      text = readFileSync(options.script, "utf8");
    } catch (error) {
      throw new UsageError(
        `--script ${quote(options.script)} cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      );
    }
    lines.push(...text.split("\n").filter((line) => line.trim() && !line.trim().startsWith("#")));
  }
  return lines.map(parseAction);
}

/** What is said before the first event: the ring and its time limits. */
function opening(plan: Plan): string {
  const limits = limitsOf(plan);
  const ids = plan.ids.length > 12 ? `${plan.ids.length} stations` : `stations ${plan.ids.join(" → ")} →`;
  const shown = Object.entries(limits).map(
    ([name, ms]) => `${name} ${ms >= 10 ? ms.toFixed(0) : ms.toFixed(1)}`,
  );
  return [
    `Ring of ${ids} (${plan.wiring}, ${plan.baud} baud, election ${plan.election}, seed ${plan.seed})`,
    `Limits in ms: ${shown.join(", ")}`,
    "",
  ].join("\n");
}

function closing(
  result: {
    stations: number;
    hops: number;
    entries: number;
    coordinator: number;
    epoch: number;
    log: string | null;
  },
  tally: Tally,
  micros: number,
): string {
  const messages = Object.entries(tally.messages).map(([name, n]) => `${name} ${n}`);
  const hops = Object.entries(tally.hopsByType).map(([type, n]) => `${type} ${n}`);
  return `\n${rows([
    ["ring time", `${(micros / 1e6).toFixed(3)} s`],
    ["stations", String(result.stations)],
    ["hops", `${result.hops} (${hops.join(", ")})`],
    ["entries", String(result.entries)],
    ["messages", messages.join(", ") || "none"],
    ["coordinator", result.coordinator < 0 ? "none yet" : String(result.coordinator)],
    ["epoch", String(result.epoch)],
    ["tokens lost, made", `${tally.count("lost")}, ${tally.count("regenerated")}`],
    ["frames dropped, refused", `${tally.count("dropped")}, ${tally.count("bad")}`],
    ["log", result.log ?? "none (--log FILE keeps one)"],
  ])}`;
}
