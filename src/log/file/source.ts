/** Where the records of a run come from: a file, or memory. What works on a whole run takes one of these. */
import { RecordColumns } from "../columns.ts";
import type { RunFooter, RunHeader } from "../records.ts";
import { NdjsonReader } from "./ndjson-reader.ts";

export interface RunSource {
  readonly header: RunHeader;
  /**
   * The records from the first to the last, in blocks of consecutive sequence numbers. A block is gone when the next
   * one is asked for. Each call starts again at the first record.
   */
  blocks(): Iterable<RecordColumns>;
  /** The part of the run that this is, microseconds; absent for a whole run. */
  readonly window?: { from: number; to: number };
  /** The records before the window: who draws it must know what they leave behind. */
  prelude?(): Iterable<RecordColumns>;
}

/** A run in memory. */
export function memorySource(header: RunHeader, columns: RecordColumns): RunSource {
  return { header, blocks: () => [columns] };
}

/** A run in a file, read anew at each call of `blocks`, in constant memory. */
export class FileSource implements RunSource {
  readonly header: RunHeader;
  readonly path: string;
  /** What a person should know about the file; complete when it was read to its end once. */
  warnings: string[] = [];
  /** The last line of the file, once it was read to its end; undefined where the file was cut. */
  footer: RunFooter | undefined;
  readonly #onProgress: (part: number | undefined) => void;

  /**
   * @param onProgress called after every block with the part that is read, 0 to 1, undefined for a pipe
   * @throws UsageError for a file that is missing, not a run's log, or from a later version
   */
  constructor(path: string, onProgress: (part: number | undefined) => void = () => {}) {
    this.path = path;
    this.#onProgress = onProgress;
    const reader = new NdjsonReader(path);
    this.header = reader.header;
    reader.close();
  }

  *blocks(): Generator<RecordColumns, void, void> {
    const reader = new NdjsonReader(this.path);
    for (const columns of reader.blocks()) {
      yield columns;
      this.#onProgress(reader.progress);
    }
    this.warnings = reader.warnings();
    this.footer = reader.footer;
  }
}

/** The records of a source that lie in a window of time, both ends included, with their own sequence numbers. */
export function windowOf(source: RunSource, from: number, to: number): RunSource {
  return {
    header: source.header,
    window: { from, to },
    blocks: () => selectedBlocks(source, (t) => t >= from && t <= to),
    prelude: () => (from === Number.NEGATIVE_INFINITY ? [] : selectedBlocks(source, (t) => t < from)),
  };
}

function* selectedBlocks(
  source: RunSource,
  isIn: (t: number) => boolean,
): Generator<RecordColumns, void, void> {
  for (const columns of source.blocks()) {
    let kept: RecordColumns | undefined;
    for (let i = 0; i <= columns.length; i++) {
      if (i < columns.length && isIn(columns.t[i] as number)) {
        if (!kept) {
          kept = new RecordColumns();
          kept.firstSeq = columns.firstSeq + i;
        }
        kept.copy(columns, i);
      } else if (kept) {
        yield kept;
        kept = undefined;
      }
    }
  }
}
