/** Emulated boards with our firmware behind terminals, so that any serial program can open them. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Board } from "../../emulator/board.ts";
import { ringWires } from "../../emulator/hardware/ports.ts";
import type { Storage } from "../../emulator/hardware/storage.ts";
import { openTty, type Tty } from "../../emulator/hardware/tty.ts";
import { quote, UsageError } from "../../errors.ts";
import { EMULATED_UART, emulatedBoard, emulatedFirmware, flashed } from "./emulated-board.ts";

/** Terminals and interpreters cost memory: no ring on one desk is longer. */
export const MOST_EMULATED = 26;

export interface EmulatedTtysOptions {
  stations: number;
  /** Where the links a, b, c, ... are made, in ring order; made when it is not there. */
  dir: string;
  /** The UART of each board goes to the next one's. */
  wired?: boolean;
  seed?: number;
  /** Boards without firmware, as they come from the shop. */
  blank?: boolean;
  /** A terminal has gone without `unplug`. */
  onLost?(name: string): void;
}

/** Where a board is plugged in, or was. Its flash outlives its power. */
interface Socket {
  name: string;
  storage: Storage;
  board: Board | null;
  tty: Tty | null;
  /** While its terminal is being made: who plugs it in again waits for that. */
  opening: Promise<void> | null;
  /** How often it was plugged in: random numbers and boot ids differ each time. */
  boots: number;
}

export class EmulatedTtys {
  readonly #options: EmulatedTtysOptions;
  readonly #sockets: Socket[];
  readonly #wires: ReturnType<typeof ringWires>;
  readonly #stop = new AbortController();

  /** @param code what is in the flash of every board; use `emulateTtys` */
  constructor(options: EmulatedTtysOptions, code: string) {
    this.#options = options;
    this.#wires = ringWires(options.stations);
    this.#sockets = namesOf(options.stations).map((name) => ({
      name,
      storage: flashed(code),
      board: null,
      tty: null,
      opening: null,
      boots: 0,
    }));
  }

  /** Paths of the links, in ring order. */
  get paths(): string[] {
    return this.names.map((name) => join(this.#options.dir, name));
  }

  get names(): string[] {
    return this.#sockets.map(({ name }) => name);
  }

  /** @returns null while the board is unplugged @throws UsageError for a name that no board has */
  board(name: string): Board | null {
    return this.#socket(name).board;
  }

  /**
   * Makes the terminal and powers the board, whose flash is as it was. Nothing to do when it is plugged in.
   * @throws UsageError without socat, or where the link cannot be made
   */
  async plug(name: string): Promise<void> {
    const socket = this.#socket(name);
    await this.#settled(socket);
    if (socket.board || this.#stop.signal.aborted) return;
    socket.opening = this.#powerOn(socket);
    try {
      await socket.opening;
    } finally {
      socket.opening = null;
    }
  }

  async #powerOn(socket: Socket): Promise<void> {
    const { name } = socket;
    const index = this.#sockets.indexOf(socket);
    const tty = await openTty(join(this.#options.dir, name), this.#stop.signal).catch((error: Error) => {
      // In one line already: socat is missing, or what it said.
      throw new UsageError(error.message);
    });
    socket.tty = tty;
    void tty.ended.then(() => {
      if (socket.tty !== tty) return;
      this.#powerOff(socket);
      this.#options.onLost?.(name);
    });
    const wire = this.#options.wired ? this.#wires.ports[index] : undefined;
    socket.board = emulatedBoard({
      index,
      seed: (this.#options.seed ?? 1) + 1000 * socket.boots++,
      console: tty,
      ...(wire ? { uart: { name: EMULATED_UART, port: wire } } : {}),
      storage: socket.storage,
    });
  }

  /** Takes power and terminal away at once. Nothing to do when it is unplugged. */
  async unplug(name: string): Promise<void> {
    const socket = this.#socket(name);
    await this.#settled(socket);
    const { tty } = socket;
    this.#powerOff(socket);
    await tty?.close();
  }

  /** Opens the wire that leaves a board, or closes it again. */
  wire(name: string, whole: boolean): void {
    const index = this.#sockets.indexOf(this.#socket(name));
    if (whole) this.#wires.mend(index);
    else this.#wires.cut(index);
  }

  /** Ends all boards and removes their links. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.names.map((name) => this.unplug(name)));
  }

  /** Waits until its terminal is there, or could not be made. */
  async #settled(socket: Socket): Promise<void> {
    while (socket.opening) await socket.opening.catch(() => {});
  }

  #powerOff(socket: Socket): void {
    socket.board?.stop();
    socket.board = null;
    socket.tty = null;
  }

  #socket(name: string): Socket {
    const socket = this.#sockets.find((one) => one.name === name);
    if (!socket)
      throw new UsageError(`no emulated board is called ${quote(name)}: there are ${this.names.join(", ")}`);
    return socket;
  }
}

/**
 * Starts emulated boards.
 * @param signal ends the starting
 * @throws UsageError without socat, or where a link cannot be made
 */
export async function emulateTtys(options: EmulatedTtysOptions, signal?: AbortSignal): Promise<EmulatedTtys> {
  const { dir, stations, blank } = options;
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--dir ${quote(dir)} cannot be made (${code}): give a folder that you may write to`);
  }
  // A link whose terminal is gone is of a run that was killed, and is replaced.
  const inUse = namesOf(stations).find((name) => existsSync(join(dir, name)));
  if (inUse !== undefined) {
    throw new UsageError(
      `${join(dir, inUse)} is in use, perhaps by another ringlab emulate: give another --dir`,
    );
  }
  const ttys = new EmulatedTtys(options, blank ? "" : await emulatedFirmware());
  const onAbort = () => void ttys.stop();
  signal?.addEventListener("abort", onAbort);
  try {
    await Promise.all(ttys.names.map((name) => ttys.plug(name)));
  } catch (error) {
    await ttys.stop();
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
  return ttys;
}

/** a, b, c, ... */
function namesOf(stations: number): string[] {
  return Array.from({ length: stations }, (_, i) => String.fromCharCode(97 + i));
}
