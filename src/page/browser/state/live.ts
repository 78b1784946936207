/** A ring of boards as it goes: records from the program that serves the page, and what is done to the boards through it. */
import { signal } from "@preact/signals";
import { UsageError } from "../../../errors.ts";
import type { RunHeader } from "../../../log/records.ts";
import { LogStream } from "../../model/log-stream.ts";
import { RunStore } from "../../model/run-store.ts";
import { askServer } from "./ask-server.ts";
import { notice, playing, remote, source, store, version } from "./run.ts";

/** The page asks again after so long when the program is away, ms. */
const AGAIN_MS = 1000;
/** Records are shown so much later than they come, so that frames are seen on their way, µs. */
const BEHIND = 150_000;
/** More records are not kept: of the oldest, half are given up then. */
const MOST_RECORDS = 400_000;

/** The verbs that can be done, and who does each; null where the ring is not live. */
export const doers = signal<{ [verb: string]: string } | null>(null);
/** Time follows what comes. */
export const following = signal(true);
export const connection = signal<"" | "waiting" | "live" | "lost" | "over">("");

/** The run's time at which the wall clock was 0, µs, by the record that came soonest. */
let offset = Number.NEGATIVE_INFINITY;
let next = 0;

/** @returns the moment that is shown while time follows, µs */
export function liveMoment(): number {
  const end = store.value?.end ?? 0;
  if (connection.value !== "live") return end;
  return Math.min(end, performance.now() * 1000 + offset - BEHIND);
}

interface LiveHeader extends RunHeader {
  page?: { from: number; can: { [verb: string]: string } };
}

export async function goLive(): Promise<void> {
  source.value = "live";
  playing.value = true;
  connection.value = "waiting";
  remote.value = (verb, args) => command(verb, args);
  for (;;) {
    try {
      if (await readRecords()) break;
      connection.value = "lost";
    } catch (error) {
      if (error instanceof UsageError) {
        notice.value = error.message;
        return;
      }
      connection.value = "lost";
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  connection.value = "over";
  if (store.value) store.value.ended = true;
  version.value++;
}

async function command(verb: string, args: string[]): Promise<void> {
  try {
    await askServer("/act", { method: "POST", body: JSON.stringify({ verb, args }) });
    notice.value = "";
  } catch (error) {
    notice.value = connection.value === "over" ? "the run is over" : (error as Error).message;
  }
}

/** @returns whether the run has come to its end */
async function readRecords(): Promise<boolean> {
  const response = await askServer(`/records?from=${next}`);
  if (!response.body) return false;
  const stream = new LogStream("the run");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    stream.push(value);
    take(stream);
  }
  stream.end();
  return stream.whole;
}

function take(stream: LogStream): void {
  const header = stream.header as LiveHeader | undefined;
  if (!header) return;
  if (connection.value !== "live") begin(header);
  if (!stream.waiting) return;
  const batch = stream.take();
  const run = store.value as RunStore;
  run.add(batch);
  next += batch.length;
  offset = Math.max(offset, run.end - performance.now() * 1000);
  if (run.columns.length > MOST_RECORDS) thin(run);
  version.value++;
}

function begin({ page, ...header }: LiveHeader): void {
  const from = page?.from ?? 0;
  doers.value = page?.can ?? {};
  offset = Number.NEGATIVE_INFINITY;
  connection.value = "live";
  if (store.value && from === next) return;
  const run = new RunStore(header);
  run.thinned = from;
  next = from;
  store.value = run;
}

/** Memory is bounded on a run without end: the older half of the records is given up, and the page says so. */
function thin(old: RunStore): void {
  const half = Math.floor(old.columns.length / 2);
  const run = new RunStore(old.header);
  run.thinned = old.thinned + half;
  run.startFrom(old, half);
  store.value = run;
}
