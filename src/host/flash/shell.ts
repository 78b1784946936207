/** Questions to an Espruino that has no firmware of ours, one at a time, each with its answer or an end to the waiting. */
import { randomInt } from "node:crypto";
import type { Link } from "../../link/link.ts";
import { hostClock, hostTimers, type Timers } from "../../link/time.ts";
import { BoardConsole } from "../console/board-console.ts";

/** Longest answer that is kept. */
const LONGEST = 1024;

export interface Reply {
  /** The value, as JSON made it; undefined where the board threw. */
  value?: unknown;
  /** What the board threw. */
  error?: string;
}

export class Shell {
  readonly console: BoardConsole;
  readonly #link: Link;
  readonly #timers: Timers;
  /** Differs from run to run, so that an answer to somebody else is none of ours. */
  readonly #nonce = randomInt(0x1_0000_0000).toString(16).padStart(8, "0");
  #count = 0;
  #pending: { mark: string; settle(reply: Reply | null): void } | null = null;
  /** What the console said last that was no answer. */
  said = "";

  constructor(link: Link, timers: Timers = hostTimers) {
    this.#link = link;
    this.#timers = timers;
    this.console = new BoardConsole(
      link,
      {
        onRecord() {},
        onText: (text) => this.#text(text),
        onLost: () => this.#pending?.settle(null),
        onOverflow() {},
      },
      hostClock,
      timers,
    );
  }

  /** Length of the line that `ask` makes, without the expression. */
  static readonly OVERHEAD = 90;

  /**
   * @param expression fixed text, with checked numbers and string literals in it
   * @returns null when no answer came in time, or the link went away: nobody knows then whether it was done
   */
  async ask(expression: string, limitMs: number): Promise<Reply | null> {
    const mark = `<${this.#nonce}.${++this.#count}`;
    const heard = new Promise<Reply | null>((resolve) => {
      const cancel = this.#timers.after(limitMs, () => resolve(null));
      this.#pending = {
        mark,
        settle(reply) {
          cancel();
          resolve(reply);
        },
      };
    });
    // The mark is in two pieces, so that an echo of this line is not taken for the answer.
    const m = `"<"+"${mark.slice(1)}`;
    const sent = this.#link.write(
      `\x10try{print(${m}="+JSON.stringify(${expression})+">")}catch(e){print(${m}!"+e+">")}\n`,
    );
    if (!sent) this.#pending?.settle(null);
    const reply = await heard;
    this.#pending = null;
    return reply;
  }

  /** Ends what is waited for; a question can still be asked. */
  interrupt(): void {
    this.console.end();
    this.#pending?.settle(null);
  }

  #text(text: string): void {
    const pending = this.#pending;
    const at = pending ? text.indexOf(pending.mark) : -1;
    const end = text.lastIndexOf(">");
    const kind = pending && at >= 0 ? text[at + pending.mark.length] : "";
    if (!pending || end < at || (kind !== "=" && kind !== "!")) {
      this.said = text.slice(0, LONGEST);
      return;
    }
    const body = text.slice(at + pending.mark.length + 1, end);
    if (kind === "!") {
      pending.settle({ error: body.slice(0, 100) });
      return;
    }
    try {
      pending.settle({ value: JSON.parse(body) as unknown });
    } catch {
      pending.settle({ error: `an answer that is not understood: ${body.slice(0, 60)}` });
    }
  }
}
