/** `ringlab watch`: a passive log of boards that somebody else runs. */
import type { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { PassiveWatch } from "../../host/console/passive-watch.ts";
import { samePort } from "../../link/open.ts";
import { RecordColumns } from "../../log/columns.ts";
import { handOn, type RecordConsumer } from "../../log/consumer.ts";
import { guardOutputs } from "../../log/file/overwrite.ts";
import { type RunHeader, SCHEMA } from "../../log/records.ts";
import { Tally } from "../../log/summary/tally.ts";
import { timeOption } from "../../simulation/option-values.ts";
import { interruptible } from "../ending.ts";
import { LogOutput, logTarget } from "../file-outputs.ts";
import type { LivePage } from "../live-page.ts";
import { oneForm, wholeNumber } from "../options.ts";
import { complain, print, printJson } from "../terminal.ts";
import { PROGRAM } from "../version.ts";
import { LiveView } from "../view.ts";

interface WatchOptions {
  baud: number;
  duration?: string;
  log?: string;
  hops?: boolean;
  json?: boolean;
  page?: boolean;
  open: boolean;
}

const EXAMPLES = `
Examples:
  ringlab watch /dev/ttyUSB0 --baud 9600           an adapter whose RX is on a UART line of the ring
  ringlab watch /dev/ttyACM0 /dev/ttyACM1 --log ring.ndjson

No byte is ever sent. A frame on a tap or from a hub station is shown as "3→host": who transmits it, and that it was
heard here. A station is called by its place in the list of ports until a frame of its own tells its id.`;

export function register(program: Command): void {
  program
    .command("watch")
    .description("a passive log of boards that somebody else runs: nothing is sent")
    .argument("<ports...>", "consoles of boards, or taps on UART lines")
    .option("--baud <n>", "bits per second", wholeNumber("--baud", 300, 10_000_000), 115_200)
    .option("--duration <time>", "how long, e.g. 30s (default: until Ctrl-C)")
    .option("--log <file>", "write every record to an NDJSON file")
    .option("--hops", "a line for every frame, not only for events")
    .option("--page", "show what is heard in the browser")
    .option("--no-open", "with --page: only print the address")
    .option("--json", "one JSON object on stdout at the end, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action(watch);
}

async function watch(paths: string[], options: WatchOptions): Promise<void> {
  oneForm(options);
  const millis = options.duration === undefined ? null : timeOption("--duration")(options.duration) / 1000;
  paths.forEach((path, i) => {
    const other = paths.slice(0, i).find((earlier) => samePort(earlier, path));
    if (other !== undefined) throw new UsageError(`${other} and ${path} are one port: name it once`);
  });
  const ending = interruptible();
  const { log } = options;
  const logOutput = log === undefined ? null : new LogOutput(log, ending);
  guardOutputs(
    log === undefined ? [] : [logTarget(log)],
    paths.map((path) => ({ what: "port that is watched", path })),
  );
  const records = new RecordColumns(64);
  const tally = new Tally();
  const consumers: RecordConsumer[] = [tally];
  const passive = new PassiveWatch({
    paths,
    baudRate: options.baud,
    records,
    onRecords: () => handOn(records, consumers),
    onWarning: complain,
  });
  let view: LiveView | null = null;
  let page: LivePage | null = null;
  let verdict = "failed";
  try {
    await logOutput?.prepare();
    await passive.open();
    const header: RunHeader = {
      schema: SCHEMA,
      program: PROGRAM,
      kind: "watch",
      stations: paths.map((_, i) => i + 1),
      wiring: "wired",
      baud: options.baud,
      election: "",
    };
    if (options.page) {
      const { LivePage } = await import("../live-page.ts");
      page = await LivePage.open(options.open);
      page.begin(header);
      consumers.push(page.feed);
    }
    if (logOutput) {
      consumers.push(logOutput.begin(header, true));
    }
    if (!options.json) {
      print(`Watching ${paths.join(", ")} at ${options.baud} baud; Ctrl-C ends it.\n\n`);
      view = new LiveView(process.stdout, options.hops === true, paths.length);
      consumers.push(view);
    }
    await until(millis, ending.signal);
    verdict = ending.signal.aborted ? "stopped" : "done";
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    await passive.close();
    view?.end();
    await logOutput?.close(verdict);
    await page?.close(verdict);
  }
  const result = {
    ports: paths,
    micros: passive.now,
    frames: tally.count("hop"),
    events: tally.records - tally.count("hop"),
    refused: tally.count("bad"),
    log: options.log ?? null,
  };
  if (options.json) printJson(result);
  else
    print(
      `\n${result.frames} frames, ${result.events} other records, ${result.refused} refused, in ${(result.micros / 1e6).toFixed(1)} s\n`,
    );
}

function until(millis: number | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = millis === null ? undefined : setTimeout(resolve, millis);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
    if (signal.aborted) resolve();
  });
}
