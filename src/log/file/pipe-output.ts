/** A pipe, or stdout: its reader takes what it wants when it wants it, may stop, and may go. */
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { quote, UsageError } from "../../errors.ts";
import { fileError } from "./file-error.ts";
import type { OpenOptions, Output } from "./output.ts";

/** How often a pipe without a reader is tried, ms. */
const AGAIN_MS = 50;
/** With more than this not yet taken, bytes, whoever can wait should. */
const ENOUGH = 1024 * 1024;
/** A ring of boards does not wait: with this not taken, bytes, the pipe is given up. */
const MOST = 64 * 1024 * 1024;
/** When the run was stopped the reader gets so long for what is left, ms. */
const LAST_MS = 200;

export class PipeOutput implements Output {
  readonly path: string;
  readonly #stream: Writable;
  readonly #keep: boolean;
  readonly #signal: AbortSignal | undefined;
  #error: UsageError | undefined;
  #ended = false;

  /** @param options.keep the stream stays open at the end, as stdout does */
  constructor(path: string, stream: Writable, options: { keep?: boolean; signal?: AbortSignal } = {}) {
    this.path = path;
    this.#stream = stream;
    this.#keep = options.keep === true;
    this.#signal = options.signal;
    stream.on("error", (cause) => {
      this.#error ??= fileError(path, "write", cause);
    });
  }

  write(piece: string | Uint8Array): void {
    if (this.#error) throw this.#error;
    if (this.#stream.writableLength > MOST) {
      this.#error = new UsageError(
        `${quote(this.path)}: its reader is far behind; read faster, or write to a file`,
      );
      throw this.#error;
    }
    // A copy: the caller goes on using its buffer.
    if (piece.length) this.#stream.write(Buffer.from(piece as Uint8Array));
  }

  ready(): Promise<void> | null {
    return this.#error || this.#stream.writableLength < ENOUGH ? null : this.#settled("drain");
  }

  async finish(): Promise<void> {
    if (this.#ended) return;
    if (this.#keep) {
      while (!this.#error && this.#stream.writableLength > 0) {
        await this.#settled("drain");
        if (this.#signal?.aborted) break;
      }
    } else {
      this.#stream.end();
      await this.#settled("finish");
    }
    this.abandon();
    if (this.#error) throw this.#error;
  }

  abandon(): void {
    this.#ended = true;
    if (!this.#keep) this.#stream.destroy();
  }

  /** Settles with the event, an error, the end of the stream, or soon after the signal. */
  #settled(event: "drain" | "finish"): Promise<void> {
    const stream = this.#stream;
    const signal = this.#signal;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const soon = () => {
        timer = setTimeout(settle, LAST_MS);
      };
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", soon);
        for (const name of [event, "error", "close"]) stream.off(name, settle);
        resolve();
      };
      for (const name of [event, "error", "close"]) stream.once(name, settle);
      if (signal?.aborted) soon();
      else signal?.addEventListener("abort", soon);
    });
  }
}

/**
 * Opens a named pipe and waits for its reader.
 * @throws UsageError where it cannot be opened; the reason of the signal when that came first
 */
export async function openPipe(path: string, { signal, onWaiting }: OpenOptions): Promise<PipeOutput> {
  for (let told = false; ; told = true) {
    signal?.throwIfAborted();
    try {
      // Without O_NONBLOCK the whole process would stand still here until there is a reader.
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      const stream = new Socket({ fd, readable: false, writable: true });
      return new PipeOutput(path, stream, signal ? { signal } : {});
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENXIO") throw fileError(path, "open", cause);
    }
    if (!told) onWaiting?.(`${quote(path)} is a pipe that nobody reads yet: waiting for its reader`);
    await sleep(AGAIN_MS);
  }
}
