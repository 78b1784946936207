/** A file that grows under its name, or a device. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { fileError } from "./file-error.ts";
import type { Output } from "./output.ts";

/** A device that takes nothing is tried again after so long, and so often, before it is given up. */
const AGAIN_MS = 5;
const TRIES = 200;
/** Lines longer than this, bytes, are not looked for when room is made at the end. */
const LONGEST_LINE = 4096;

export class DirectFile implements Output {
  readonly path: string;
  readonly #fd: number;
  readonly #plain: boolean;
  /** Bytes that are in the file, of pieces that are there whole. */
  #size = 0;
  #open = true;

  /** Creates the file, or empties it. @throws UsageError where that fails */
  constructor(path: string) {
    this.path = path;
    try {
      // Opening a device must not wait: a serial port would, for somebody at its other end.
      this.#fd = openSync(
        path,
        constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0),
        0o666,
      );
      this.#plain = fstatSync(this.#fd).isFile();
    } catch (cause) {
      throw fileError(path, "open", cause);
    }
  }

  write(piece: string | Uint8Array): void {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    try {
      for (let at = 0, tries = 0; at < bytes.length; ) {
        try {
          at += writeSync(this.#fd, bytes, at, bytes.length - at, this.#plain ? this.#size + at : null);
          tries = 0;
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== "EAGAIN" || ++tries > TRIES) throw cause;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
        }
      }
    } catch (cause) {
      throw fileError(this.path, "write", cause);
    }
    this.#size += bytes.length;
  }

  ready(): null {
    return null;
  }

  /**
   * Takes back what is there of a piece that failed, and whole lines before it until so many bytes are free.
   * @returns those lines, without their ends; none of what is no plain file
   */
  takeBack(bytes: number): string[] {
    if (!this.#open || !this.#plain) return [];
    const from = Math.max(0, this.#size - bytes - LONGEST_LINE);
    const end = Buffer.alloc(this.#size - from);
    const fd = openSync(this.path, "r");
    try {
      readSync(fd, end, 0, end.length, from);
    } finally {
      closeSync(fd);
    }
    // The line that so many bytes reach into goes whole.
    const cut = end.lastIndexOf("\n", Math.max(0, end.length - bytes - 1)) + 1;
    this.#size = from + cut;
    ftruncateSync(this.#fd, this.#size);
    return end.toString("utf8", cut).split("\n").slice(0, -1);
  }

  finish(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      closeSync(this.#fd);
    } catch (cause) {
      throw fileError(this.path, "write", cause);
    }
  }

  abandon(): void {
    try {
      this.finish();
    } catch {
      // Whoever abandons it has no use for what was written.
    }
  }
}
