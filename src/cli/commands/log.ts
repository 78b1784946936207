/** `ringlab log`: the summary of a run's file, or its records in words. */
import { once } from "node:events";
import type { Command } from "commander";
import { suggest } from "../../bench-file/nearest.ts";
import { quote, UsageError } from "../../errors.ts";
import { plainJson } from "../../log/file/json-text.ts";
import { jsonList, lastOf, type Passes, recordJson, recordLine, selected } from "../../log/file/lines.ts";
import { FileSource } from "../../log/file/source.ts";
import { type Filter, makeFilter } from "../../log/filter.ts";
import { EVENT_NAMES, type EventName } from "../../log/records.ts";
import { stampedRecords } from "../../log/summary/clocks.ts";
import { stampJson, stampText } from "../../log/summary/stamp-text.ts";
import { Summary } from "../../log/summary/summary.ts";
import { summaryLines } from "../../log/summary/summary-text.ts";
import { timeOption } from "../../simulation/option-values.ts";
import { idList, wholeNumber } from "../options.ts";
import { Progress } from "../progress.ts";
import { complain, print } from "../terminal.ts";
import { idWords } from "../words.ts";

interface LogOptions {
  station?: number[];
  event?: Filter;
  from?: number;
  to?: number;
  clocks?: boolean;
  tail?: number;
  summary?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab log ring.ndjson
  ringlab log ring.ndjson --event enter,exit --station 3
  ringlab log ring.ndjson --event TOK --from 2s --to 2500ms --clocks
  ringlab log ring.ndjson --tail 20
  ringlab log ring.ndjson --station 3 --summary --json

Without a filter the summary is shown, with one the records that pass; --summary
sums up what passes. Of the clocks, V is the vector clock in ring order, L the
Lamport clock; a hop has them for its send and for its receive.`;

/** Lines that are handed to the output in one piece. */
const PIECE = 64 * 1024;

export function register(program: Command): void {
  program
    .command("log")
    .description("sum up a run's file, or show its records")
    .argument("<file>", "a file that run --log wrote")
    .option("--station <ids>", "records of these stations and their links", idList("--station"))
    .option(
      "--event <names>",
      "these events (enter, exit, ...) and types of frames (TOK, BEL, ...)",
      eventNames,
    )
    .option("--from <time>", "from this time of the run on, e.g. 2s or 150ms", timeOption("--from"))
    .option("--to <time>", "up to this time", timeOption("--to"))
    .option("--tail <n>", "the last n records that pass", wholeNumber("--tail", 1, 1_000_000))
    .option("--clocks", "with the Lamport and the vector clock of every event")
    .option("--summary", "the summary of what passes the filters")
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(log);
}

async function log(file: string, options: LogOptions): Promise<void> {
  const { station, event, from, to, clocks, tail, summary, json } = options;
  if (from !== undefined && to !== undefined && from > to) throw new UsageError("--from is later than --to");
  if (summary && (clocks || tail !== undefined)) {
    throw new UsageError("--summary sums up all that passes: leave out --clocks and --tail");
  }
  const progress = new Progress(`reading ${file}`);
  const source = new FileSource(file, (part) => progress.show(part));
  if (station) mustBeThere(station, file, source);
  const passes = makeFilter({ ...event, ...defined({ stations: station, from, to }) });
  const filtered = clocks || [station, event, from, to, tail].some((value) => value !== undefined);
  if (summary || !filtered) await printAll(summaryPieces(source, passes, json));
  else if (clocks) {
    const items = lastOf(stampedRecords(source, passes), tail);
    await printAll(
      json
        ? recordList(source, items, (item) => ({ ...recordJson(item.record), ...stampJson(item) }))
        : lines(items, (item) => `${recordLine(item.record)}  ${stampText(item)}`),
    );
  } else {
    const items = lastOf(selected(source, passes), tail);
    await printAll(json ? recordList(source, items, recordJson) : lines(items, recordLine));
  }
  progress.done();
  for (const warning of source.warnings) complain(warning);
}

/** @throws UsageError for a station that the run did not have */
function mustBeThere(ids: readonly number[], file: string, { header }: FileSource): void {
  // What a passive log calls a station may change when a frame tells its id.
  if (header.kind === "watch") return;
  const missing = ids.find((id) => !header.stations.includes(id));
  if (missing === undefined) return;
  throw new UsageError(`--station: ${file} has no station ${missing}: it has ${idWords(header.stations)}`);
}

function* summaryPieces(source: FileSource, passes: Passes, json = false): Generator<string, void, void> {
  const summary = new Summary(source.header);
  for (const columns of source.blocks()) {
    let start = 0;
    for (let i = 0; i <= columns.length; i++) {
      if (i < columns.length && passes(columns, i)) continue;
      if (i > start) summary.write(columns, start, i);
      start = i + 1;
    }
  }
  const result = summary.result();
  const { header, footer, warnings } = source;
  if (json) yield `${plainJson({ header, verdict: footer?.verdict ?? null, ...result, warnings })}\n`;
  else yield* lines(summaryLines(header, result), (line) => line);
}

function* lines<T>(items: Iterable<T>, line: (item: T) => string): Generator<string, void, void> {
  for (const item of items) yield `${line(item)}\n`;
}

function* recordList<T>(
  source: FileSource,
  items: Iterable<T>,
  json: (item: T) => object,
): Generator<string, void, void> {
  function* objects() {
    for (const item of items) yield json(item);
  }
  yield* jsonList("records", objects(), () => ({
    verdict: source.footer?.verdict ?? null,
    warnings: source.warnings,
  }));
}

/** Writes to stdout no faster than it is read. */
async function printAll(pieces: Iterable<string>): Promise<void> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    print(text);
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
    text = "";
  }
  print(text);
}

/** Names of events and types of frames, separated by commas. */
function eventNames(text: string): Pick<Filter, "events" | "frameTypes"> {
  const events: EventName[] = [];
  const frameTypes: string[] = [];
  for (const name of text.split(",")) {
    if (/^[A-Z][A-Z0-9]*$/.test(name)) frameTypes.push(name);
    else if ((EVENT_NAMES as readonly string[]).includes(name)) events.push(name as EventName);
    else
      throw new UsageError(
        `--event: no event is called ${quote(name)}; ${suggest(name, EVENT_NAMES, "events")}`,
      );
  }
  return { ...(events.length && { events }), ...(frameTypes.length && { frameTypes }) };
}

/** The object without what is undefined in it. */
function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
