import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { quote, UsageError } from "../errors.ts";
import { type JsonText, JsonTextError, lineAndColumn, parseJson } from "./json-text.ts";

/** The largest file that is read, in bytes; a bench of 251 stations takes about 30 kB. */
export const MAX_FILE_BYTES = 1_048_576;

/** A JSON file, and a way to say where in it something stands. */
export interface JsonFile {
  value: unknown;
  /** `FILE:LINE` of the value at a path (as `pathText` writes it), or of the nearest value around it. */
  place(path: string): string;
}

/**
 * Reads a JSON file.
 *
 * @param path the file
 * @param what what the file is, for messages (`bench file`)
 * @param hint what to try when there is no such file
 * @throws UsageError with one line: missing, a folder, unreadable, too large, not UTF-8, not JSON (line and column)
 */
export function readJsonFile(path: string, what: string, hint = "check its path"): JsonFile {
  const text = decode(readBounded(path, what, hint), path, what);
  const { value, offsets } = parse(text, path);
  return {
    value,
    place(at) {
      let known = at;
      while (known !== "" && !offsets.has(known)) known = parentOf(known);
      return `${path}:${lineAndColumn(text, offsets.get(known) ?? 0).line}`;
    },
  };
}

function parse(text: string, path: string): JsonText {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { line, column } = lineAndColumn(text, error.offset);
    throw new UsageError(`${path}:${line}:${column}: not JSON: ${error.message}`);
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0));
}

function readBounded(path: string, what: string, hint: string): Buffer {
  let file: number | undefined;
  try {
    // Not blocking, since opening a named pipe that nobody writes to would hang.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw new UsageError(`${what} ${quote(path)} is a folder: name a file in it`);
    if (!stats.isFile()) throw new UsageError(`${what} ${quote(path)} is not a regular file`);
    const bytes = readAtMost(file, MAX_FILE_BYTES + 1);
    if (bytes.length <= MAX_FILE_BYTES) return bytes;
    throw new UsageError(`${what} ${quote(path)} is too large: the limit is ${MAX_FILE_BYTES} bytes`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${what} ${quote(path)} ${reasonOf(error, hint)}`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reads by count and not by the file's size, which is 0 for some files that have no end. */
function readAtMost(file: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  let filled = 0;
  while (filled < count) {
    const got = readSync(file, bytes, filled, count - filled, null);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

const REASONS: Record<string, string> = {
  ENOTDIR: "does not exist: a part of its path is not a folder",
  EISDIR: "is a folder: name a file in it",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  ELOOP: "cannot be read: its symbolic links go round in a circle",
  ENAMETOOLONG: "cannot be read: the name is too long",
  ENXIO: "is not a regular file",
  ERR_INVALID_ARG_VALUE: "is not a path",
};

function reasonOf(error: unknown, hint: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `does not exist: ${hint}`;
  return REASONS[code ?? ""] ?? `cannot be read: ${message}`;
}

function decode(bytes: Buffer, path: string, what: string): string {
  try {
    // The decoder drops a byte order mark, which some editors put first.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${what} ${quote(path)} is not UTF-8 text: save it as UTF-8`);
  }
}
