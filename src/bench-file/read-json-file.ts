import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
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
 * @throws UsageError with one line: missing, a folder, unreadable, too large, not UTF-8, not JSON (line and column)
 */
export function readJsonFile(path: string, what: string): JsonFile {
  const text = decode(readBounded(path, what), path, what);
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

function readBounded(path: string, what: string): Buffer {
  let file: number | undefined;
  try {
    // Not blocking, since opening a named pipe that nobody writes to would hang.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw new UsageError(`${what} ${quote(path)} is a folder: name a file in it`);
    if (!stats.isFile()) throw new UsageError(`${what} ${quote(path)} is not a regular file`);
    if (stats.size > MAX_FILE_BYTES) {
      const limit = `the limit is ${MAX_FILE_BYTES} bytes`;
      throw new UsageError(`${what} ${quote(path)} is too large: ${stats.size} bytes, ${limit}`);
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${what} ${quote(path)} ${reasonOf(error)}`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const REASONS: Record<string, string> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist: a part of its path is not a folder",
  EISDIR: "is a folder: name a file in it",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  ELOOP: "cannot be read: its symbolic links go round in a circle",
  ENAMETOOLONG: "cannot be read: the name is too long",
  ENXIO: "is not a regular file",
  ERR_INVALID_ARG_VALUE: "is not a path",
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
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
