/** The lines of a file, read in blocks, in memory bounded by the longest line allowed. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { fileError } from "./file-error.ts";

const BLOCK = 256 * 1024;

const NEWLINE = 10;

export class FileLines {
  readonly path: string;
  /** Size of the file in bytes when it was opened; 0 for a pipe. */
  readonly size: number;
  /** Bytes read so far. */
  position = 0;
  /** Number of the line given last, from 1. */
  number = 0;
  /** The line given last had no newline: the file ends there. */
  partial = false;
  /** Bytes that are read and not yet given: from `start` to `end`. A caller may take whole lines here itself. */
  bytes: Buffer = Buffer.allocUnsafe(BLOCK);
  start = 0;
  end = 0;

  readonly #fd: number;
  readonly #longest: number;
  #open = true;
  #atEnd = false;

  /**
   * @param longest longest line, bytes; a longer one is passed over and given as undefined text
   * @throws UsageError where the file cannot be opened
   */
  constructor(path: string, longest: number) {
    this.path = path;
    this.#longest = longest;
    try {
      this.#fd = openSync(path, "r");
      this.size = fstatSync(this.#fd).size;
    } catch (cause) {
      throw fileError(path, "read", cause);
    }
  }

  /** @returns the next line without its newline, `false` for one that is too long, undefined at the end */
  next(): string | false | undefined {
    let from = this.start;
    let skipping = false;
    for (;;) {
      const at = this.bytes.indexOf(NEWLINE, from);
      const found = at >= 0 && at < this.end;
      if (!found && !this.#atEnd) {
        if (this.end - this.start > this.#longest) {
          // Said at once: the end of such a line may never come.
          if (this.number === 0) return false;
          skipping = true;
          this.start = this.end;
        }
        from = this.#readMore();
        continue;
      }
      if (!found && this.start === this.end && !skipping) return undefined;
      const text = skipping || this.bytes.toString("utf8", this.start, found ? at : this.end);
      this.start = found ? at + 1 : this.end;
      this.partial = !found;
      this.number++;
      return text === true ? false : text;
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
  }

  /** Moves what is left to the front of the buffer and reads behind it. @returns where the new bytes start */
  #readMore(): number {
    const left = this.end - this.start;
    if (left === this.bytes.length) {
      const bigger = Buffer.allocUnsafe(2 * left);
      this.bytes.copy(bigger, 0, this.start, this.end);
      this.bytes = bigger;
    } else this.bytes.copyWithin(0, this.start, this.end);
    this.start = 0;
    this.end = left;
    try {
      const count = readSync(this.#fd, this.bytes, left, this.bytes.length - left, null);
      this.end += count;
      this.position += count;
      this.#atEnd = count === 0;
      return left;
    } catch (cause) {
      throw fileError(this.path, "read", cause);
    }
  }
}
