/**
 * Reads a run's file in blocks, in constant memory. A file cut at any byte gives all its whole records;
 * bad lines are counted and named, never guessed at.
 */
import { quote, UsageError } from "../../errors.ts";
import { RecordColumns } from "../columns.ts";
import { type RunFooter, type RunHeader, type RunRecord, SCHEMA } from "../records.ts";
import { FileLines } from "./file-lines.ts";
import { HopLine } from "./ndjson-hop.ts";
import { addRecord, asFooter, asHeader, type Json, parseLine } from "./ndjson-record.ts";

/** Longest line, bytes: the list of an election among a hundred thousand stations is shorter, and so is their header. */
const LONGEST_LINE = 1024 * 1024;

/** Records in one block of columns. */
const BLOCK_RECORDS = 16384;

/** So many bad lines are named; the others are counted. */
const NAMED = 3;

/** The columns keep every type that they have seen: a file full of made-up ones starts new columns. */
const MOST_TYPES = 200;

const KILLED = "the run was killed or still goes on, or the copy is not whole";

/** A line that is an object, and its number. */
interface NumberedLine {
  line: Json;
  number: number;
}

export class NdjsonReader {
  readonly path: string;
  readonly header: RunHeader;
  /** Records read so far. */
  count = 0;
  /** The last line, once all is read; undefined where the file was cut. */
  footer: RunFooter | undefined;
  badLines = 0;
  /** The first bad lines, with their numbers and what is wrong. */
  readonly named: string[] = [];
  /** Records that the sequence numbers say are not there. */
  missing = 0;

  readonly #lines: FileLines;
  /** How the file ends where it does not end well. */
  #cut = "";
  #nextSeq = 0;
  readonly #hop = new HopLine();
  /** Lines that are read and not yet taken: at most two. */
  readonly #ahead: NumberedLine[] = [];

