/** `require("Storage")` as a program sees it. */
import { bytesOf, fromBytes, toBytes } from "../bytes.ts";
import { StorageError } from "../hardware/storage.ts";
import { PowerLost } from "./errors.ts";
import { type FormatOptions, formatValue } from "./format.ts";
import { parseLiberal } from "./liberal-json.ts";
import type { Machine } from "./machine.ts";

const jsonStyle: FormatOptions = { dropQuotes: true, data: true };

export function createStorageModule(machine: Machine): object {
  const { realm } = machine;
  const { storage } = machine.options;
  const write = (name: unknown, data: Uint8Array, offset: number, size: number): boolean => {
    if (!machine.powered) throw new PowerLost("no power");
    if (offset < 0 || size < 0) return false;
    try {
      storage.write(String(name), data, offset, size);
      return true;
    } catch (error) {
      if (error instanceof StorageError) throw realm.error("Error", error.message);
      throw error;
    }
  };
  const isPlainObject = (value: unknown): value is object =>
    Object.prototype.toString.call(value) === "[object Object]";
  const toRealm = (value: unknown) => (realm.global.JSON as JSON).parse(JSON.stringify(value));
  const module = realm.object();
  realm.define(module, {
    read: (name: unknown, offset: unknown, length: unknown) => {
      const data = storage.read(String(name));
      if (data === undefined) return undefined;
      const from = Math.max(0, Number(offset ?? 0));
      const count = Number(length ?? 0);
      return fromBytes(data.subarray(from, count > 0 ? from + count : undefined));
    },
    write: (name: unknown, data: unknown, offset: unknown, size: unknown) => {
      if (isPlainObject(data)) return write(name, toBytes((realm.global.JSON as JSON).stringify(data)), 0, 0);
      const bytes = typeof data === "string" ? toBytes(data) : Uint8Array.from(bytesOf(data));
      return write(name, bytes, Number(offset ?? 0), Number(size ?? 0));
    },
    writeJSON: (name: unknown, value: unknown) => write(name, toBytes(formatValue(value, jsonStyle)), 0, 0),
    readJSON: (name: unknown, noExceptions: unknown) => {
      const data = storage.read(String(name));
      if (data === undefined) return undefined;
      try {
        return toRealm(parseLiberal(fromBytes(data)));
      } catch (error) {
        if (noExceptions) return undefined;
        throw realm.error("SyntaxError", (error as Error).message);
      }
    },
    readArrayBuffer: (name: unknown) => {
      const data = storage.read(String(name));
      return data === undefined ? undefined : realm.arrayBuffer(data);
    },
    erase: (name: unknown) => storage.erase(String(name)),
    eraseAll: () => storage.eraseAll(),
    list: (filter: unknown) => {
      const names = storage.list();
      const matches = (name: string) => (filter === undefined ? true : name.match(filter as RegExp) !== null);
      return realm.array(names.filter(matches));
    },
    getFree: () => storage.free(),
    compact: () => {},
  });
  return module;
}
