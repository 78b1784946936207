/**
 * The inside of a powered board: interpreter, devices and the main loop that serves them. `board.ts` gives it power
 * and an outside.
 */

import { Repl } from "../console/console.ts";
import { ConsoleDevice, limbo } from "../console/console-device.ts";
import { packetHost } from "../console/packet-host.ts";
import { Packets } from "../console/packets.ts";
import type { Clock } from "../hardware/clock.ts";
import { ErrorFlags } from "../hardware/flags.ts";
import { Pins } from "../hardware/pins.ts";
import type { ConsolePort, UartPort } from "../hardware/ports.ts";
import { type EmulatedProfile, pinNames } from "../hardware/profile.ts";
import { Random } from "../hardware/random.ts";
import type { Storage } from "../hardware/storage.ts";
import { defaultLine, Uart } from "../hardware/uart.ts";
import { Usb } from "../hardware/usb.ts";
import { banner, runBootCode, runFile } from "./boot.ts";
import { Cpu } from "./cpu.ts";
import { Debugger, type Running } from "./debugger.ts";
import { describeError, Interrupted, PowerLost, stackTrace } from "./errors.ts";
import { type Callback, Events } from "./events.ts";
import { type FormatOptions, formatValue, resultStyle } from "./format.ts";
import { installGlobals, type Program } from "./globals.ts";
import { MainLoop } from "./main-loop.ts";
import { createRealm, type Realm } from "./realm.ts";
import { Timers } from "./timers.ts";

export interface MachineOptions {
  readonly profile: EmulatedProfile;
  readonly clock: Clock;
  readonly console: ConsolePort;
  readonly uarts: Readonly<Record<string, UartPort>>;
  readonly storage: Storage;
  readonly serialNumber: string;
  readonly seed: number;
  /** Fixed board time of each callback, microseconds. */
  readonly executionUs: number;
  /** Real time after which a callback is broken off, milliseconds. */
  readonly executionLimitMs: number | undefined;
  /** Microseconds from the arrival of a byte at an idle board to the main loop's look at it. */
  readonly loopUs: number;
  /** The program asked for a restart of the hardware, or the watchdog did. */
  readonly reboot: () => void;
}

interface StartOptions {
  /** After `reset()` the saved code does not run. */
  readonly reset: boolean;
  readonly keepEcho: boolean;
  readonly greet: "banner" | "blank line" | "nothing";
  /** File of Storage to run after that. */
  readonly file?: string;
}

/** What a program asked for that waits for the main loop. */
export type Todo = { readonly kind: "reset" } | { readonly kind: "load"; readonly file: string | undefined };

const defaultTickUs = 200_000;

export class Machine {
  readonly options: MachineOptions;
  readonly cpu: Cpu;
  readonly uarts = new Map<string, Uart>();
  readonly usb: Usb | undefined;
  readonly console: ConsoleDevice;
  readonly repl: Repl;
  readonly debug: Debugger;
  readonly events: Events;
  readonly timers: Timers;
  readonly pins: Pins;
  readonly flags = new ErrorFlags();
  readonly random: Random;
  readonly loop: MainLoop;
  private readonly packets: Packets;
  /** The running program; a new one after every reset. */
  program!: Program;
  realm!: Realm;
  todo: Todo | undefined;
  running: Running = { kind: "boot" };
  powered = false;
  /** Microseconds of the clock at which the board got power. */
  poweredAtUs = 0;
  /** What `setTime` added to the board's time, microseconds. */
  timeOffsetUs = 0;
  /** A listener for uncaught errors runs: what it throws is printed. */
  private inUncaught = false;
  /** An error that the main loop prints: of a packet that flash refused. */
  delayedError: string | undefined;

  constructor(options: MachineOptions) {
    this.options = options;
    const { profile, clock } = options;
    const wake = (atUs: number) => this.loop.wake(atUs);
    this.random = new Random(options.seed);
    this.cpu = new Cpu(
      clock,
      () => this.console.flush(),
      () => wake(clock.now()),
    );
    this.events = new Events(() => wake(clock.now()));
    this.timers = new Timers(wake);
    this.pins = new Pins(pinNames(profile), wake, () => this.flags.raise("FIFO_FULL"));
    for (const each of profile.uarts) this.addUart(each.name);
    const tickUs = profile.tickUs ?? defaultTickUs;
    const txBuffer = profile.uarts[0]?.txBuffer ?? 128;
    if (profile.console === "USB") this.usb = this.makeUsb(tickUs, txBuffer);
    this.console = new ConsoleDevice({
      usb: this.usb,
      uarts: this.uarts,
      fallback: this.usb ? (profile.fallbackConsole ?? profile.uarts[0]?.name ?? "USB") : profile.console,
      txBuffer,
    });
    this.packets = new Packets(packetHost(this));
    this.repl = this.makeRepl();
    this.debug = this.makeDebugger();
    this.loop = new MainLoop(this, tickUs);
  }

