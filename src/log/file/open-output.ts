/** Finds out what a path names, and opens it for writing. */
import { type Stats, statSync } from "node:fs";
import { DirectFile } from "./direct-file.ts";
import type { OpenOptions, Output } from "./output.ts";
import { openPipe } from "./pipe-output.ts";
import { WholeFile } from "./whole-file.ts";

/**
 * Opens what a path names. What is no plain file is written to, never replaced; a named pipe (FIFO) is waited for until
 * somebody reads it.
 * @throws UsageError where it cannot be opened; the reason of `signal` when that came first
 */
export async function openOutput(path: string, options: OpenOptions = {}): Promise<Output> {
  const found = kindOf(path);
  if (found?.isFIFO()) return openPipe(path, options);
  return options.whole && (found === undefined || found.isFile())
    ? new WholeFile(path)
    : new DirectFile(path);
}

/** Is it a named pipe, whose opening waits for a reader? */
export function isPipe(path: string): boolean {
  return kindOf(path)?.isFIFO() === true;
}

/** @returns undefined where nothing is there; opening says why where it cannot be looked at */
function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
