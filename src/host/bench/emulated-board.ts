/** Emulated boards with our firmware in their flash, in this process: a bench without hardware. */
import { ELECTIONS } from "../../../firmware/protocols.js";
import { type Board, createBoard } from "../../emulator/board.ts";
import { realTimeClock } from "../../emulator/hardware/clock.ts";
import type { ConsolePort, UartPort } from "../../emulator/hardware/ports.ts";
import { type EmulatedProfile, picoProfile, uarts } from "../../emulator/hardware/profile.ts";
import { createStorage, type Storage } from "../../emulator/hardware/storage.ts";
import type { Link } from "../../link/link.ts";
import { memoryPair } from "../../link/memory.ts";
import { bundleFirmware } from "../firmware-bundle/bundle.ts";

/** What emulated boards carry beside the core, unless they are to run another mutual exclusion. */
const PROTOCOLS: readonly string[] = ELECTIONS.map(({ name }) => name);
const firmware = new Map<string, Promise<string>>();

/** @returns the firmware of emulated boards, made once for each set of protocols */
export function emulatedFirmware(protocols = PROTOCOLS): Promise<string> {
  const key = protocols.join();
  const made = firmware.get(key) ?? bundleFirmware(protocols);
  firmware.set(key, made);
  return made;
}

/** The UART of emulated boards that a wired ring uses, as in boards/emulated.json. */
export const EMULATED_UART = "Serial2";

/** The board of boards/emulated.json. */
export const EMULATED_PROFILE: EmulatedProfile = {
  ...picoProfile,
  name: "Emulated board",
  boardId: "EMULATED",
  uarts: uarts(6, 1024, 128),
  leds: ["LED1", "LED2", "LED3"],
};

export interface EmulatedBoardOptions {
  /** 0, 1, ...: makes serial number and seed differ. */
  index: number;
  seed: number;
  console: ConsolePort;
  /** The board's link UART, on a wired ring. */
  uart?: { name: string; port: UartPort };
  storage: Storage;
  /** Milliseconds from power to boot code; default 0. */
  bootDelayMs?: number;
}

/**
 * @param code "" for a board without firmware
 * @returns flash that holds the firmware and, where given, a configuration
 */
export function flashed(code: string, config?: object): Storage {
  const storage = createStorage({ size: 256 * 1024 });
  if (code) storage.write(".bootcde", Buffer.from(code, "latin1"));
  if (config) storage.write("ring.json", Buffer.from(JSON.stringify(config), "latin1"));
  return storage;
}

export function emulatedBoard(options: EmulatedBoardOptions): Board {
  const { index, seed, console, uart, storage, bootDelayMs = 0 } = options;
  return createBoard({
    profile: EMULATED_PROFILE,
    clock: realTimeClock(),
    console,
    ...(uart ? { uarts: { [uart.name]: uart.port } } : {}),
    storage,
    serialNumber: `00000000-00000000-${String(index + 1).padStart(8, "0")}`,
    seed: seed + index,
    bootDelayMs,
    executionLimitMs: 2000,
  });
}

/** A board's console whose other end is a link in this process. */
export interface ConsolePair {
  port: ConsolePort;
  link: Link;
}

/** @param path the name of the link */
export function consolePair(path: string): ConsolePair {
  const { a, b } = memoryPair({ paths: { a: path, b: `${path} (board)` }, capacity: 65_536 });
  const port: ConsolePort = {
    write: (bytes) => {
      b.write(Buffer.from(bytes).toString("latin1"));
    },
    onData: (listener) => {
      b.listener = { onBytes: (bytes) => listener(bytes) };
      void b.open();
    },
  };
  return { port, link: a };
}
