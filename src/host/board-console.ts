/**
 * The console of a board that runs our firmware: gets it clean, calls `station.*` one line at a time, and takes the
 * records that the board prints. Whatever else comes is console text.
 */
import type { Link } from "../link/link.ts";
import { hostTimers, type Timers } from "../link/time.ts";

/** What the board prints reaches its owner through these. */
export interface ConsoleListener {
  /** `@<board time>,<event>,<args>`; `board` in µs since the board started, `at` host time in µs. */
  onRecord(event: string, args: string[], board: number, at: number): void;
  /** Any other text, as it came. */
  onText(text: string, at: number): void;
  onLost(reason: string): void;
  /** Bytes of a line without end that were thrown away. */
  onOverflow(count: number): void;
}

/** The answer to a call: the board's time when it took the call, and the host's times around it. */
export interface Answer {
  sentAt: number;
  board: number;
  at: number;
}

/** Longest wait for an answer, ms. A board that collects garbage or writes flash takes its time. */
const ANSWER_MS = 2000;
/** A board in the middle of a packet swallows everything for 5 s. */
const PACKET_TIMEOUT_MS = 6000;
const SYNC_MS = 1000;
/** Calls that may wait for their turn. */
const MOST_WAITING = 64;

interface Call {
  n: number;
  line: string;
  sentAt: number;
  settle(answer: Answer | null): void;
  cancel(): void;
}

const CURSOR_CODES = /\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f]/g;
const RECORD = /^>*@(\d{1,16}),([a-z]{1,16})(?:,(.*))?$/;

export class BoardConsole {
  readonly link: Link;
  readonly #listener: ConsoleListener;
  readonly #timers: Timers;
  #clock: () => number;
  #waiting: Call[] = [];
  #under: Call | null = null;
  #next = 1;
  #synced = false;
  #onSync: (() => void) | null = null;
  /** Calls that were never answered. */
  unanswered = 0;

  /** @param clock host time in µs, the one that the link stamps its lines with */
  constructor(link: Link, listener: ConsoleListener, clock: () => number, timers: Timers = hostTimers) {
    this.link = link;
    this.#listener = listener;
    this.#clock = clock;
    this.#timers = timers;
  }

  /**
   * Gets the console clean from whatever state it is in.
   * @returns false when nothing that behaves like Espruino answers
   */
  async connect(): Promise<boolean> {
    this.#synced = false;
    this.link.listener = {
      onLine: (text, at) => this.#line(text, at),
      onLost: (reason) => this.#lost(reason),
      onOverflow: (count) => this.#listener.onOverflow(count),
    };
    if (await this.#sync(SYNC_MS)) return true;
    // Perhaps the board is booting, or waits for the rest of a packet.
    if (await this.#sync(SYNC_MS * 2)) return true;
    if (await this.#sync(PACKET_TIMEOUT_MS)) return true;
    // The last resort: it can stop a live program.
    this.link.write("\x03");
    await this.#pause(500);
    return this.#sync(SYNC_MS);
  }

  /**
   * Calls a function of the board's `station`. Calls go one at a time: a burst overflows small receive buffers.
   * @param args numbers, and texts that are passed as JSON string literals only
   * @returns null when no answer came in time, or the link went away
   */
  call(name: string, ...args: (number | string)[]): Promise<Answer | null> {
    if (this.link.state !== "open" || this.#waiting.length >= MOST_WAITING) return Promise.resolve(null);
    return new Promise((resolve) => {
      const n = this.#next++;
      const list = [n, ...args.map((arg) => (typeof arg === "string" ? asciiLiteral(arg) : arg))].join(",");
      this.#waiting.push({
        n,
        line: `\x10station.${name}(${list})\n`,
        sentAt: 0,
        settle: resolve,
        cancel: () => {},
      });
      this.#advance();
    });
  }

  /** Asks the board who it is. @returns null when no firmware of ours answers */
  async info(): Promise<{ [key: string]: unknown } | null> {
    let found: { [key: string]: unknown } | null = null;
    this.#onInfo = (text) => {
      try {
        found = JSON.parse(text) as { [key: string]: unknown };
      } catch {
        found = null;
      }
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
    call.cancel = this.#timers.after(ANSWER_MS, () => {
      this.unanswered++;
      this.#finish(call, null);
    });
    if (!this.link.write(call.line)) this.#finish(call, null);
  }

  #finish(call: Call, answer: Answer | null): void {
    if (this.#under !== call) return;
    this.#under = null;
    call.cancel();
    call.settle(answer);
    this.#advance();
  }

  async #sync(ms: number): Promise<boolean> {
    const heard = new Promise<boolean>((resolve) => {
      const cancel = this.#timers.after(ms, () => resolve(false));
      this.#onSync = () => {
        cancel();
        resolve(true);
      };
    });
    // The literal is split so that the echo of this line does not match.
    this.link.write('\x1b[2H\x10echo(0)\n\x10print("<SY"+"NC>")\n');
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
    const text = raw.replace(CURSOR_CODES, "").trim();
    if (this.#onSync && text.endsWith("<SYNC>")) {
      this.#onSync();
      return;
    }
    // All before the console was clean may be of an earlier run: nobody acts on it.
    if (!this.#synced) return;
    const match = RECORD.exec(text);
    if (!match) {
      if (text && text !== ">") this.#listener.onText(text, at);
      return;
    }
    const board = Number(match[1]);
    const event = match[2] as string;
    const rest = match[3] ?? "";
    if (event === "ack") this.#answered(Number(rest), board, at);
    else if (event === "info") {
      const comma = rest.indexOf(",");
      this.#onInfo?.(rest.slice(comma + 1));
      this.#answered(Number(rest.slice(0, comma)), board, at);
    } else this.#listener.onRecord(event, rest === "" ? [] : rest.split(","), board, at);
  }

  #answered(n: number, board: number, at: number): void {
    const call = this.#under;
    if (call && call.n === n) this.#finish(call, { sentAt: call.sentAt, board, at });
  }

  #lost(reason: string): void {
    this.#synced = false;
    this.drop();
    this.#listener.onLost(reason);
  }
}

/** A JSON string literal in ASCII: what a person typed never reaches a board in any other form. */
function asciiLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
