/**
 * Trace Event Format for the trace viewers of Chrome and Perfetto, and speedscope: a process per station with lanes for
 * token, critical section, what it transmits and what it receives; a flow arrow for every hop.
 *
 * A flow needs a slice around both of its ends, and the slices of a lane must not overlap: so a slice starts no earlier
 * than the one before it has ended.
 * Source: "Trace Event Format" (Google, chromium.org), events X, i, s, f, M.
 */
import { wireLine } from "../crc.ts";
import { plainJson } from "../file/json-text.ts";
import type { RunSource } from "../file/source.ts";
import { formatRecord, formatStation } from "../format.ts";
import { type FrameRecord, HOST, isFrameRecord, type StationRecord } from "../records.ts";
import { type Lane, Lanes } from "../summary/lanes.ts";
import { type Exporter, gathered } from "./exporter.ts";

const THREADS = ["token", "inside", "coordinator", "transmits", "receives", "events"] as const;
type Thread = (typeof THREADS)[number];

/** How long the slice of an arrival is, microseconds: times are whole, so it ends before the next begins. */
const ARRIVAL = 0.5;

const BITS_PER_BYTE = 10;

type TraceEvent = { [name: string]: unknown };

/** Events that are seen at once where they are: they stand over all lanes of their station. */
const LOUD = new Set(["crash", "restart", "unplug", "bypass", "insert", "lost", "regenerated", "fault"]);

class Trace {
  /** Events made and not yet taken. */
  made: TraceEvent[] = [];
  readonly #baud: number;
  readonly #pids = new Map<number, number>();
  /** End of the last slice of each lane. */
  readonly #ends = new Map<string, number>();
  readonly #since = new Map<string, number>();
  readonly #lanes = new Lanes((t, station, lane, up) => this.#lane(t, station, lane, up));

  constructor(stations: readonly number[], baud: number) {
    this.#baud = baud;
    for (const id of stations) this.#pid(id);
  }

  get lanes(): Lanes {
    return this.#lanes;
  }

  frame(record: FrameRecord): void {
    const { t, took, from, to, event, seq } = record;
    const words = formatRecord(record).what;
    const args = { words, seq };
    if (event === "delayed" || event === "duplicated" || event === "corrupted") {
      this.#instant(t, from, `${record.type} ${event}`, args, false);
      return;
    }
    const lost = event !== "hop";
    const wire = (wireLine(record).length * BITS_PER_BYTE * 1e6) / this.#baud;
    const name = lost ? `${record.type} dropped` : record.type;
    const duration = took ? Math.min(took, wire) : ARRIVAL;
    const sent = this.#slice(t - took, duration, from, "transmits", name, args);
    if (lost) return;
    const received = this.#slice(t, ARRIVAL, to, "receives", name, args);
    const flow = { name: record.type, cat: "hop", id: seq };
    this.made.push(
      { ...flow, ph: "s", ts: sent, pid: this.#pid(from), tid: this.#tid("transmits") },
      { ...flow, ph: "f", bp: "e", ts: received, pid: this.#pid(to), tid: this.#tid("receives") },
    );
  }

  event(record: StationRecord): void {
    const { what } = formatRecord(record);
    const args = { ...record.fields, seq: record.seq };
    this.#instant(record.t, record.station, what, args, LOUD.has(record.event));
  }

  #instant(t: number, station: number, name: string, args: TraceEvent, loud: boolean): void {
    const scope = station === HOST ? "g" : loud ? "p" : "t";
    this.made.push({
      name,
      ph: "i",
      s: scope,
      ts: t,
      pid: this.#pid(station),
      tid: this.#tid("events"),
      args,
    });
  }

  /** @returns when the slice starts: later than asked for where the lane is not free yet */
  #slice(t: number, dur: number, station: number, lane: Thread, name: string, args: TraceEvent): number {
    const key = `${station} ${lane}`;
    const ts = Math.max(t, this.#ends.get(key) ?? Number.NEGATIVE_INFINITY);
    this.#ends.set(key, ts + dur);
    this.made.push({ name, ph: "X", ts, dur, pid: this.#pid(station), tid: this.#tid(lane), args });
    return ts;
  }

  #lane(t: number, station: number, lane: Lane, up: boolean): void {
    const key = `${station} ${lane}`;
    const since = this.#since.get(key);
    if (up) this.#since.set(key, t);
    else if (since !== undefined) {
      this.#since.delete(key);
      const start = Math.max(since, this.#ends.get(key) ?? Number.NEGATIVE_INFINITY);
      if (t > start) this.#slice(start, t - start, station, lane, lane, {});
    }
  }

  /** Ends what is still open. */
  end(t: number): void {
    for (const key of [...this.#since.keys()]) {
      const [station, lane] = key.split(" ") as [string, Lane];
      this.#lane(t, Number(station), lane, false);
    }
  }

  #tid(lane: Thread): number {
    return THREADS.indexOf(lane) + 1;
  }

  #pid(station: number): number {
    let pid = this.#pids.get(station);
    if (pid !== undefined) return pid;
    pid = this.#pids.size + 1;
    this.#pids.set(station, pid);
    const meta = (name: string, args: TraceEvent, tid = 0) =>
      this.made.push({ name, ph: "M", pid, tid, args });
    meta("process_name", { name: station === HOST ? "host" : `station ${formatStation(station)}` });
    meta("process_sort_index", { sort_index: station === HOST ? 0 : pid });
    for (const lane of station === HOST ? (["events"] as const) : THREADS) {
      meta("thread_name", { name: lane }, this.#tid(lane));
      meta("thread_sort_index", { sort_index: this.#tid(lane) }, this.#tid(lane));
    }
    return pid;
  }
}

function* text(source: RunSource): Generator<string, void, void> {
  const { header } = source;
  const { plan: _, ...info } = header;
  yield `{"displayTimeUnit":"ms","otherData":${plainJson(info)},"traceEvents":[\n`;
  const trace = new Trace(header.stations, header.baud);
  let comma = "";
  function* taken() {
    for (const event of trace.made) {
      yield `${comma}${plainJson(event)}`;
      comma = ",\n";
    }
    trace.made = [];
  }
  let last = 0;
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) {
      trace.lanes.write(columns, i);
      const record = columns.get(i);
      last = record.t;
      if (isFrameRecord(record)) trace.frame(record);
      else trace.event(record);
      yield* taken();
    }
  }
  trace.end(last);
  yield* taken();
  yield "\n]}\n";
}

export const chromeTrace: Exporter = {
  name: "chrome-trace",
  ending: ".trace.json",
  begins: '{"displayTimeUnit":',
  about: "Perfetto (ui.perfetto.dev), chrome://tracing, speedscope",
  pieces: (source) => gathered(text(source)),
};
