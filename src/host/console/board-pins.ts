/**
 * The pins of a board, beside its work in the ring. Of each pin only the latest wish is kept, and one statement at a
 * time waits among the ring's calls: however fast pins are written, a frame waits for one of them at the most.
 */
import { hostTimers, type Timers } from "../../link/time.ts";
import type { BoardConsole } from "./board-console.ts";
import {
  ALIVE,
  analogWriteCall,
  INSTALL,
  modeCall,
  NO_HELPER,
  PIN_NAME,
  type PinMode,
  sampleCall,
  UNINSTALL,
  watchCall,
  writeCall,
} from "./pin-calls.ts";

/** The board hears so often that somebody wants its pins, ms. */
const ALIVE_MS = 2000;

export interface PinEvents {
  /** What a pin reads: 0 or 1 where it is watched, 0 to 1023 where it is sampled. */
  read(pin: string, value: number): void;
  /** The board refused something: it may have no such pin. */
  refused(pin: string, reason: string): void;
  /** The board is gone, or does not answer any more. */
  lost(reason: string): void;
  /** It is there again, and has been told all once more where it had forgotten it. */
  back(): void;
}

export class BoardPins {
  events: PinEvents = { read() {}, refused() {}, lost() {}, back() {} };
  readonly #console: Pick<BoardConsole, "evaluate">;
  readonly #timers: Timers;
  /** What is to be said, by pin and kind. */
  readonly #wishes = new Map<string, string>();
  /** What the board was told last, by pin and kind: it forgets all when it restarts. */
  readonly #told = new Map<string, string>();
  #busy = false;
  #installed = false;
  #stale = false;
  #away = false;
  #stopAlive: (() => void) | null = null;

  constructor(console: Pick<BoardConsole, "evaluate">, timers: Timers = hostTimers) {
    this.#console = console;
    this.#timers = timers;
  }

  mode(pin: string, mode: PinMode): void {
    this.#wish(pin, "mode", modeCall(pin, mode));
  }

  write(pin: string, value: 0 | 1): void {
    this.#wish(pin, "out", writeCall(pin, value));
  }

  /** @param level 0 to 1 @param hz see `analogWriteCall` */
  analogWrite(pin: string, level: number, hz?: number): void {
    this.#wish(pin, "out", analogWriteCall(pin, level, hz));
  }

  watch(pin: string): void {
    this.#wish(pin, "in", watchCall(pin));
  }

  sample(pin: string, ms: number): void {
    this.#wish(pin, "in", sampleCall(pin, ms));
  }

  /** A report of the board. */
  heard(pin: string, value: number): void {
    if (PIN_NAME.test(pin) && Number.isFinite(value)) this.events.read(pin, value);
  }

  /** The board's port is gone, or it does not answer. */
  lost(reason: string): void {
    if (this.#away) return;
    this.#away = true;
    this.events.lost(reason);
  }

  /** The board has answered. */
  back(): void {
    if (!this.#away) return;
    this.#away = false;
    this.events.back();
  }

  /** The board has started anew: it is told all once more. */
  restarted(): void {
    this.#installed = false;
    this.#stale = false;
    if (this.#told.size === 0) return;
    const newer = [...this.#wishes];
    this.#wishes.clear();
    for (const [key, statement] of [...this.#told, ...newer]) this.#wishes.set(key, statement);
    void this.#work();
  }

  /** Ends all reports, so that the board is as before. Outputs stay. */
  async release(): Promise<void> {
    this.#stopAlive?.();
    this.#stopAlive = null;
    this.#wishes.clear();
    this.#told.clear();
    if (!this.#installed) return;
    this.#installed = false;
    for (const statement of UNINSTALL) {
      // A board that does not answer is not waited for again and again.
      if ((await this.#console.evaluate(statement)) === null) return;
    }
  }

  #wish(pin: string, kind: string, statement: string): void {
    const key = `${pin} ${kind}`;
    // A wish takes the place of an earlier one, but does not overtake a change of mode.
    if (this.#wishes.has(`${pin} mode`)) this.#wishes.delete(key);
    this.#wishes.set(key, statement);
    this.#stopAlive ??= this.#timers.after(ALIVE_MS, () => void this.#alive());
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#next(); next && !this.#stale; next = this.#next()) {
      const [key, statement] = next;
      if (key.endsWith(" in") && !(await this.#install())) break;
      // A later wish may have come meanwhile.
      const latest = this.#wishes.get(key) ?? statement;
      this.#wishes.delete(key);
      this.#told.set(key, latest);
      this.#judge(await this.#console.evaluate(latest), key.split(" ")[0] as string);
    }
    this.#busy = false;
  }

  #next(): [key: string, statement: string] | undefined {
    return this.#wishes.entries().next().value;
  }

  async #install(): Promise<boolean> {
    if (this.#installed) return true;
    for (const statement of INSTALL) {
      if ((await this.#console.evaluate(statement)) === null) {
        this.#stale = true;
        return false;
      }
    }
    this.#installed = true;
    return true;
  }

  #judge(answer: { error?: string } | null, pin: string): void {
    // Nobody answered: the board hears it all again when it is back.
    if (answer === null) this.#stale = true;
    else if (answer.error === undefined) return;
    else if (NO_HELPER.test(answer.error)) this.#stale = true;
    else {
      for (const kind of ["mode", "out", "in"]) this.#told.delete(`${pin} ${kind}`);
      this.events.refused(pin, answer.error);
    }
  }

  async #alive(): Promise<void> {
    const answer = await this.#console.evaluate(this.#installed ? ALIVE : "0");
    if (this.#stopAlive === null) return;
    this.#stopAlive = this.#timers.after(ALIVE_MS, () => void this.#alive());
    if (answer === null) {
      this.lost("it does not answer");
      return;
    }
    this.back();
    if (this.#stale || answer.error !== undefined) this.restarted();
  }
}
