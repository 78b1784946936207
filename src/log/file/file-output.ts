/**
 * A file that appears under its name only when it is whole: it is written beside it under another name and renamed at
 * the end. What is no plain file, such as a pipe or a terminal, is written directly.
 */
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError } from "./file-error.ts";

export class FileOutput {
  readonly path: string;
  /** Bytes written. */
  size = 0;
  readonly #written: string;
  readonly #fd: number;
  #open = true;
  #finished = false;

  /** @throws UsageError where the file cannot be made */
  constructor(path: string) {
    this.path = path;
    this.#written = isPlain(path) ? join(dirname(path), `.${basename(path)}.${process.pid}.part`) : path;
    try {
      this.#fd = openSync(this.#written, "w");
    } catch (cause) {
      throw fileError(path, "open", cause);
    }
  }

  /** @throws UsageError where it cannot be written; nothing is left behind then */
  write(piece: string | Uint8Array): void {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at, bytes.length - at);
    } catch (cause) {
      this.abandon();
      throw fileError(this.path, "write", cause);
    }
    this.size += bytes.length;
  }

  /** The file is whole: it gets its name. */
  finish(): void {
    try {
      this.#close();
      if (this.#written !== this.path) renameSync(this.#written, this.path);
      this.#finished = true;
    } catch (cause) {
      this.abandon();
      throw fileError(this.path, "write", cause);
    }
  }

  /** Leaves nothing behind. Does nothing to a file that is finished. */
  abandon(): void {
    this.#close();
    if (this.#written !== this.path && !this.#finished) rmSync(this.#written, { force: true });
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
  }
}

/** A plain file, or nothing yet. */
function isPlain(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined || found.isFile();
  } catch {
    // Opening it will say why.
    return false;
  }
}
