/**
 * How a command ends before its time: Ctrl-C, SIGTERM, SIGHUP, a reader of stdout that goes, an output that takes no more.
 * The first ends it in order: boards are released, files get their ends. It has a second for that; then, or at the second
 * signal, it ends as it stands, and only what is owed at the exit is done.
 */
import { UsageError } from "../errors.ts";
import { fileError } from "../log/file/file-error.ts";
import { complain } from "./terminal.ts";

/** The exit code of what was interrupted before it was done, as a shell has it for Ctrl-C. */
export const INTERRUPTED = 130;

/** That of bad usage, and of an output that cannot be written. */
const NOT_WRITTEN = 2;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Leaves the rest of a second for the exit itself, ms. */
const GRACE_MS = 800;

/** The reader of stdout gets so long for the last lines of what was told to end, ms. */
const FLUSH_MS = 200;

export class Ending {
  readonly #stop = new AbortController();
  #interrupted = false;
  #failed = false;
  #handled = false;
  #limit: NodeJS.Timeout | undefined;
  /** Errors of stdout are the business of whoever writes a capture to it. */
  stdoutTaken = false;

  /** Aborted when the command is to end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** A person, or the system, asked for the end. */
  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** An output could not be written: that has been said. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Ends the command because of an output. The first error is said, and makes the exit code. */
  fail(error: unknown): void {
    if (!(error instanceof UsageError)) throw error;
    if (this.#failed) return;
    this.#failed = true;
    // It may come when the command has ended: stdout tells late.
    process.exitCode = NOT_WRITTEN;
    complain(error.message);
    this.#stop.abort();
  }

  handle(): void {
    if (this.#handled) return;
    this.#handled = true;
    for (const name of SIGNALS) process.on(name, this.#onSignal);
  }

  /** The command has ended. */
  release(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
    clearTimeout(this.#limit);
    if (this.#failed) process.exitCode = NOT_WRITTEN;
  }

  stdoutFailed(cause: NodeJS.ErrnoException): void {
    if (this.stdoutTaken) return;
    // A reader that has seen enough (`| head`) is no fault.
    if (cause.code !== "EPIPE") this.fail(fileError("stdout", "write", cause));
    this.#stop.abort();
    if (this.#handled) this.#endSoon("");
    else process.exit(this.#failed ? NOT_WRITTEN : undefined);
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (this.#interrupted) this.#force(`${name} again: ended as it stands`);
    this.#interrupted = true;
    complain(`${name}: ending; once more ends at once`);
    this.#stop.abort();
    this.#endSoon("not everything ended within a second: ended as it stands");
  };

  /** A command that ends in order in time leaves nothing that this would wait for. */
  #endSoon(words: string): void {
    this.#limit ??= setTimeout(() => this.#force(words), GRACE_MS).unref();
  }

  #force(words: string): never {
    if (words) complain(words);
    process.exit(this.#interrupted ? INTERRUPTED : this.#failed ? NOT_WRITTEN : undefined);
  }
}

let current = new Ending();

/** A command begins. */
export function newEnding(): Ending {
  current = new Ending();
  return current;
}

/**
 * For a command that looks at the signal every few dozen milliseconds, however busy it is; the system ends others at once.
 */
export function interruptible(): Ending {
  current.handle();
  return current;
}

/** Does not let a reader of stdout that takes nothing keep alive what was told to end. */
export function leave(): void {
  if (current.signal.aborted) setTimeout(() => process.exit(), FLUSH_MS).unref();
}

/** From now on only the caller writes to stdout, and what goes wrong there is its own. */
export function takeStdout(): NodeJS.WriteStream {
  current.stdoutTaken = true;
  return process.stdout;
}

/** Errors of stdout and stderr come as events, at any time, whoever wrote. */
export function watchStandardOutputs(): void {
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => current.stdoutFailed(cause));
  // There is nobody left to tell.
  process.stderr.on("error", () => {});
}
