/**
 * The console of a board that runs our firmware: gets it clean, calls `station.*` one line at a time, and takes the
 * records that the board prints. Whatever else comes is console text.
 */

import { CONSOLE_VERSION } from "../../../firmware/board/console-version.js";
import type { Link } from "../../link/link.ts";
import { hostTimers, type Timers } from "../../link/time.ts";
import { type BoardInfo, readInfo } from "./board-info.ts";
import { CLEAR, callLine } from "./call.ts";
import { type ConsoleLine, readLine } from "./console-line.ts";

/** What the board prints reaches its owner through these. */
export interface ConsoleListener {
  /** `@<board time>,<event>,<args>`; `board` in µs since the board started, `at` host time in µs. */
  onRecord(event: string, args: string[], board: number, at: number): void;
  /** Any other text, as it came. */
  onText(text: string, at: number): void;
  /** A record came that does not fit its check; nothing in it is used. */
  onDamaged?(): void;
  /** An answer was lost, and came when it was asked for again. */
  onLostAnswer?(): void;
  /** The board's time went backwards: it has started anew. */
  onRestart?(): void;
  onLost(reason: string): void;
  /** Bytes of a line without end that were thrown away. */
  onOverflow(count: number): void;
}

/** The answer to a call: the board's time when it answered, and the host's times around it. */
export interface Answer {
  /** When the call was sent first: nobody knows which sending the answer is to. */
  sentAt: number;
  board: number;
  at: number;
}

/** Longest wait for an answer, ms. A board that collects garbage or writes flash takes its time. */
const ANSWER_MS = 2000;
/** A call is sent again when no answer comes within this, as long as nobody knows better, ms. */
const PATIENCE_MS = 250;
/** What comes meanwhile shows that a call, or its answer, was damaged: so often it is sent again at once. */
const MOST_HURRIES = 3;
/** An answer to the first lines is waited for so long; they are sent again as often as `connect` is told. */
const SYNC_MS = 1000;
/** After a Ctrl-C the board takes so long until it reads again, ms. */
const INTERRUPT_MS = 500;
/** Calls that may wait for their turn. */
const MOST_WAITING = 64;
/** Characters kept of what a board says was wrong. */
const LONGEST_ERROR = 100;

/** What became of a statement. */
export interface Evaluation {
  /** What the board threw; absent when all went well. */
  error?: string;
  at: number;
}

const NO_STATION = /^Uncaught ReferenceError: "?station"? is not defined/;
/** A record of an earlier version of the firmware, without a check. */
const UNCHECKED_INFO = /^>*@\d+,info,\d+,(\{.*\})$/;

interface Call {
  n: number;
  line: string;
  sentAt: number;
  /** The next wait for an answer, ms. */
  waitMs: number;
  hurries: number;
  settle(answer: (Answer & Evaluation) | null): void;
  cancel(): void;
}

export class BoardConsole {
  readonly link: Link;
  readonly #listener: ConsoleListener;
  readonly #timers: Timers;
  #clock: () => number;
  #waiting: Call[] = [];
  #under: Call | null = null;
  #next = 1;
  #synced = false;
  #ended = false;
  #onSync: ((found: boolean) => void) | null = null;
  /** Time of the board's latest record, µs. */
  #boardTime = 0;
  /** Calls that were never answered. */
  unanswered = 0;
  /** A call whose answer stays out for so long is sent again, ms; then after twice as long, and so on. */
  patienceMs = PATIENCE_MS;

  /** @param clock host time in µs, the one that the link stamps its lines with */
  constructor(link: Link, listener: ConsoleListener, clock: () => number, timers: Timers = hostTimers) {
    this.link = link;
    this.#listener = listener;
    this.#clock = clock;
    this.#timers = timers;
  }

