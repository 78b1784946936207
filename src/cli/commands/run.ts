/** `ringlab run`: starts a ring and shows what happens in it. */
import type { Command } from "commander";
import type { Bench } from "../../bench-file/load-bench.ts";
import { UsageError } from "../../errors.ts";
import type { BenchRing } from "../../host/bench/bench-ring.ts";
import { runBench } from "../../host/bench/run-bench.ts";
import { runSession } from "../../host/ring/session.ts";
import type { Input } from "../../log/file/overwrite.ts";
import { type RunHeader, SCHEMA } from "../../log/records.ts";
import { wordsOfOptions } from "../../page/model/set-up.ts";
import type { BenchPanel } from "../../panel/bench-panel.ts";
import { timeOption } from "../../simulation/option-values.ts";
import { limitsOf, type Plan } from "../../simulation/plan.ts";
import { type Action, parseAction } from "../../simulation/script/script.ts";
import { benchOf, type PortOptions, withBroker } from "../bench-options.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import type { LivePage } from "../live-page.ts";
import {
  oneForm,
  parsePace,
  planOf,
  planOptions,
  type RingOptions,
  repeated,
  wholeNumber,
} from "../options.ts";
import { type ActionOptions, actionHelp, drawActions } from "../run-actions.ts";
import { type OutputOptions, RunOutputs } from "../run-outputs.ts";
import { readScript, storyList, storyNamed, underCommandLine } from "../script-file.ts";
import { servePage } from "../serve-page.ts";
import { complain, print } from "../terminal.ts";
import { PROGRAM } from "../version.ts";

export interface RunOptions extends RingOptions, PortOptions, OutputOptions, ActionOptions {
  duration?: string;
  pace?: string;
  page?: boolean;
  open?: boolean;
}

const DURATION = "10s";

const examples = () => `
Stories, simulated rings in which something happens, told from the first line to the last:
${storyList()}

Examples:
  ringlab run lease
  ringlab run --stations 5 --duration 6s --at "3s request 2,4" --at "4s crash 5"
  ringlab run --pace realtime --log ring.ndjson
  ringlab run --election ring --wiring wired --baud 9600 --duration 1m
  ringlab run emulated-5 --duration 20s --at "5s request all"
  ringlab run --pace realtime --pcapng - | wireshark -k -i -
  ringlab run --ports /dev/ttyACM0,/dev/ttyACM1,/dev/ttyACM2
  ringlab run --broker mqtt://192.168.1.20/ring7          boards that others share (ringlab share)
  ringlab run emulated-5 --duration 30s --at "8s hang 2" --at "12s resume 2" --at "20s drop 3 1 TOK"
  ringlab run emulated-5 --duration 1m --faults 7
  ringlab run emulated-5 --duration 5m --page

A script may say in a comment which ring it needs: # ringlab run --stations 3 --lease 1s --duration 6s
`;

export function register(program: Command): void {
  const command = program
    .command("run")
    .description("start a ring and show every hop")
    .argument("[bench]", "a bench file, or the name of a ready one: a ring of boards; or the name of a story")
    .option("--ports <list>", "ports of boards in ring order, with commas")
    .option("--broker <url>", "the stations that are shared on a ring of an MQTT broker: mqtt://HOST/RING");
  planOptions(command)
    .option("--duration <time>", `how long the ring runs, on its own clock (default: ${DURATION})`)
    .option(
      "--pace <pace>",
      "max, realtime, or ring seconds per second like 0.1 (default: max; boards have a pace of their own)",
    )
    .option("--at <action>", 'what happens and when, e.g. "2s crash 5"; repeatable', repeated)
    .option("--script <file>", "a file with one action a line")
    .option("--faults <seed>", "faults at random, drawn from a seed", wholeNumber("--faults", 0, 2 ** 53 - 1))
    .option("--log <file>", "write every record to an NDJSON file")
    .option("--pcapng <path>", "write a capture while the ring runs, to a file, a pipe, or - for stdout")
    .option("--hops", "a line for every hop, not only for events")
    .option(
      "--page",
      "show the run in the browser: boards as they go; a simulated ring runs in the page itself",
    )
    .option("--no-open", "with --page: only print the address")
    .option("--json", "one JSON object on stdout at the end, and nothing else")
    .addHelpText("after", () => `${examples()}\n${actionHelp()}`)
    .action((path: string | undefined, options: RunOptions) => run(path, options));
}

/**
 * @param panelPort of a bench panel, where that of the bench file is not meant; "" stands for the file's
 * @throws UsageError
 */