  private addUart(name: string): void {
    const { profile, clock, uarts, console } = this.options;
    const found = profile.uarts.find((each) => each.name === name);
    if (found === undefined) return;
    const port = profile.console === name ? console : uarts[name];
    const uart = new Uart(found, clock, port as UartPort | undefined, {
      arriving: (atUs) => this.loop.wake(atUs + this.options.loopUs),
      overflowed: () => this.flags.raise("FIFO_FULL"),
      framing: (count) => this.program.serial.framing(name, count),
      byte: () => this.loop.interrupt(),
    });
    this.uarts.set(name, uart);
  }

  private makeUsb(tickUs: number, txBuffer: number): Usb {
    const { console, clock, loopUs } = this.options;
    return new Usb(console, clock, tickUs, txBuffer, {
      arriving: () => this.loop.wake(clock.now() + loopUs),
      byte: (value) => {
        if (value === 3 && this.console.name === "USB") this.loop.interrupt();
      },
      overflowed: () => this.flags.raise("FIFO_FULL"),
      connection: (connected) => this.usbChanged(connected),
      writable: () => this.cpu.resume(),
    });
  }

  /** USB came or went: the console follows it unless it was forced somewhere. */
  private usbChanged(connected: boolean): void {
    const { name, forced } = this.console;
    if (forced || name === limbo || (!connected && name !== "USB")) return;
    this.moveConsole(connected ? "USB" : this.console.preferred(), false);
    this.loop.wake(this.options.clock.now());
  }

  /** Moves the console in the order of what leaves the board. */
  moveConsole(name: string | null, force: boolean): void {
    this.cpu.effect(() => this.console.move(name, force, this.repl.echo, () => this.repl.line.remove()));
  }

  /** Text from the program, beside the prompt; on a UART the program waits until it fits. */
  say(text: string): void {
    const { uart } = this.console;
    if (uart) this.cpu.spend(uart.reserve(text.length, this.cpu.now()));
    this.cpu.effect(() => this.repl.printAside(text));
  }

  private makeRepl(): Repl {
    const { profile } = this.options;
    return new Repl({
      raw: (text) => this.console.raw(text),
      run: (source, echo, done) => this.runLine(source, echo, done),
      checkErrors: () => this.checkErrors(),
      debug: (line) => this.debug.command(line),
      identity: () => `Espruino ${this.version} ${profile.boardId}`,
      packets: this.packets,
    });
  }

  private makeDebugger(): Debugger {
    const { clock } = this.options;
    return new Debugger({
      cpu: this.cpu,
      enterPrompt: () => {
        this.repl.interrupted = false;
        this.repl.line.clear(true);
        this.repl.line.remove();
        this.repl.showAll();
        this.repl.debugging = true;
      },
      leavePrompt: () => {
        this.repl.line.remove();
        this.repl.debugging = false;
      },
      print: (text) => this.repl.print(text),
      printAside: (text) => this.repl.printAside(text),
      evaluate: (source) => {
        const outcome = this.guard(() => this.realm.evaluate(source, "REPL"), "REPL");
        return outcome.ok ? this.format(outcome.value, resultStyle) : "undefined";
      },
      raiseCallbackFlag: () => this.flags.raise("CALLBACK"),
      requestReset: () => {
        this.todo = { kind: "reset" };
      },
      discard: () => this.console.discard(),
      abandonLine: () => this.repl.abandon(),
      wake: () => this.loop.wake(clock.now()),
    });
  }

  get version(): string {
    return this.options.profile.version ?? "2v29";
  }

  /** Board time in microseconds since power-up, plus what `setTime` added. */
  boardUs(): number {
    return this.cpu.now() - this.poweredAtUs + this.timeOffsetUs;
  }

  format(value: unknown, style: FormatOptions): string {
    const { deviceName, isNative } = this.program.names;
    return formatValue(value, { ...style, isNative, ...(style === resultStyle ? { deviceName } : {}) });
  }

  /** Runs program code; what it throws is printed. */
  guard(work: () => unknown, top: string): { ok: true; value: unknown } | { ok: false } {
    try {
      this.cpu.spend(this.options.executionUs);
      return { ok: true, value: this.realm.call(work, this.options.executionLimitMs) };
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (error instanceof PowerLost || !this.powered) return { ok: false };
      if (error instanceof Interrupted || code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
        this.say("Execution Interrupted\n");
      } else this.uncaught(error, top);
      return { ok: false };
    }
  }

