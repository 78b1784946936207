/** `E`: the interpreter's own functions, as far as ring firmware and uploaders use them. */
import { crc32 } from "node:zlib";
import { bytesOf, fromBytes, toBytes } from "../bytes.ts";
import { StorageError } from "../hardware/storage.ts";
import { PowerLost } from "./errors.ts";
import { compactStyle } from "./format.ts";
import type { Machine } from "./machine.ts";
import type { SerialObjects } from "./serial-object.ts";

export function createEObject(machine: Machine, serial: SerialObjects): object {
  const { realm, random, flags, loop } = machine;
  const { storage } = machine.options;
  const E = realm.object();
  realm.define(E, {
    CRC32: (data: unknown) => crc32(Uint8Array.from(bytesOf(data))),
    sum: (data: unknown) => bytesOf(data).reduce((total, byte) => total + byte, 0),
    srand: (value: unknown) => random.seed(Number(value)),
    hwRand: () => random.bits() | 0,
    getErrorFlags: () => realm.array(flags.take()),
    getFlags: () => realm.object(),
    setFlags: () => {},
    setConsole: (device: unknown, options: unknown) => {
      const { force } = (options ?? {}) as { force?: unknown };
      if (device === null) {
        machine.moveConsole(null, Boolean(force));
        return;
      }
      const name = serial.byNameOrObject(device);
      if (name === undefined) throw realm.error("Error", 'Unknown device type "undefined"');
      machine.moveConsole(name, Boolean(force));
    },
    getConsole: () => machine.console.name,
    setBootCode: (code: unknown, always: unknown) => {
      for (const name of [".bootcde", ".bootrst"]) storage.erase(name);
      if (typeof code !== "string" || code === "") return;
      try {
        storage.write(always ? ".bootrst" : ".bootcde", toBytes(code));
      } catch (error) {
        if (error instanceof StorageError) throw realm.error("Error", error.message);
        throw error;
      }
    },
    enableWatchdog: (seconds: unknown, auto: unknown) => {
      loop.setWatchdog(Number(seconds), auto === undefined || Boolean(auto));
    },
    kickWatchdog: () => loop.kickWatchdog(),
    reboot: () => {
      machine.options.reboot();
      throw new PowerLost("reboot");
    },
    toUint8Array: (...items: unknown[]) => realm.uint8Array(bytesOf(items)),
    toArrayBuffer: (text: unknown) => realm.arrayBuffer(bytesOf(text)),
    toString: (...items: unknown[]) => fromBytes(Uint8Array.from(bytesOf(items))),
    toJS: (value: unknown) => machine.format(value, compactStyle),
    getSizeOf: () => 0,
    clip: (value: number, low: number, high: number) => Math.min(Math.max(value, low), high),
    reverseByte: (value: number) => {
      let out = 0;
      for (let i = 0; i < 8; i++) out = (out << 1) | ((value >> i) & 1);
      return out;
    },
  });
  return E;
}