export async function run(path: string | undefined, given: RunOptions, panelPort?: string): Promise<void> {
  // A panel stands beside boards only.
  const story = path === undefined || panelPort !== undefined ? null : storyNamed(path);
  if (story !== null && (given.ports ?? given.broker ?? given.script) !== undefined) {
    throw new UsageError(`${path} is a story of its own: leave out --ports, --broker and --script`);
  }
  const file = story ?? given.script;
  const script = file === undefined ? { options: {}, actions: [], text: [] } : readScript(file);
  const options = await withBroker(underCommandLine(script.options, given));
  const boards = story === null && (path !== undefined || options.ports !== undefined);
  const actions = [...(given.at ?? []).map(parseAction), ...script.actions];
  const until = timeOption("--duration")(options.duration ?? DURATION);
  oneForm(options);
  const pace = parsePace(options.pace ?? "max");
  if (boards && options.pace !== undefined && pace !== 1)
    throw new UsageError(`--pace ${options.pace} is for simulated rings: boards go at their own, realtime`);
  const bench = boards ? benchOf(path, options) : null;
  const plan = bench ? bench.plan : planOf(options);
  if (options.faults !== undefined) actions.push(...drawActions(options.faults, plan, bench !== null, until));
  const late = actions.filter(({ at }) => at > until).length;
  if (late > 0)
    complain(`${late} of ${actions.length} actions come after the end of the run: give a longer --duration`);
  if (options.page && !bench) {
    await servePage({ words: wordsOfOptions(options), actions, open: given.open !== false });
    return;
  }
  const ending = interruptible();
  const outputs = new RunOutputs(options, ending);
  let panel: BenchPanel | null = null;
  let page: LivePage | null = null;
  const onReady = (plan: Plan) => {
    const known = header(plan, actions, until, bench !== null);
    outputs.begin({
      plan,
      header: known,
      live: bench !== null || pace < Infinity,
      ordered: bench === null,
      story: story === null ? [] : script.text,
    });
    page?.begin(known);
  };
  let verdict = "failed";
  try {
    await outputs.prepare(
      inputsOf(bench ? path : undefined, story === null ? file : undefined, bench?.bench),
    );
    const { consumers } = outputs;
    const { signal } = ending;
    const shared = { actions, until, consumers, signal, onReady };
    if (bench && (panelPort !== undefined || bench.bench.panel?.port !== undefined)) {
      panel = await openPanel(bench.bench, panelPort, signal);
      consumers.push(panel);
    }
    if (options.page) {
      const opened = await openPage(given.open !== false);
      page = opened;
      consumers.push(opened.feed);
    }
    const hooks = { ...panel?.hooks };
    const onRing = (ring: BenchRing) => {
      hooks.onRing?.(ring);
      page?.control(ring);
    };
    const end: { stations: number; micros: number; waiting?: string[] } = bench
      ? await runBench({ ...shared, ...bench, ...hooks, onRing })
      : await runSession({ ...shared, plan, pace });
    const violation = outputs.end(end.stations, end.micros);
    for (const reason of end.waiting ?? []) complain(reason);
    if (violation) {
      process.exitCode = 1;
      const { claim, t, text } = violation;
      complain(`${claim} does not hold at ${t / 1e6} s: ${text}`);
    }
    verdict = signal.aborted ? "stopped" : "done";
  } catch (error) {
    // Stopped before it began, as where a pipe had no reader yet.
    if (!ending.signal.aborted || error !== ending.signal.reason) throw error;
    process.exitCode = INTERRUPTED;
  } finally {
    await outputs.close(verdict);
    await panel?.close();
    await page?.close(verdict);
  }
}

/** What an output of the run must not be. */
function inputsOf(
  benchFile: string | undefined,
  script: string | undefined,
  bench: Bench | undefined,
): Input[] {
  const ports = bench ? [...bench.stations.map(({ port }) => port), bench.panel?.port] : [];
  return [
    ...(benchFile === undefined ? [] : [{ what: "bench file of this run", path: benchFile }]),
    ...(script === undefined ? [] : [{ what: "script of this run", path: script }]),
    ...ports.flatMap((path) => (path === undefined ? [] : [{ what: "port of a board of this run", path }])),
  ];
}

async function openPage(isShown: boolean): Promise<LivePage> {
  const { LivePage } = await import("../live-page.ts");
  return LivePage.open(isShown);
}

async function openPanel(bench: Bench, port: string | undefined, signal: AbortSignal): Promise<BenchPanel> {
  const { BenchPanel, panelOf } = await import("../../panel/bench-panel.ts");
  const say = (text: string) => print(`${text}\n`, process.stderr);
  return BenchPanel.open({ ...panelOf(bench, port || undefined), say, signal });
}

function header(plan: Plan, actions: Action[], until: number, boards: boolean): RunHeader {
  return {
    schema: SCHEMA,
    program: PROGRAM,
    kind: boards ? "boards" : "simulation",
    seed: plan.seed,
    stations: plan.ids,
    wiring: plan.wiring,
    baud: plan.baud,
    election: plan.election,
    limits: { ...limitsOf(plan) },
    plan: { plan, script: actions.map(({ at, verb, args }) => ({ at, verb, args })), until },
  };
}
