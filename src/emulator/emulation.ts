/** Several emulated boards on ttys, free-standing or with their UARTs chained to a ring. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Board, createBoard } from "./board.ts";
import { type Clock, realTimeClock } from "./clock.ts";
import { type ConsolePort, ringWires, type UartPort } from "./ports.ts";
import { type EmulatedProfile, picoProfile } from "./profile.ts";
import { createStorage, type Storage } from "./storage.ts";
import { openTty, type Tty } from "./tty.ts";

export interface EmulationOptions {
  readonly stations: number;
  /** Folder of the links: a, b, c, ... in ring order. Made when it is missing. */
  readonly dir: string;
  readonly profile?: EmulatedProfile;
  /** The UART that is chained, TX of each board to RX of the next; none: boards for a hub. */
  readonly wiredUart?: string;
  /** Puts firmware and identity into a board's flash before it boots. */
  readonly prepare?: (storage: Storage, index: number) => void;
  /** Keep each board's flash in a file beside its link. */
  readonly keepStorage?: boolean;
  /** Milliseconds from power to boot code. */
  readonly bootDelayMs?: number;
  readonly seed?: number;
  readonly clock?: Clock;
}

export interface Emulation {
  readonly boards: readonly Board[];
  /** Paths of the ttys, in ring order. */
  readonly links: readonly string[];
  /** Opens the wire from station i to the next. */
  cutWire(i: number): void;
  mendWire(i: number): void;
  /** Pulls the plug of a board: its tty is gone, its power too. */
  unplug(i: number): Promise<void>;
  /** Plugs it in again, under the same name; it boots with its flash as it was. */
  plug(i: number): Promise<void>;
  /** Ends all of it; every link is removed. */
  stop(): Promise<void>;
}

/** Milliseconds of real time after which a callback that does not return is broken off. */
const executionLimitMs = 2000;

/** a, b, ... z, aa, ab, ... */
export function linkName(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : linkName(Math.floor(index / 26) - 1) + letter;
}

/** A console port whose tty can be taken away and put back. */
class Socket implements ConsolePort {
  private tty: Tty | undefined;
  private data: ((bytes: Uint8Array) => void) | undefined;
  private reader: ((reads: boolean) => void) | undefined;

  /** A fresh tty takes what it is given; none takes nothing. */
  connect(tty: Tty | undefined): void {
    this.tty = tty;
    tty?.port.onData((bytes) => this.data?.(bytes));
    tty?.port.onReader?.((reads) => {
      if (this.tty === tty) this.reader?.(reads);
    });
    this.reader?.(tty !== undefined);
  }

  write(bytes: Uint8Array): boolean | void {
    return this.tty === undefined ? false : this.tty.port.write(bytes);
  }

  onData(listener: (bytes: Uint8Array) => void): void {
    this.data = listener;
  }

  onReader(listener: (reads: boolean) => void): void {
    this.reader = listener;
  }

  pause(paused: boolean): void {
    this.tty?.port.pause?.(paused);
  }
}

function checkUart(profile: EmulatedProfile, name: string | undefined): void {
  if (name === undefined || profile.uarts.some((uart) => uart.name === name)) return;
  const names = profile.uarts.map((uart) => uart.name).join(", ");
  throw new Error(`${profile.name} has no ${name} to chain (it has ${names})`);
}

/**
 * Puts `stations` boards on ttys and boots them.
 *
 * @throws with one line when socat is missing or a link cannot be made; what was made is removed again
 */
export async function emulate(options: EmulationOptions): Promise<Emulation> {
  const { stations, dir, profile = picoProfile, wiredUart, clock = realTimeClock(), seed = 1 } = options;
  checkUart(profile, wiredUart);
  mkdirSync(dir, { recursive: true });
  const links = Array.from({ length: stations }, (_, i) => join(dir, linkName(i)));
  const sockets = links.map(() => new Socket());
  const ttys: (Tty | undefined)[] = links.map(() => undefined);
  const wires = ringWires(stations);
  let stopped = false;

  const boards = links.map((link, i) => {
    const file = options.keepStorage ? { file: `${link}.storage.json` } : {};
    const storage = createStorage({ size: profile.storageBytes ?? 48 * 1024, ...file });
    options.prepare?.(storage, i);
    const uarts: Record<string, UartPort> = wiredUart === undefined ? {} : { [wiredUart]: wires.ports[i]! };
    return createBoard({
      profile,
      clock,
      console: sockets[i]!,
      uarts,
      storage,
      seed: seed + i,
      serialNumber: `00000000-0000e000-${(i + 1).toString(16).padStart(8, "0")}`,
      bootDelayMs: options.bootDelayMs ?? 0,
      executionLimitMs,
      poweredOff: true,
    });
  });
  const unplug = async (i: number) => {
    const tty = ttys[i];
    ttys[i] = undefined;
    boards[i]?.powerOff();
    sockets[i]?.connect(undefined);
    await tty?.stop();
  };
  const plug = async (i: number) => {
    const link = links[i];
    if (link === undefined || ttys[i] !== undefined || stopped) return;
    const tty = await openTty(link);
    ttys[i] = tty;
    sockets[i]!.connect(tty);
    // socat that ends by itself takes the cable with it.
    void tty.ended.then(() => {
      if (ttys[i] === tty) void unplug(i);
    });
    boards[i]!.powerOn();
  };
  const stop = async () => {
    stopped = true;
    for (const board of boards) board.stop();
    await Promise.all(links.map((_, i) => unplug(i)));
  };

  try {
    for (let i = 0; i < stations; i++) await plug(i);
  } catch (error) {
    await stop();
    throw error;
  }
  return { boards, links, cutWire: wires.cut, mendWire: wires.mend, unplug, plug, stop };
}
