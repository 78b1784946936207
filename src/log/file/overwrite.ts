/**
 * The guard before every output: a mistyped name must not cost somebody's other work. A file may be replaced by one of its
 * own kind; an input of the same run, or a path that two outputs share, never is.
 */
import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { quote, UsageError } from "../../errors.ts";

/** What a file holds, and how each such file begins. */
export interface FileKind {
  /** As in "it is there already and is no ...". */
  name: string;
  /** One character a byte. */
  begins: string;
}

/** How every run's file begins. */
export const RUN_FILE: FileKind = { name: "run", begins: '{"schema":' };

export interface Target {
  /** Where its path was given: `--log`. */
  option: string;
  path: string;
  kind: FileKind;
}

/** Something that the same run reads, or a port that it talks to. */
export interface Input {
  /** As in "is the ... of this run". */
  what: string;
  path: string;
}

/** @throws UsageError for the first output that must not be written */
export function guardOutputs(targets: readonly Target[], inputs: readonly Input[] = []): void {
  for (const [i, { option, path, kind }] of targets.entries()) {
    const input = inputs.find((one) => look(one.path) && samePlace(one.path, path));
    if (input) throw new UsageError(`${option}: ${quote(path)} is the ${input.what}: give another name`);
    const other = targets.slice(0, i).find((one) => samePlace(one.path, path));
    if (other) throw new UsageError(`${other.option} and ${option} both name ${quote(path)}: give two names`);
    const start = startOf(path, kind.begins.length);
    if (start === "" || start === kind.begins) continue;
    throw new UsageError(
      `${option}: ${quote(path)} is there already and is no ${kind.name}: give another name, or delete it first`,
    );
  }
}

/** Do two paths name one file, pipe or port? Two outputs may share a device that is no port, such as /dev/null. */
function samePlace(a: string, b: string): boolean {
  const [one, other] = [look(a), look(b)];
  if (one && other) {
    if (one.isCharacterDevice() && one.rdev === NULL_DEVICE) return false;
    return one.dev === other.dev && one.ino === other.ino;
  }
  return !one && !other && placeOf(a) === placeOf(b);
}

const NULL_DEVICE = look("/dev/null")?.rdev;

/** A path that nothing has yet, without links in its folder. */
function placeOf(path: string): string {
  const whole = resolve(path);
  try {
    return join(realpathSync(dirname(whole)), basename(whole));
  } catch {
    return whole;
  }
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** @returns the first characters of a plain file; "" where there is none, it is empty, or it is a pipe or a terminal */
function startOf(path: string, length: number): string {
  // Opening a pipe to read from it would wait for its writer. What cannot be looked at cannot be written either: the
  // writer says why.
  if (!look(path)?.isFile()) return "";
  try {
    const fd = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(length);
      return bytes.toString("latin1", 0, readSync(fd, bytes, 0, length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    // It may be written but not read: nobody can say what it is.
    return "?";
  }
}
