/** `process`: version, environment and memory. */
import type { Machine } from "./machine.ts";

/**
 * Variables in use, estimated: an empty board 51, a time-out 6, a watch 15, a connected listener about 19, saved code
 * 6 for each function in it (measured on builds of the interpreter with a board's variable size). What a program
 * keeps in its own variables cannot be seen here, so this is a floor and no measurement.
 */
function estimateUsage(machine: Machine): number {
  const { storage } = machine.options;
  let functions = 0;
  for (const name of storage.list()) {
    if (!/^\.boot/.test(name)) continue;
    const code = Buffer.from(storage.read(name) ?? []).toString("latin1");
    functions += code.match(/\bfunction\b|=>/g)?.length ?? 0;
  }
  return 51 + 6 * machine.timers.count + 15 * machine.pins.watchCount + 6 * functions;
}

export function createProcess(machine: Machine): object {
  const { realm } = machine;
  const { profile, storage, serialNumber } = machine.options;
  const process = realm.object();
  const memory = () => {
    const total = profile.variables;
    const usage = Math.min(estimateUsage(machine), total);
    const [uart] = profile.uarts;
    return realm.object({
      free: total - usage,
      usage,
      total,
      history: 0,
      gc: 0,
      gctime: 1,
      blocksize: total > 8191 ? 14 : total > 2047 ? 13 : 12,
      rx: realm.object({ used: machine.usb?.available ?? 0, total: uart?.rxBuffer ?? 0 }),
      tx: realm.object({ used: machine.usb?.queued ?? 0, total: uart?.txBuffer ?? 0 }),
    });
  };
  const environment = () =>
    realm.object({
      VERSION: machine.version,
      GIT_COMMIT: "emulated",
      EMULATED: true,
      BOARD: profile.boardId,
      RAM: profile.variables * 16,
      FLASH: storage.totalBytes,
      STORAGE: storage.totalBytes,
      SERIAL: serialNumber,
      CONSOLE: machine.console.name,
      MODULES: "Storage",
      EXPTR: 0,
    });
  realm.define(process, { memory, version: machine.version });
  Object.defineProperty(process, "env", { get: environment, enumerable: false });
  return process;
}
