/** The public names of the package, listed by hand. */
export { decode, encode } from "../firmware/frame.js";
export { computeLimits } from "../firmware/limits.js";
export type { Frame, Limits, Settings, Station } from "../firmware/types.d.ts";
export { type Bench, loadBench } from "./bench-file/load-bench.ts";
export { UsageError } from "./errors.ts";
export { openBench, planOfBench } from "./host/bench/bench-ring.ts";
export { runBench } from "./host/bench/run-bench.ts";
export { Ring } from "./host/ring/ring.ts";
export type { RingStation } from "./host/ring/ring-station.ts";
export { runSession } from "./host/ring/session.ts";
export { RecordColumns } from "./log/columns.ts";
export type { RecordConsumer } from "./log/consumer.ts";
export { NdjsonWriter } from "./log/file/ndjson-writer.ts";
export type { FrameRecord, RunFooter, RunHeader, RunRecord, StationRecord } from "./log/records.ts";
export { type EspruinoIO, openEspruinoIO } from "./panel/open-espruino-io.ts";
export { DEFAULT_PLAN, type Plan } from "./simulation/plan.ts";
export { parseAction } from "./simulation/script/script.ts";
export { Simulation } from "./simulation/simulation.ts";
