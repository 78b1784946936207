/** `ringlab bench`: how fast this program runs on this machine, and what the wire allows. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { hopMs } from "../../../firmware/limits.js";
import { BYTES_PER_RECORD, RecordColumns } from "../../log/columns.ts";
import type { RecordConsumer } from "../../log/consumer.ts";
import { NdjsonWriter } from "../../log/file/ndjson-writer.ts";
import { SCHEMA } from "../../log/records.ts";
import { VirtualClock } from "../../simulation/clock.ts";
import { consecutiveIds, DEFAULT_PLAN, timing } from "../../simulation/plan.ts";
import { Simulation } from "../../simulation/simulation.ts";
import { formRing } from "../../simulation/skip-election.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { wholeNumber, wholeNumbers } from "../options.ts";
import { complain, print, printJson } from "../terminal.ts";
import { PROGRAM } from "../version.ts";

const SIZES = [4, 256, 4096, 100_000];
const BAUDS = [9600, 115_200, 1_000_000];
/** A token's line in a young ring: `$TOK,3,253,258,912,57*8A3F10C2\n`. */
const TOKEN_BYTES = 31;
const BATCH = 65_536;
const ROUNDS = 3;

interface RingFigure {
  stations: number;
  hopsPerSecond: number;
  bytesPerRecord: number;
  /** Hops per second as a share of the calibration loop's. */
  ratio: number;
  loggedHopsPerSecond: number;
}

export function register(program: Command): void {
  program
    .command("bench")
    .description(
      "speed of the simulation on this machine, beside a calibration loop, and the limits of the wire",
    )
    .option("--stations <list>", "ring sizes", wholeNumbers("--stations", 1, 100_000), SIZES)
    .option("--hops <n>", "hops per measurement", wholeNumber("--hops", 10_000, 1e9), 2_000_000)
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", "\nExamples:\n  ringlab bench\n  ringlab bench --stations 4 --hops 5000000 --json")
    .action(bench);
}

async function bench(options: { stations: number[]; hops: number; json?: boolean }): Promise<void> {
  const { signal } = interruptible();
  const ring: RingFigure[] = [];
  const calibration: number[] = [];
  for (const stations of options.stations) {
    const figures = {
      stations,
      hopsPerSecond: 0,
      bytesPerRecord: BYTES_PER_RECORD,
      ratio: 0,
      loggedHopsPerSecond: 0,
    };
    // The best of interleaved rounds: the machine's speed drifts, the three loops drift together.
    let base = 0;
    for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
      base = Math.max(base, calibrate(options.hops));
      const hopsPerSecond = await measure(stations, options.hops, [], signal);
      figures.hopsPerSecond = Math.max(figures.hopsPerSecond, hopsPerSecond);
      figures.loggedHopsPerSecond = Math.max(
        figures.loggedHopsPerSecond,
        await measureLogged(stations, options.hops, signal),
      );
    }
    if (signal.aborted) {
      complain("interrupted: nothing is measured to the end");
      process.exitCode = INTERRUPTED;
      return;
    }
    calibration.push(base);
    figures.ratio = figures.hopsPerSecond / base;
    ring.push(figures);
    if (!options.json && process.stderr.isTTY) print(`measured N = ${stations}\n`, process.stderr);
  }
  const wire = BAUDS.map(wireLimit);
  const calibrationPerSecond = Math.round(Math.max(...calibration));
  if (options.json) {
    printJson({ calibrationPerSecond, ring: ring.map(rounded), wire });
    return;
  }
  print(table(calibrationPerSecond, ring, wire));
}

const rounded = (figure: RingFigure) => ({
  ...figure,
  hopsPerSecond: Math.round(figure.hopsPerSecond),
  loggedHopsPerSecond: Math.round(figure.loggedHopsPerSecond),
  ratio: Number(figure.ratio.toFixed(3)),
});

/** @returns passes per second of a number through the bare event queue */
function calibrate(passes: number): number {
  const clock = new VirtualClock();
  let token = 0;
  clock.schedule(1, token);
  const start = performance.now();
  for (let i = 0; i < passes; i++) {
    token = (clock.take() + 1) & 1023;
    clock.schedule(clock.now + 1, token);
  }
  return passes / ((performance.now() - start) / 1000);
}

/** @returns hops per second with frame encode, check, decode, the firmware, and a record per hop */
async function measure(
  stations: number,
  hops: number,
  consumers: readonly RecordConsumer[],
  signal: AbortSignal,
): Promise<number> {
  const records = new RecordColumns(BATCH);
  const sim = new Simulation({ ...DEFAULT_PLAN, ids: consecutiveIds(stations) }, records);
  formRing(sim, stations - 1);
  let counted = 0;
  const start = performance.now();
  while (counted < hops) {
    while (records.length < BATCH - 64 && sim.step());
    counted += records.length;
    for (const consumer of consumers) consumer.write(records, 0, records.length);
    records.clear();
    // Ctrl-C must get through.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (signal.aborted) return 0;
  }
  return counted / ((performance.now() - start) / 1000);
}

async function measureLogged(stations: number, hops: number, signal: AbortSignal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "ringlab-bench-"));
  try {
    const path = join(folder, "run.ndjson");
    const header = {
      schema: SCHEMA,
      program: PROGRAM,
      kind: "simulation",
      stations: [],
      wiring: "hub",
      baud: 115_200,
      election: DEFAULT_PLAN.election,
    };
    const writer = new NdjsonWriter(path, header);
    const speed = await measure(stations, hops, [writer], signal);
    writer.close({ records: hops, counts: {}, verdict: "bench" });
    if (!signal.aborted && statSync(path).size < hops) throw new Error("the log lacks records");
    return speed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a line of this speed allows, beside the rotation of a ring of five boards on it. */
function wireLimit(baud: number) {
  const byteMicros = 10_000_000 / baud;
  const plan = { ...DEFAULT_PLAN, baud, wiring: "wired" as const };
  const hop = hopMs(timing(plan), TOKEN_BYTES);
  return {
    baud,
    wireHopMs: Number(((TOKEN_BYTES * byteMicros) / 1000).toFixed(3)),
    ringHopMs: Number(hop.toFixed(3)),
    rotationOfFiveMs: Number((5 * hop).toFixed(3)),
  };
}

function table(
  calibration: number,
  ring: readonly RingFigure[],
  wire: readonly ReturnType<typeof wireLimit>[],
): string {
  const million = (n: number) => `${(n / 1e6).toFixed(2)} M`;
  const lines = [
    `Calibration: ${million(calibration)} passes/s of a number through the bare event queue`,
    "",
    "stations     hops/s   ratio   with log on disk   bytes/record",
    ...ring.map((figure) =>
      [
        String(figure.stations).padStart(8),
        million(figure.hopsPerSecond).padStart(10),
        figure.ratio.toFixed(3).padStart(7),
        million(figure.loggedHopsPerSecond).padStart(18),
        String(figure.bytesPerRecord).padStart(14),
      ].join(" "),
    ),
    "",
    `A token of ${TOKEN_BYTES} bytes, wired, on boards that take ${DEFAULT_PLAN.boardMicros / 1000} ms a frame:`,
    "    baud   wire alone   a hop   rotation of five",
    ...wire.map((w) =>
      [
        String(w.baud).padStart(8),
        `${w.wireHopMs.toFixed(2)} ms`.padStart(12),
        `${w.ringHopMs.toFixed(2)} ms`.padStart(9),
        `${w.rotationOfFiveMs.toFixed(1)} ms`.padStart(16),
      ].join(" "),
    ),
    "",
  ];
  return lines.join("\n");
}
