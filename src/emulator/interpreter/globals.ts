/** The table of globals that a program finds on a board, made anew for each program. */

import type { WatchEvent } from "../hardware/pins.ts";
import { onlyStatement } from "./brackets.ts";
import { createEObject } from "./e-object.ts";
import type { Callback } from "./events.ts";
import { printStyle } from "./format.ts";
import type { Machine } from "./machine.ts";
import { createModules } from "./modules.ts";
import { createPinGlobals } from "./pin-object.ts";
import { createProcess } from "./process-object.ts";
import { SerialObjects } from "./serial-object.ts";
import { createStorageModule } from "./storage-object.ts";
import { longestMs } from "./timers.ts";

/** A running program, as the main loop sees it. */
export interface Program {
  readonly E: object;
  readonly process: object;
  readonly serial: SerialObjects;
  /** Names that values print under. */
  readonly names: { deviceName(value: object): string | undefined; isNative(value: object): boolean };
  /** A plain value as one of the program's realm. */
  toRealm(value: unknown): unknown;
  /** Runs a console line; a declaration has the value it declares. */
  evaluateLine(source: string): unknown;
  /** Calls the callback of a watch. @returns false when the board is busy afterwards */
  watchFired(event: WatchEvent): boolean;
}

/** Board time that reading the clock takes, microseconds: so that a loop that waits for a time comes to its end. */
const readClockUs = 50;

function isCallback(value: unknown): value is Callback {
  return typeof value === "function" || typeof value === "string";
}

function timerGlobals(machine: Machine): Record<string, unknown> {
  const { realm, timers, cpu } = machine;
  const add =
    (repeat: boolean) =>
    (callback: unknown, ms: unknown, ...args: unknown[]) => {
      if (!isCallback(callback)) throw realm.error("Error", "Function or String not supplied!");
      if (Number(ms) > longestMs) throw realm.error("Error", "Interval is too long (>100 years)");
      return timers.add(callback, Number(ms), args, repeat, cpu.now());
    };
  const clear =
    (name: string) =>
    (...ids: unknown[]) => {
      if (ids.length === 0) timers.clear();
      else if (ids[0] === undefined) {
        throw realm.error("Error", `clear${name}(undefined) not allowed. Use clear${name}() instead`);
      } else timers.remove(ids[0]);
    };
  return {
    setTimeout: add(false),
    setInterval: add(true),
    clearTimeout: clear("Timeout"),
    clearInterval: clear("Interval"),
    changeInterval: (id: unknown, ms: unknown) => {
      if (!timers.change(id, Number(ms), cpu.now())) throw realm.error("Error", "Unknown Interval");
    },
  };
}

/** `on`, `emit` and the rest, which every object has. */
function installEvents(machine: Machine, serial: () => SerialObjects): void {
  const { realm, events } = machine;
  const check = (self: unknown, name: unknown): object => {
    if ((typeof self !== "object" && typeof self !== "function") || self === null) {
      throw realm.error("TypeError", "Parent must be an object - not a String, Integer, etc");
    }
    if (typeof name !== "string") throw realm.error("TypeError", "First argument must be String");
    return self;
  };
  const add = (first: boolean) =>
    function (this: unknown, name: unknown, listener: unknown) {
      const self = check(this, name);
      if (!isCallback(listener)) {
        throw realm.error("TypeError", "Second argument must be a function or a String");
      }
      events.add(self, name as string, listener, first);
      if (name === "data") serial().listenerAdded(self);
    };
  realm.define((realm.global.Object as { prototype: object }).prototype, {
    on: add(false),
    addListener: add(false),
    prependListener: add(true),
    emit(this: unknown, name: unknown, ...args: unknown[]) {
      const self = check(this, name);
      if (args.length > 4) throw realm.error("TypeError", "Too many arguments (>4)");
      events.emit(self, name as string, args);
    },
    removeListener(this: unknown, name: unknown, listener: unknown) {
      if (isCallback(listener)) events.remove(check(this, name), name as string, listener);
    },
    removeAllListeners(this: unknown, name: unknown) {
      events.removeAll(check(this, name ?? ""), name as string | undefined);
    },
  });
}

function interpreterGlobals(machine: Machine): Record<string, unknown> {
  const { realm, repl } = machine;
  const print = (...values: unknown[]) => {
    const texts = values.map((value) =>
      typeof value === "string" ? value : machine.format(value, printStyle),
    );
    machine.say(`${texts.join(" ")}\n`);
  };
  const getTime = () => {
    machine.cpu.spend(readClockUs);
    return machine.boardUs() / 1e6;
  };
  return {
    print,
    console: realm.object({ log: print }),
    echo: (on: unknown) => machine.cpu.effect(() => repl.setEcho(Boolean(on))),
    getTime,
    setTime: (seconds: unknown) => {
      machine.timeOffsetUs += Math.round(Number(seconds) * 1e6) - machine.boardUs();
    },
    getSerial: () => machine.options.serialNumber,
    reset: (clear: unknown) => {
      if (clear) {
        machine.say("Erasing saved code.\nDone!\n");
        for (const name of [".varimg", ".bootcde", ".bootrst"]) machine.options.storage.erase(name);
      }
      machine.todo = { kind: "reset" };
    },
    load: (file: unknown) => {
      machine.todo = { kind: "load", file: file === undefined ? undefined : String(file) };
    },
    save: () => {
      throw realm.error("Error", "Cannot save: .bootcde file already exists. Please remove it first.");
    },
    atob: (text: unknown) => Buffer.from(String(text), "base64").toString("latin1"),
    btoa: (text: unknown) => Buffer.from(String(text), "latin1").toString("base64"),
    setBusyIndicator: () => {},
    setSleepIndicator: () => {},
  };
}

/** Declarations at the start of a console line: a second `let` of the same name is no error on a board. */
function asVar(source: string): string {
  return source.replace(/^(\s*)(?:let|const)(?=\s)/, "$1var");
}

/** Puts Espruino's globals into the machine's fresh realm. */
export function installGlobals(machine: Machine): Program {
  const { realm } = machine;
  const serial: SerialObjects = new SerialObjects(machine);
  installEvents(machine, () => serial);
  const E = createEObject(machine, serial);
  const process = createProcess(machine);
  const pins = createPinGlobals(machine);
  const storage = createStorageModule(machine);
  const { require, Modules } = createModules(machine, { Storage: storage });
  realm.define(realm.global, {
    ...timerGlobals(machine),
    ...interpreterGlobals(machine),
    ...pins.globals,
    E,
    process,
    require,
    Modules,
  });
  const native = new Set<object>([E, Modules, storage]);
  return {
    E,
    process,
    serial,
    names: {
      deviceName: (value) => serial.nameOf(value),
      isNative: (value) => native.has(value),
    },
    toRealm: (value) => (realm.global.JSON as JSON).parse(JSON.stringify(value)),
    evaluateLine(source) {
      const value = realm.evaluate(asVar(source), "REPL");
      if (value !== undefined) return value;
      const declared = /^\s*(?:var|let|const)\s+([\w$]+)\s*=[^=]|^\s*function\s+([\w$]+)/.exec(
        onlyStatement(source) ?? "",
      );
      const name = declared?.[1] ?? declared?.[2];
      return name === undefined ? undefined : realm.global[name];
    },
    watchFired: pins.watchFired,
  };
}
