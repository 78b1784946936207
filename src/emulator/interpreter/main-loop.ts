/**
 * The main loop of the interpreter: what has arrived, then timers, then queued events, then the prompt. It runs when
 * something is due and never polls.
 */
import { limbo } from "../console/console-device.ts";
import { PowerLost } from "./errors.ts";
import type { Machine } from "./machine.ts";

/** Microseconds after power-up at which the console leaves limbo: one second of system ticks. */
const limboUs = 1e6;
/** Bytes of console input taken in one round. */
const consoleBytes = 1024;

export class MainLoop {
  private readonly machine: Machine;
  private readonly tickUs: number;
  private scheduledUs = Number.POSITIVE_INFINITY;
  private cancelRound: (() => void) | undefined;
  private cancelTick: (() => void) | undefined;
  private cancelLimbo: (() => void) | undefined;
  private inRound = false;
  /** The earliest time that was asked for during a round. */
  private againUs = Number.POSITIVE_INFINITY;
  private watchdog: { periodUs: number; auto: boolean; kickedUs: number; cancel: () => void } | undefined;

  constructor(machine: Machine, tickUs: number) {
    this.machine = machine;
    this.tickUs = tickUs;
  }

  private get clock() {
    return this.machine.options.clock;
  }

  start(): void {
    const { machine } = this;
    if (machine.console.name !== limbo) return;
    this.cancelLimbo = this.clock.at(this.clock.now() + limboUs, () => {
      if (machine.console.endLimbo()) machine.cpu.resume();
      this.wake(this.clock.now());
    });
  }

  stop(): void {
    this.cancelRound?.();
    this.cancelTick?.();
    this.cancelLimbo?.();
    this.cancelRound = undefined;
    this.cancelTick = undefined;
    this.scheduledUs = Number.POSITIVE_INFINITY;
    this.setWatchdog(undefined, false);
  }

  /** Asks for a round at this time, microseconds, or as soon as the board is free after it. */
  wake(atUs: number): void {
    if (!this.machine.powered || atUs === Number.POSITIVE_INFINITY) return;
    if (this.inRound) {
      this.againUs = Math.min(this.againUs, atUs);
      return;
    }
    const dueUs = Math.max(atUs, this.clock.now(), this.machine.cpu.busyUntilUs);
    if (dueUs >= this.scheduledUs) return;
    this.cancelRound?.();
    this.scheduledUs = dueUs;
    this.cancelRound = this.clock.at(dueUs, () => {
      this.cancelRound = undefined;
      this.scheduledUs = Number.POSITIVE_INFINITY;
      this.round();
    });
  }

  private round(): void {
    const { machine } = this;
    const { cpu } = machine;
    cpu.flush();
    this.inRound = true;
    this.againUs = Number.POSITIVE_INFINITY;
    try {
      // Power can go in the middle, outside any program code: while a packet writes flash.
      if (machine.debug.active) this.debugRound();
      else if (!cpu.stalled && cpu.busyUntilUs <= this.clock.now()) {
        cpu.run(() => {
          if (this.serve() && machine.powered) machine.repl.endOfLoop();
        });
        cpu.output();
      }
    } catch (error) {
      if (!(error instanceof PowerLost)) throw error;
    } finally {
      this.inRound = false;
    }
    this.wake(this.againUs);
    this.scheduleNext();
  }

  /** In the debugger only the console is served; what else comes in piles up. */
  private debugRound(): void {
    const { machine } = this;
    this.serveConsole(() => machine.debug.active);
    if (machine.debug.active) machine.repl.line.restore();
    machine.cpu.output();
  }

  /** @returns false when the board is busy before all was done */
  private serve(): boolean {
    const { machine } = this;
    const { cpu, timers, pins, events } = machine;
    const nowUs = this.clock.now();
    if (!this.serveConsole(() => !cpu.busy && machine.powered)) return false;
    if (!machine.program.serial.serve(nowUs)) return false;
    pins.run(nowUs, (event) => machine.program.watchFired(event));
    if (cpu.busy) return false;
    timers.runDue(nowUs, (timer) =>
      machine.call(timer.callback, machine.realm.global, timer.args, {
        kind: timer.intervalUs === undefined ? "timeout" : "interval",
        remove: () => timers.remove(timer.id),
      }),
    );
    if (cpu.busy) return false;
    for (let next = events.next(); next !== undefined; next = events.next()) {
      if (!machine.callAll(next.callbacks, next.self, next.args, { kind: "event" })) return false;
    }
    if (machine.todo !== undefined) machine.runTodo();
    return !cpu.busy;
  }

