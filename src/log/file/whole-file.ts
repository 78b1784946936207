/** A plain file that appears under its name only when it is whole: written beside it under another name, renamed at the end. */
import { closeSync, openSync, realpathSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { atExit } from "../../at-exit.ts";
import { fileError } from "./file-error.ts";
import type { Output } from "./output.ts";

export class WholeFile implements Output {
  readonly path: string;
  /** The file itself where the path is a link to one: the link stays. */
  readonly #target: string;
  readonly #part: string;
  readonly #fd: number;
  readonly #paid: () => void;
  #open = true;
  #finished = false;

  /** @throws UsageError where the file cannot be made */
  constructor(path: string) {
    this.path = path;
    this.#target = targetOf(path);
    this.#part = join(dirname(this.#target), `.${basename(this.#target)}.${process.pid}.part`);
    try {
      this.#fd = openSync(this.#part, "w");
    } catch (cause) {
      throw fileError(path, "open", cause);
    }
    this.#paid = atExit(() => this.abandon());
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
  }

  ready(): null {
    return null;
  }

  /** The file is whole: it gets its name. */
  finish(): void {
    try {
      this.#close();
      renameSync(this.#part, this.#target);
      this.#finished = true;
      this.#paid();
    } catch (cause) {
      this.abandon();
      throw fileError(this.path, "write", cause);
    }
  }

  abandon(): void {
    this.#close();
    this.#paid();
    if (!this.#finished) rmSync(this.#part, { force: true });
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#fd);
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