  /**
   * Gets the console clean from whatever state it is in.
   * @param options.tries how often the first lines are sent, a second apart: a board that resets when its port opens
   *   boots for some seconds, and one in the middle of a packet swallows everything for 5 s
   * @param options.interrupt a Ctrl-C as the last resort: it can stop a live program
   * @returns false when nothing that behaves like Espruino answers
   */
  async connect({ tries, interrupt }: { tries: number; interrupt: boolean }): Promise<boolean> {
    this.#synced = false;
    this.#boardTime = 0;
    this.link.listener = {
      onLine: (text, at) => this.#line(text, at),
      onLost: (reason) => this.#lost(reason),
      onOverflow: (count) => this.#listener.onOverflow(count),
    };
    for (let n = 0; n < tries; n++) {
      if (await this.#sync()) return true;
      if (this.#ended || this.link.state !== "open") return false;
    }
    if (!interrupt) return false;
    this.link.write("\x03");
    await this.#pause(INTERRUPT_MS);
    return !this.#ended && this.#sync();
  }

  /** Nobody wants to know any more whether the board answers: who waits for that is told at once. */
  end(): void {
    this.#ended = true;
    this.#onSync?.(false);
    this.drop();
  }

  /**
   * Calls a function of the board's `station`. Calls go one at a time: a burst overflows small receive buffers.
   * @param args numbers, and texts that are passed as JSON string literals only
   * @returns null when no answer came in time, or the link went away
   */
  call(name: string, ...args: (number | string)[]): Promise<Answer | null> {
    return new Promise((resolve) => this.callThen(resolve, name, ...args));
  }

  /** As `call`, but tells the answer at once: before the records that the board printed behind it. */
  callThen(settle: (answer: Answer | null) => void, name: string, ...args: (number | string)[]): void {
    // A board that stood still says afterwards what it did not hear.
    this.#ask((answer) => settle(answer?.error === undefined ? answer : null), name, args);
  }

  /**
   * Runs a statement that is no call of the station, such as one of `pin-calls.ts`. It waits for its turn as every call
   * does, and what it throws comes back instead of standing on the console. It may run twice.
   * @param statement fixed text with checked names and numbers in it, nothing that a person typed
   * @returns null when no answer came in time, or the link went away
   */
  evaluate(statement: string): Promise<Evaluation | null> {
    return new Promise((resolve) => this.#ask(resolve, "evaluate", [statement]));
  }

  #ask(
    settle: (answer: (Answer & Evaluation) | null) => void,
    name: string,
    args: readonly (number | string)[],
  ): void {
    if (!this.#synced || this.link.state !== "open" || this.#waiting.length >= MOST_WAITING) {
      settle(null);
      return;
    }
    const { n, line } = callLine(name, this.#next++, args);
    this.#waiting.push({ n, line, sentAt: 0, waitMs: 0, hurries: 0, settle, cancel: () => {} });
    this.#advance();
  }

  /** Asks the board who it is. @returns null when no firmware of ours answers */
  async info(): Promise<BoardInfo | null> {
    let found: BoardInfo | null = null;
    this.#onInfo = (json) => {
      found = readInfo(json);
    };
    await this.call("info");
    this.#onInfo = null;
    return found;
  }

  /** Ends all waiting calls. */
  drop(): void {
    const calls = [...(this.#under ? [this.#under] : []), ...this.#waiting];
    this.#under = null;
    this.#waiting = [];
    for (const call of calls) {
      call.cancel();
      call.settle(null);
    }
  }

  #onInfo: ((json: string) => void) | null = null;

  #advance(): void {
    if (this.#under || !this.#synced) return;
    const call = this.#waiting.shift();
    if (!call) return;
    this.#under = call;
    call.sentAt = this.#clock();
    call.waitMs = this.patienceMs;
    this.#send(call, "");
  }

  /**
   * Sends a call, for the first time or again. A board does a call once: where it has done it, only the answer was lost.
   * @param before what goes before it
   */
  #send(call: Call, before: string): void {
    call.cancel();
    call.cancel = this.#timers.after(call.waitMs, () => {
      call.waitMs *= 2;
      const longest = Math.max(ANSWER_MS, 4 * this.patienceMs);
      if ((this.#clock() - call.sentAt) / 1000 + call.waitMs / 2 < longest) this.#send(call, CLEAR);
      else {
        this.unanswered++;
        this.#finish(call, null);
      }
    });
    if (!this.link.write(`${before}${call.line}\n`)) this.#finish(call, null);
  }

  /** A line was damaged on its way: it may have been the call under way, or the answer to it. */
  #hurry(): void {
    const call = this.#under;
    if (!call || call.hurries === MOST_HURRIES) return;
    call.hurries++;
    this.#send(call, CLEAR);
  }

  #finish(call: Call, answer: (Answer & Evaluation) | null): void {
    if (this.#under !== call) return;
    this.#under = null;
    call.cancel();
    call.settle(answer);
    this.#advance();
  }

  async #sync(): Promise<boolean> {
    const heard = new Promise<boolean>((resolve) => {
      const cancel = this.#timers.after(SYNC_MS, () => resolve(false));
      this.#onSync = (found) => {
        cancel();
        resolve(found);
      };
    });
    // The literal is split so that the echo of this line does not match.
    if (!this.link.write('\x1b[2H\x10echo(0)\n\x10print("<SY"+"NC>")\n')) this.#onSync?.(false);
    const ok = await heard;
    this.#onSync = null;
    if (ok) {
      this.#synced = true;
      this.#advance();
    }
    return ok;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.after(ms, resolve);
    });
  }

  #line(raw: string, at: number): void {
    for (const said of readLine(raw)) this.#said(said, at);
  }

  #said(said: ConsoleLine, at: number): void {
    if (said.kind === "text" && said.text.endsWith("<SYNC>")) {
      // One that nobody waits for is the answer to an earlier try.
      this.#onSync?.(true);
      return;
    }
    // All before the console was clean may be of an earlier run: nobody acts on it.
    if (!this.#synced) return;
    if (said.kind === "text") {
      // An Espruino without our firmware says so at once.
      if (this.#under && NO_STATION.test(said.text)) this.#finish(this.#under, null);
      else if (said.text.startsWith("Uncaught ")) this.#hurry();
      this.#listener.onText(said.text, at);
    } else if (said.kind === "damaged") {
      if (this.#isOldInfo(said.text, at)) return;
      this.#listener.onDamaged?.();
      this.#hurry();
    } else this.#record(said.event, said.rest, said.board, at);
  }

  /** A board whose firmware is of an earlier version says which, in a record without a check. */
  #isOldInfo(text: string, at: number): boolean {
    const call = this.#under;
    const json = UNCHECKED_INFO.exec(text)?.[1];
    const info = call && this.#onInfo && json !== undefined ? readInfo(json) : null;
    if (!call || !info || info.console === CONSOLE_VERSION) return false;
    this.#onInfo?.(json as string);
    this.#finish(call, { sentAt: call.sentAt, board: 0, at });
    return true;
  }

  #record(event: string, rest: string, board: number, at: number): void {
    if (board < this.#boardTime) this.#listener.onRestart?.();
    this.#boardTime = board;
    if (event === "ack") this.#answered(Number(rest), board, at);
    else if (event === "again") this.#hurry();
    else if (event === "nak") {
      const [n = "", ...words] = rest.split(",");
      this.#answered(Number(n), board, at, words.join(",").slice(0, LONGEST_ERROR));
    } else if (event === "info") {
      const comma = rest.indexOf(",");
      this.#onInfo?.(rest.slice(comma + 1));
      this.#answered(Number(rest.slice(0, comma)), board, at);
    } else this.#listener.onRecord(event, rest === "" ? [] : rest.split(","), board, at);
  }

  #answered(n: number, board: number, at: number, error?: string): void {
    const call = this.#under;
    if (call && call.n === n && call.waitMs > this.patienceMs) this.#listener.onLostAnswer?.();
    if (call && call.n === n)
      this.#finish(call, { sentAt: call.sentAt, board, at, ...(error === undefined ? {} : { error }) });
  }

  #lost(reason: string): void {
    this.#synced = false;
    this.#onSync?.(false);
    this.drop();
    this.#listener.onLost(reason);
  }
}