  private uncaught(error: unknown, top: string): void {
    const { process } = this.program;
    const listeners = this.events.listeners(process, "uncaughtException");
    if (listeners.length > 0 && !this.inUncaught) {
      this.inUncaught = true;
      this.callAll(listeners, process, [error], this.running);
      this.inUncaught = false;
      return;
    }
    this.say(`Uncaught ${describeError(error)}\n${stackTrace(error, top)}`);
  }

  private runLine(source: string, echo: boolean, done: (result: string | undefined) => void): void {
    this.running = { kind: "line" };
    const outcome = this.guard(() => this.program.evaluateLine(source), "REPL");
    const result = outcome.ok && echo ? this.format(outcome.value, resultStyle) : undefined;
    this.cpu.effect(() => done(result));
  }

  /** One callback. @returns false when the board is busy afterwards */
  call(callback: Callback, self: unknown, args: readonly unknown[], running: Running): boolean {
    this.running = running;
    this.guard(
      () =>
        typeof callback === "string"
          ? this.realm.evaluate(callback, "event")
          : Reflect.apply(callback, self, args as never[]),
      "",
    );
    return this.powered && !this.cpu.busy;
  }

  callAll(
    callbacks: readonly Callback[],
    self: unknown,
    args: readonly unknown[],
    running: Running,
  ): boolean {
    for (const callback of callbacks) this.call(callback, self, args, running);
    return this.powered && !this.cpu.busy;
  }

  checkErrors(): void {
    if (this.delayedError !== undefined) {
      this.repl.printAside(this.delayedError);
      this.delayedError = undefined;
    }
    const fresh = this.flags.fresh().filter((flag) => flag !== "LOW_MEMORY");
    if (fresh.length === 0) return;
    const { E } = this.program;
    this.callAll(this.events.listeners(E, "errorFlag"), E, [this.realm.array(fresh)], { kind: "event" });
    this.repl.printAside(`New interpreter error: ${fresh.join(",")}\n`);
  }

  /** Power comes: the console waits in limbo where there is USB, boot code runs, the banner follows. */
  powerOn(): void {
    const { clock, profile } = this.options;
    this.powered = true;
    this.poweredAtUs = clock.now();
    this.timeOffsetUs = 0;
    this.cpu.drop();
    this.cpu.off = false;
    this.usb?.power(true);
    const name = this.usb ? limbo : profile.console;
    const uart = this.uarts.get(name);
    uart?.setup({ ...defaultLine, baud: profile.consoleBaud ?? 9600, flow: true });
    this.console.start(name);
    this.loop.start();
    // With saved code there is no banner.
    const hasCode = [".bootcde", ".bootrst"].some((file) => this.options.storage.read(file));
    this.start({ reset: false, keepEcho: false, greet: hasCode ? "blank line" : "banner" });
  }

  powerOff(): void {
    const nowUs = this.options.clock.now();
    this.powered = false;
    this.loop.stop();
    this.packets.reset();
    this.cpu.drop();
    this.cpu.off = true;
    this.usb?.power(false);
    for (const uart of this.uarts.values()) uart.powerOff(nowUs);
    this.clearProgram();
    this.pins.powerOff(nowUs);
  }

  /** Nothing of the old program is left. */
  private clearProgram(): void {
    this.events.clear();
    this.timers.clear();
    this.flags.clear();
    this.todo = undefined;
    this.delayedError = undefined;
    this.pins.reset();
    for (const uart of this.uarts.values()) if (uart.name !== this.console.name) uart.unsetup();
    this.loop.setWatchdog(undefined, false);
  }

  /** Starts a program on a clean interpreter: power-up, `reset()`, `load()`. */
  start(how: StartOptions): void {
    this.cpu.run(() => {
      this.clearProgram();
      this.repl.reset(how.keepEcho);
      this.realm = createRealm({
        nowMs: () => this.boardUs() / 1000,
        random: this.random.next,
        queue: (fn) => this.events.queue({ callbacks: [fn], self: undefined, args: [] }),
      });
      this.program = installGlobals(this);
      this.running = { kind: "boot" };
      runBootCode(this, how.reset);
      if (!this.powered) return;
      this.cpu.effect(() => {
        if (how.greet !== "nothing" && this.repl.echo) {
          this.repl.print(how.greet === "banner" ? banner(this.version) : "\n");
        }
        this.repl.line.removed = true;
      });
      if (how.file !== undefined) runFile(this, how.file, how.file);
    });
    this.loop.wake(this.options.clock.now());
  }

  runTodo(): void {
    const { todo } = this;
    this.todo = undefined;
    if (todo === undefined) return;
    if (todo.kind === "reset") this.start({ reset: true, keepEcho: false, greet: "banner" });
    else if (todo.file === undefined) this.start({ reset: false, keepEcho: true, greet: "nothing" });
    else this.start({ reset: true, keepEcho: false, greet: "banner", file: todo.file });
  }
}
