/**
 * An Arduino Uno with the real StandardFirmata in it, on a terminal: the program that avrgirl-arduino ships, run by the
 * AVR emulator avr8js in a process of its own.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openTty, type Tty } from "../../src/emulator/hardware/tty.ts";

/** What the process with the Uno says. */
export type FromUno =
  | { tx: number[] }
  /** A digital output has changed, or the pin has become an output. */
  | { pin: number; level: 0 | 1 }
  /** Pulse width of pin 11, 0 to 255; -1: no pulses. */
  | { pwm: number };

/** What it is told. */
export type ToUno = { rx: number[] } | { pin: number; level: 0 | 1 };

export interface Uno {
  path: string;
  /** Changes of outputs, in order. */
  changes: { pin: number; level: 0 | 1 }[];
  level(pin: number): 0 | 1;
  /** Pulse width of pin 11. */
  readonly pwm: number;
  /** A button between a pin and ground. */
  press(pin: number, ms: number): Promise<void>;
  /** Takes the terminal away. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
  stop(): Promise<void>;
}

export async function startUno(path: string): Promise<Uno> {
  let tty: Tty | null = null;
  const child: ChildProcess = fork(fileURLToPath(new URL("uno-process.ts", import.meta.url)), [], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const tell = (message: ToUno) => void (child.connected && child.send(message));
  const levels = new Map<number, 0 | 1>();
  const changes: Uno["changes"] = [];
  let pwm = -1;
  child.on("message", (message: FromUno) => {
    if ("tx" in message) tty?.write(Uint8Array.from(message.tx));
    else if ("pwm" in message) pwm = message.pwm;
    else {
      levels.set(message.pin, message.level);
      if (changes.length < 100_000) changes.push(message);
    }
  });
  const plug = async () => {
    tty ??= await openTty(path);
    tty.onData((bytes) => tell({ rx: [...bytes] }));
  };
  await plug();
  return {
    path,
    changes,
    level: (pin) => levels.get(pin) ?? 0,
    get pwm() {
      return pwm;
    },
    async press(pin, ms) {
      tell({ pin, level: 0 });
      await new Promise((resolve) => setTimeout(resolve, ms));
      tell({ pin, level: 1 });
    },
    async unplug() {
      await tty?.close();
      tty = null;
    },
    plug,
    async stop() {
      kill();
      await ended;
      process.removeListener("exit", kill);
      await tty?.close();
    },
  };
}
