/** The public names of the package, listed by hand. */
export { decode, encode } from "../firmware/frame.js";
export { computeLimits } from "../firmware/limits.js";
export type { Frame, Limits, Settings, Station } from "../firmware/types.d.ts";
export { type Bench, loadBench } from "./bench-file/load-bench.ts";
export { UsageError } from "./errors.ts";
export { openBench, planOfBench } from "./host/bench-ring.ts";
export { Ring } from "./host/ring.ts";
export type { RingStation } from "./host/ring-station.ts";
export { runBench } from "./host/run-bench.ts";
export { runSession } from "./host/session.ts";
export { RecordColumns } from "./log/columns.ts";
export type { RecordConsumer } from "./log/consumer.ts";
export { NdjsonWriter } from "./log/ndjson-writer.ts";
export type { FrameRecord, RunFooter, RunHeader, RunRecord, StationRecord } from "./log/records.ts";
export { type EspruinoIO, openEspruinoIO } from "./panel/open-espruino-io.ts";
export { DEFAULT_PLAN, type Plan } from "./simulation/plan.ts";
export { parseAction } from "./simulation/script.ts";
export { Simulation } from "./simulation/simulation.ts";