  private serveConsole(goOn: () => boolean): boolean {
    const { console, usb, uarts, repl } = this.machine;
    const nowUs = this.clock.now();
    const uart = console.name === null ? undefined : uarts.get(console.name);
    for (let i = 0; i < consoleBytes && goOn(); i++) {
      const byte = console.name === "USB" ? usb?.take(1)[0] : uart?.take(nowUs, 1)[0];
      if (byte === undefined) break;
      repl.take(byte);
    }
    return goOn();
  }

  private scheduleNext(): void {
    const { machine } = this;
    const { timers, pins, events, usb, uarts, cpu, options, console } = machine;
    if (!machine.powered) return;
    const nowUs = this.clock.now();
    if (machine.debug.active) {
      const uart = console.name === null ? undefined : uarts.get(console.name);
      if ((usb?.available ?? 0) > 0 && console.name === "USB") this.wake(nowUs);
      else if (uart) this.wake(uart.nextArrival(nowUs) + options.loopUs);
      return;
    }
    if (cpu.stalled) return;
    let dueUs = Math.min(timers.nextDue(), pins.nextDue());
    if (cpu.busyUntilUs > nowUs) dueUs = Math.min(dueUs, cpu.busyUntilUs);
    if (events.waiting || pins.waiting || machine.todo !== undefined || (usb?.available ?? 0) > 0)
      dueUs = nowUs;
    for (const uart of uarts.values()) {
      dueUs = Math.min(dueUs, uart.available(nowUs) > 0 ? nowUs : uart.nextArrival(nowUs) + options.loopUs);
    }
    this.wake(dueUs);
  }

  /** A Ctrl-C as the interrupt sees it. */
  interrupt(): void {
    const { machine } = this;
    if (machine.repl.inPacket || !machine.powered) return;
    if (machine.debug.active) {
      machine.debug.breakOff(machine.running);
      machine.repl.interrupted = true;
      return;
    }
    machine.repl.interrupted = true;
    if (machine.cpu.busyUntilUs <= this.clock.now() || this.cancelTick) return;
    // The first tick opens the debugger; on a silent line it does not open, and the second tick breaks off.
    const sinceUs = this.clock.now() - machine.poweredAtUs;
    const ticks = Math.floor(sinceUs / this.tickUs) + (machine.repl.silentLine ? 2 : 1);
    this.cancelTick = this.clock.at(machine.poweredAtUs + ticks * this.tickUs, () => {
      this.cancelTick = undefined;
      if (machine.cpu.busyUntilUs <= this.clock.now() || !machine.repl.interrupted) return;
      machine.repl.interrupted = false;
      if (machine.repl.silentLine) machine.debug.breakOff(machine.running);
      else {
        machine.debug.enter();
        this.wakeNow();
      }
    });
  }

  private wakeNow(): void {
    this.cancelRound?.();
    this.cancelRound = undefined;
    this.scheduledUs = Number.POSITIVE_INFINITY;
    this.round();
  }

  /**
   * The hardware watchdog.
   *
   * @param seconds until it restarts the board, or undefined to switch it off with the power
   * @param auto the main loop kicks it; else only the program does
   */
  setWatchdog(seconds: number | undefined, auto: boolean): void {
    this.watchdog?.cancel();
    this.watchdog = undefined;
    if (seconds === undefined || !(seconds > 0)) return;
    const nowUs = this.clock.now();
    this.watchdog = { periodUs: seconds * 1e6, auto, kickedUs: nowUs, cancel: () => {} };
    this.armWatchdog();
  }

  kickWatchdog(): void {
    if (this.watchdog) this.watchdog.kickedUs = this.machine.cpu.now();
  }

  private armWatchdog(): void {
    const { watchdog, machine } = this;
    if (watchdog === undefined) return;
    watchdog.cancel = this.clock.at(watchdog.kickedUs + watchdog.periodUs, () => {
      const nowUs = this.clock.now();
      const { cpu, debug } = machine;
      // An automatic watchdog is kicked by every round of the loop: it bites only when the loop stands still.
      if (watchdog.auto && !cpu.stalled && !debug.active && cpu.busyUntilUs <= nowUs)
        watchdog.kickedUs = nowUs;
      if (nowUs - watchdog.kickedUs < watchdog.periodUs) this.armWatchdog();
      else machine.options.reboot();
    });
  }
}
