/**
 * The flash file system behind `require("Storage")`: it survives a reset and a power cycle, and, given a file, the
 * end of the process.
 *
 * As in flash, a byte can be written once: a file made with a size is filled with 0xFF and takes each byte only
 * where it still is 0xFF; writing at offset 0 of a used file makes a new one.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Longest name, characters; the rest is cut without a word. */
const nameLength = 28;
/** Bytes a file costs beside its content, which is rounded up to words of 4. */
const headerBytes = 32;

const erased = 0xff;

/** Thrown with the interpreter's words; the caller turns it into an error of the program's realm. */
export class StorageError extends Error {}

export interface Storage {
  read(name: string): Uint8Array | undefined;
  /**
   * @param offset bytes from the start of the file, 0 makes or replaces it
   * @param size bytes of a file to be made; 0 means as long as the data
   * @throws StorageError with the interpreter's message
   */
  write(name: string, data: Uint8Array, offset?: number, size?: number): void;
  erase(name: string): void;
  eraseAll(): void;
  list(): string[];
  /** Bytes that a new file can have at most. */
  free(): number;
  readonly totalBytes: number;
  /** The next write stops after this many bytes and calls `lost`, as when power fails in the middle. */
  failNextWrite(afterBytes: number, lost: () => void): void;
}

export interface StorageOptions {
  /** Bytes of flash; default 48 kB, an Espruino Pico. */
  readonly size?: number;
  /** File of the host that keeps the content: JSON, name to base64. Made when it is missing. */
  readonly file?: string;
}

function load(file: string): Map<string, Uint8Array> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
    throw error;
  }
  try {
    const content = JSON.parse(text) as Record<string, string>;
    return new Map(Object.entries(content).map(([name, data]) => [name, Buffer.from(data, "base64")]));
  } catch {
    throw new Error(`${file}: not a storage file of an emulated board; remove it or name another`);
  }
}

/** @throws when `file` exists and is not a storage file */
export function createStorage(options: StorageOptions = {}): Storage {
  const { size: totalBytes = 48 * 1024, file } = options;
  const files = file === undefined ? new Map<string, Uint8Array>() : load(file);
  let failure: { afterBytes: number; lost: () => void } | undefined;

  const save = () => {
    if (file === undefined) return;
    const content: Record<string, string> = {};
    for (const [name, data] of files) content[name] = Buffer.from(data).toString("base64");
    writeFileSync(`${file}.new`, JSON.stringify(content));
    renameSync(`${file}.new`, file);
  };
  const cost = (bytes: number) => headerBytes + Math.ceil(bytes / 4) * 4;
  const used = () => [...files.values()].reduce((sum, data) => sum + cost(data.length), 0);
  const isErased = (data: Uint8Array, from: number, to: number) =>
    data.subarray(from, to).every((b) => b === erased);

  const fileToWrite = (name: string, data: Uint8Array, offset: number, size: number): Uint8Array | "same" => {
    const old = files.get(name);
    if (old !== undefined && (offset > 0 || (old.length === size && isErased(old, 0, size)))) return old;
    if (old === undefined && offset > 0) throw new StorageError("Unable to find or create file");
    if (old !== undefined && old.length === size && data.length === size && Buffer.compare(old, data) === 0) {
      return "same";
    }
    files.delete(name);
    if (used() + cost(size) > totalBytes) {
      save();
      throw new StorageError("Unable to find or create file");
    }
    const made = new Uint8Array(size).fill(erased);
    files.set(name, made);
    return made;
  };

  return {
    totalBytes,
    read: (name) => files.get(name.slice(0, nameLength)),
    write(longName, data, offset = 0, size = 0) {
      const name = longName.slice(0, nameLength);
      const length = size === 0 ? data.length : size;
      if (length === 0) throw new StorageError("Can't create zero length file");
      const target = fileToWrite(name, data, offset, length);
      if (target === "same") return;
      if (offset + data.length > target.length) throw new StorageError("Too much data for file size");
      if (!isErased(target, offset, offset + data.length)) {
        throw new StorageError("File already written with different data");
      }
      const cut = failure;
      failure = undefined;
      target.set(cut === undefined ? data : data.subarray(0, cut.afterBytes), offset);
      save();
      cut?.lost();
    },
    erase(name) {
      if (files.delete(name.slice(0, nameLength))) save();
    },
    eraseAll() {
      files.clear();
      save();
    },
    list: () => [...files.keys()],
    free: () => Math.max(0, totalBytes - used() - headerBytes),
    failNextWrite(afterBytes, lost) {
      failure = { afterBytes, lost };
    },
  };
}
