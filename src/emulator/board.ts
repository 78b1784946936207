/**
 * An emulated Espruino board: one object in process that runs a bundled firmware unchanged.
 *
 * What is like hardware: the console, byte for byte; characters that take their time on a UART, full FIFOs, a wrong
 * baud; timers, watches with debounce, flash that keeps files; a console that leaves a USB port which nobody reads.
 * What is not: the JavaScript itself is run by Node's engine (see `realm.ts`), and takes no board time of its own
 * unless `executionUs` says so.
 */
import type { Clock } from "./hardware/clock.ts";
import type { PinListener } from "./hardware/pins.ts";
import type { ConsolePort, UartPort } from "./hardware/ports.ts";
import { type EmulatedProfile, picoProfile } from "./hardware/profile.ts";
import { Random } from "./hardware/random.ts";
import { createStorage, type Storage } from "./hardware/storage.ts";
import { PowerLost } from "./interpreter/errors.ts";
import { Machine } from "./interpreter/machine.ts";

export interface BoardOptions {
  /** Board type; default Espruino Pico. */
  readonly profile?: EmulatedProfile;
  readonly clock: Clock;
  /** The port of the REPL: USB, or the console's UART on a board without USB. */
  readonly console: ConsolePort;
  /** What each UART is wired to, by name ("Serial1"); others lead nowhere. */
  readonly uarts?: Readonly<Record<string, UartPort>>;
  /** Flash that outlives the board; default a new one of the profile's size. */
  readonly storage?: Storage;
  /** What `getSerial()` says. */
  readonly serialNumber?: string;
  /** For `Math.random`, `E.hwRand` and line noise. */
  readonly seed?: number;
  /** Milliseconds from power to boot code; default 0. */
  readonly bootDelayMs?: number;
  /** Fixed board time of each callback, microseconds; default 0. A Pico takes about 6500 for a frame. */
  readonly executionUs?: number;
  /**
   * Real milliseconds after which a callback that does not return is broken off. Default: never, which is faster;
   * a program that loops for ever then hangs the process.
   */
  readonly executionLimitMs?: number;
  /** Microseconds the main loop takes to look at bytes that arrive on an idle board; default 300. */
  readonly loopUs?: number;
  /** Wait for `powerOn()`; else the board boots at once. */
  readonly poweredOff?: boolean;
}

export interface BrownOutOptions {
  /** Milliseconds without power; default 50. */
  readonly offMs?: number;
  /** Power fails in the middle of the next flash write, after this many bytes, instead of now. */
  readonly duringWriteAfter?: number;
}

export interface Board {
  readonly profile: EmulatedProfile;
  readonly storage: Storage;
  readonly serialNumber: string;
  readonly powered: boolean;
  /** The device that the REPL is on: "USB", "Serial1", null, or "Limbo" in the second after power-up. */
  readonly consoleDevice: string | null;
  powerOn(): void;
  /** All RAM is lost, characters under way break off, outputs fall to 0. */
  powerOff(): void;
  /** Power fails and comes back: the UARTs send junk at both ends of the gap. */
  brownOut(options?: BrownOutOptions): void;
  /** Presses a button ("BTN1") for some milliseconds. @throws when the board has no such button */
  press(button: string, ms?: number): void;
  /** Sets a pin from outside, 0 to 1. */
  setInput(pin: string, value: number): void;
  /** Level of a pin, 0 to 1. */
  read(pin: string): number;
  /** Hears each change of an output. */
  onPin(listener: PinListener): void;
  /** Power off for good: nothing is left on the clock. */
  stop(): void;
}

const defaultSerialNumber = "00000000-00000000-00000001";

/** Makes a board and, unless told otherwise, boots it. Errors of the program go to its console. */
export function createBoard(options: BoardOptions): Board {
  const { profile = picoProfile, clock, seed = 1, serialNumber = defaultSerialNumber } = options;
  const storage = options.storage ?? createStorage({ size: profile.storageBytes ?? 48 * 1024 });
  const noise = new Random(seed ^ 0x5bd1e995);
  let cancelBoot: (() => void) | undefined;
  let stopped = false;

  const powerOff = () => {
    cancelBoot?.();
    cancelBoot = undefined;
    if (machine.powered) machine.powerOff();
  };
  const boot = (delayMs: number, before: () => void) => {
    if (stopped || machine.powered || cancelBoot !== undefined) return;
    const start = () => {
      cancelBoot = undefined;
      before();
      machine.powerOn();
    };
    if (delayMs > 0) cancelBoot = clock.at(clock.now() + delayMs * 1000, start);
    else start();
  };
  const powerOn = () => boot(options.bootDelayMs ?? 0, () => {});

  const machine = new Machine({
    profile,
    clock,
    console: options.console,
    uarts: options.uarts ?? {},
    storage,
    serialNumber,
    seed,
    executionUs: options.executionUs ?? 0,
    executionLimitMs: options.executionLimitMs,
    loopUs: options.loopUs ?? 300,
    reboot: () => {
      powerOff();
      boot(Math.max(1, options.bootDelayMs ?? 0), () => {});
    },
  });

  const junk = () => {
    for (const uart of machine.uarts.values()) {
      const count = 1 + (noise.bits() % 8);
      uart.junk(Uint8Array.from({ length: count }, () => noise.bits() & 255));
    }
  };
  const lose = (offMs: number) => {
    powerOff();
    junk();
    boot(offMs + (options.bootDelayMs ?? 0), junk);
  };
  const checkPin = (pin: string, kind: string, names: readonly string[]) => {
    if (!names.includes(pin))
      throw new Error(`${profile.name} has no ${kind} "${pin}" (it has ${names.join(", ")})`);
  };

  const board: Board = {
    profile,
    storage,
    serialNumber,
    get powered() {
      return machine.powered;
    },
    get consoleDevice() {
      return machine.powered ? machine.console.name : null;
    },
    powerOn,
    powerOff,
    brownOut({ offMs = 50, duringWriteAfter } = {}) {
      if (!machine.powered) return;
      if (duringWriteAfter === undefined) {
        lose(offMs);
        return;
      }
      storage.failNextWrite(duringWriteAfter, () => {
        lose(offMs);
        // Unwinds the program in the middle of its write.
        throw new PowerLost("brown-out");
      });
    },
    press(button, ms = 100) {
      checkPin(button, "button", profile.buttons);
      machine.pins.input(button, 1, clock.now());
      clock.at(clock.now() + ms * 1000, () => machine.pins.input(button, 0, clock.now()));
    },
    setInput: (pin, value) => machine.pins.input(pin, value, clock.now()),
    read: (pin) => machine.pins.read(pin),
    onPin: (listener) => machine.pins.listen(listener),
    stop() {
      stopped = true;
      powerOff();
    },
  };
  if (!options.poweredOff) powerOn();
  return board;
}