  /**
   * Opens the file and reads its header.
   * @throws UsageError for a file that is missing, not a run's log, or from a later version
   */
  constructor(path: string) {
    this.path = path;
    this.#lines = new FileLines(path, LONGEST_LINE);
    try {
      this.header = this.#readHeader();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Part of the file that is read, 0 to 1; undefined for a pipe. */
  get progress(): number | undefined {
    const { size, position } = this.#lines;
    return size > 0 ? Math.min(1, position / size) : undefined;
  }

  /**
   * The records in blocks of consecutive sequence numbers. The columns are used again for the next block.
   * @throws UsageError where the file cannot be read further
   */
  *blocks(): Generator<RecordColumns, void, void> {
    let columns = new RecordColumns(BLOCK_RECORDS);
    try {
      for (let more = true; more; ) {
        if (columns.frameTypes.length > MOST_TYPES) columns = new RecordColumns(BLOCK_RECORDS);
        columns.clear();
        columns.firstSeq = this.#nextSeq;
        more = this.#fill(columns);
        if (columns.length) yield columns;
      }
    } finally {
      this.close();
    }
  }

  /** The records as objects. */
  *records(): Generator<RunRecord, void, void> {
    for (const columns of this.blocks()) {
      for (let i = 0; i < columns.length; i++) yield columns.get(i);
    }
  }

  /** What a person should know about the file, a line each; empty for a whole one. Complete when all is read. */
  warnings(): string[] {
    const name = quote(this.path);
    const lines: string[] = [];
    if (this.#cut) lines.push(`${name} ${this.#cut}`);
    if (this.badLines) {
      const more = this.badLines > this.named.length ? "; and so on" : "";
      const lead = this.badLines === 1 ? "1 bad line was" : `${this.badLines} bad lines were`;
      lines.push(`${name}: ${lead} left out: ${this.named.join("; ")}${more}`);
    } else if (this.missing) {
      lines.push(`${name}: ${this.missing} records are missing, their sequence numbers are left out`);
    } else if (this.footer && this.footer.records !== this.count) {
      lines.push(`${name}: its last line counts ${this.footer.records} records, there are ${this.count}`);
    }
    return lines;
  }

  close(): void {
    this.#lines.close();
  }

  #readHeader(): RunHeader {
    const name = quote(this.path);
    const text = this.#lines.next();
    if (text === undefined) throw new UsageError(`${name}: the file is empty`);
    const line = text === false ? "too long" : parseLine(text);
    if (typeof line === "string") {
      if (this.#lines.partial && text !== false && text?.startsWith("{")) {
        throw new UsageError(`${name}: cut in its first line, there is no record in it`);
      }
      throw new UsageError(
        `${name}: not a log of a run, its first line is ${line}; "run --log FILE" writes one`,
      );
    }
    if (typeof line.schema === "number" && line.schema > SCHEMA) {
      throw new UsageError(
        `${name}: written by a later version (schema ${line.schema}, this program reads ${SCHEMA}); update ringlab`,
      );
    }
    const header = asHeader(line);
    if (typeof header !== "string") return header;
    throw new UsageError(
      `${name}: not a log of a run, in its first line ${header}; "run --log FILE" writes one`,
    );
  }

  /** Fills the columns up to a block's size or a jump in the sequence numbers. @returns whether there is more */
  #fill(columns: RecordColumns): boolean {
    const hop = this.#hop;
    const lines = this.#lines;
    while (columns.length < BLOCK_RECORDS) {
      if (this.#ahead.length === 0 && !this.footer) {
        const next = hop.read(lines.bytes, lines.start, lines.end);
        if (next >= 0 && hop.seq === this.#nextSeq) {
          lines.start = next;
          lines.number++;
          columns.addFrame(hop.t, "hop", hop.from, hop.to, hop.took, hop.frame);
          this.#nextSeq++;
          this.count++;
          continue;
        }
      }
      const found = this.#ahead.shift() ?? this.#nextObject();
      if (!found) return false;
      const seq = found.line.seq;
      if (typeof seq === "number" && seq > this.#nextSeq && this.#jumps(seq)) {
        if (columns.length > 0) {
          this.#ahead.unshift(found);
          return true;
        }
        this.missing += seq - this.#nextSeq;
        this.#nextSeq = seq;
        columns.firstSeq = seq;
      }
      this.#take(found, columns);
    }
    return true;
  }

  /** Records before `seq` are missing, unless the next line goes back: then only this line's `seq` is wrong. */
  #jumps(seq: number): boolean {
    if (this.footer || !Number.isSafeInteger(seq)) return false;
    const after = this.#ahead[0] ?? this.#nextObject();
    if (after && this.#ahead.length === 0) this.#ahead.push(after);
    const next = after?.line.seq;
    return typeof next !== "number" || next < this.#nextSeq || next > seq;
  }

  #take({ line, number }: NumberedLine, columns: RecordColumns): void {
    if (line.seq === undefined && line.event === undefined) {
      const footer = this.footer ? undefined : asFooter(line);
      if (footer) this.footer = footer;
      else this.#bad(number, "neither a record nor the last line of a run");
    } else if (this.footer) this.#bad(number, "it is behind the last line of the run");
    else if (!Number.isSafeInteger(line.seq)) this.#bad(number, "it has no sequence number");
    else if (line.seq !== this.#nextSeq) {
      this.#bad(number, `its seq is ${line.seq} where ${this.#nextSeq} is next`);
    } else {
      const wrong = addRecord(line, columns);
      if (wrong) this.#bad(number, wrong);
      else {
        this.#nextSeq++;
        this.count++;
      }
    }
  }

  #bad(number: number, wrong: string): void {
    this.badLines++;
    if (this.named.length < NAMED) this.named.push(`line ${number}, ${wrong}`);
  }

  #nextObject(): NumberedLine | undefined {
    for (;;) {
      const text = this.#lines.next();
      const { number, partial } = this.#lines;
      if (text === undefined) {
        if (!this.footer && !this.#cut) this.#cut = `is cut (${KILLED}) behind line ${number}`;
        return undefined;
      }
      if (text === false) this.#bad(number, "it is too long");
      else if (text.trim() !== "") {
        const line = parseLine(text);
        if (typeof line !== "string") return { line, number };
        if (partial && !this.footer) this.#cut = `is cut (${KILLED}) in line ${number}`;
        else this.#bad(number, line);
      }
    }
  }
}
