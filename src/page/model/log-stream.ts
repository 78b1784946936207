/** Reads a run's log as it comes in, piece by piece. Bad lines are counted and named, never guessed at. */
import { quote, UsageError } from "../../errors.ts";
import { RecordColumns } from "../../log/columns.ts";
import { addRecord, asFooter, asHeader, parseLine } from "../../log/file/ndjson-record.ts";
import { type RunHeader, SCHEMA } from "../../log/records.ts";

const LONGEST_LINE = 1024 * 1024;
/** So many bad lines are named. */
const NAMED = 3;

export class LogStream {
  header: RunHeader | undefined;
  /** Records since the last call of `take`. */
  #batch = new RecordColumns(1024);
  #rest = "";
  #line = 0;
  /** Its last line has come. */
  whole = false;
  #bad = 0;
  readonly #named: string[] = [];
  readonly #name: string;

  /** @param name of the log, for the messages */
  constructor(name: string) {
    this.#name = quote(name);
  }

  /** @throws UsageError where it is no log of a run */
  push(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() as string;
    if (this.#rest.length > LONGEST_LINE) throw new UsageError(`${this.#name}: no log of a run`);
    for (const line of lines) this.#take(line);
  }

  /** @returns the records that have come since the last call */
  take(): RecordColumns {
    const batch = this.#batch;
    this.#batch = new RecordColumns(1024);
    return batch;
  }

  /** Number of records that wait to be taken. */
  get waiting(): number {
    return this.#batch.length;
  }

  /** Ends the log. @returns what a person should know about it, a line each @throws UsageError where it has no header */
  end(): string[] {
    if (this.#rest.trim()) this.#take(this.#rest);
    this.#rest = "";
    if (!this.header) throw new UsageError(`${this.#name}: the file is empty`);
    const lines: string[] = [];
    if (!this.whole) lines.push(`${this.#name} is cut behind line ${this.#line}, or its run still goes on`);
    if (this.#bad)
      lines.push(`${this.#name}: ${this.#bad} bad lines were left out: ${this.#named.join("; ")}`);
    return lines;
  }

  #take(text: string): void {
    this.#line++;
    if (!text.trim()) return;
    const line = parseLine(text);
    if (!this.header) {
      this.#header(line);
      return;
    }
    if (typeof line === "string") {
      this.#wrong(line);
      return;
    }
    if (line.event === undefined && line.seq === undefined) {
      if (asFooter(line)) this.whole = true;
      else this.#wrong("neither a record nor the last line of a run");
      return;
    }
    const wrong = addRecord(line, this.#batch);
    if (wrong) this.#wrong(wrong);
  }

  #header(line: ReturnType<typeof parseLine>): void {
    const header = typeof line === "string" ? line : asHeader(line);
    if (typeof header === "string") {
      throw new UsageError(
        `${this.#name}: not a log of a run (${header}); "ringlab run --log FILE" writes one`,
      );
    }
    if (header.schema > SCHEMA)
      throw new UsageError(`${this.#name}: written by a later version of the program`);
    this.header = header;
  }

  #wrong(what: string): void {
    this.#bad++;
    if (this.#named.length < NAMED) this.#named.push(`line ${this.#line}, ${what}`);
  }
}
