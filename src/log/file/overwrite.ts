/** Guards against a mistyped name: a run's file may replace an older one, not somebody's other work. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { quote, UsageError } from "../../errors.ts";

/** How every run's file begins. */
const LOG_START = '{"schema":';

/** @throws UsageError where `path` is a plain file with something else in it than a run */
export function mayReplaceRun(path: string): void {
  const start = startOf(path, LOG_START.length);
  if (start === "" || start === LOG_START) return;
  throw new UsageError(
    `${quote(path)} is there already and is no run: give another name, or delete it first`,
  );
}

/** @throws UsageError where `path` is a plain file of another kind than `ending` says */
export function mayReplaceExport(path: string, ending: string): void {
  if (startOf(path, 1) === "" || path.endsWith(ending)) return;
  throw new UsageError(
    `${quote(path)} is there already and its name does not end with ${ending}: give another name, or delete it first`,
  );
}

/** @returns the first characters of a plain file; "" where there is none, it is empty, or it is a pipe or a terminal */
function startOf(path: string, length: number): string {
  try {
    // Opening a pipe to read from it would wait for its writer.
    if (!statSync(path).isFile()) return "";
  } catch {
    // What cannot be looked at cannot be written either: the writer says why.
    return "";
  }
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString("latin1", 0, readSync(fd, bytes, 0, length, 0));
  } finally {
    closeSync(fd);
  }
}
