/** The files that a run writes while it goes: its log, and its capture. What goes wrong with them is told once, and in order. */
import { atExit } from "../at-exit.ts";
import { UsageError } from "../errors.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { pcapng } from "../log/export/pcapng.ts";
import { PcapngOutput } from "../log/export/pcapng-output.ts";
import { DirectFile } from "../log/file/direct-file.ts";
import { NdjsonWriter } from "../log/file/ndjson-writer.ts";
import { isPipe, openOutput } from "../log/file/open-output.ts";
import type { Output } from "../log/file/output.ts";
import { RUN_FILE, type Target } from "../log/file/overwrite.ts";
import { PipeOutput } from "../log/file/pipe-output.ts";
import type { RunHeader } from "../log/records.ts";
import { type Ending, takeStdout } from "./ending.ts";
import { complain } from "./terminal.ts";

const CAPTURE = { name: "capture", begins: pcapng.begins };

/** For the guard before a run. */
export const logTarget = (path: string): Target => ({ option: "--log", path, kind: RUN_FILE });
export const captureTarget = (path: string): Target => ({ option: "--pcapng", path, kind: CAPTURE });

export class LogOutput {
  readonly #path: string;
  readonly #ending: Ending;
  #file: Output | null = null;
  #writer: NdjsonWriter | null = null;
  #paid: () => void = () => {};

  constructor(path: string, ending: Ending) {
    this.#path = path;
    this.#ending = ending;
  }

  /** Waits until somebody reads it where it is a pipe. Another file is as it was until the run begins. */
  async prepare(): Promise<void> {
    this.#file = await openedPipe(this.#path, this.#ending);
  }

  /** @param live a person may be watching the file @throws UsageError where it cannot be written */
  begin(header: RunHeader, live: boolean): RecordConsumer {
    this.#file ??= new DirectFile(this.#path);
    const writer = new NdjsonWriter(this.#file, header);
    this.#writer = writer;
    this.#paid = atExit(() => void writer.close(writer.footer("stopped")));
    const consumer: RecordConsumer = {
      write: (columns, from, to) => {
        writer.write(columns, from, to);
        if (live) writer.flush();
      },
      ready: () => writer.ready(),
    };
    return guarded(consumer, (error) => this.#ending.fail(error));
  }

  /** Writes the footer. @param verdict how the run ended, where no output ended it */
  async close(verdict: string): Promise<void> {
    this.#paid();
    const writer = this.#writer;
    if (!writer) {
      // Where the run did not begin nothing has been written.
      this.#file?.abandon();
      return;
    }
    const end = this.#ending.failed ? "failed: an output could not be written" : verdict;
    try {
      await writer.close(writer.footer(end));
    } catch (error) {
      this.#ending.fail(error);
    }
  }
}

export class CaptureOutput {
  readonly #path: string;
  readonly #ending: Ending;
  #file: Output | null = null;
  #capture: PcapngOutput | null = null;

  /** @param path `-` is stdout */
  constructor(path: string, ending: Ending) {
    this.#path = path;
    this.#ending = ending;
  }

  /** @throws UsageError for a terminal */
  async prepare(): Promise<void> {
    if (this.#path !== "-") {
      this.#file = await openedPipe(this.#path, this.#ending);
      return;
    }
    if (process.stdout.isTTY)
      throw new UsageError(
        "--pcapng -: stdout is a terminal; lead it into a file or a pipe, as in | wireshark -k -i -",
      );
    this.#file = new PipeOutput("stdout", takeStdout(), { keep: true, signal: this.#ending.signal });
  }

  /** @throws UsageError where it cannot be written */
  begin(header: RunHeader): RecordConsumer {
    this.#file ??= new DirectFile(this.#path);
    this.#capture = new PcapngOutput(this.#file, header);
    return guarded(this.#capture, (error) => this.#onError(error));
  }

  async close(): Promise<void> {
    try {
      if (this.#capture) await this.#capture.close();
      else this.#file?.abandon();
    } catch (error) {
      this.#onError(error);
    }
  }

  #told = false;

  /** A reader that closes the capture ends the capture, not the run. */
  #onError(error: unknown): void {
    const cause =
      error instanceof UsageError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
    if (cause?.code !== "EPIPE") this.#ending.fail(error);
    else if (!this.#told) complain("the reader of the capture has gone: the capture ends, the run goes on");
    this.#told = true;
  }
}

async function openedPipe(path: string, { signal }: Ending): Promise<Output | null> {
  return isPipe(path) ? openOutput(path, { signal, onWaiting: complain }) : null;
}

/** A consumer that is left out once it has failed, and said so. */
function guarded(consumer: RecordConsumer, onError: (error: unknown) => void): RecordConsumer {
  let failed = false;
  return {
    write(columns, from, to) {
      if (failed) return;
      try {
        consumer.write(columns, from, to);
      } catch (error) {
        failed = true;
        onError(error);
      }
    },
    ready: () => (failed ? null : (consumer.ready?.() ?? null)),
  };
}
