/**
 * What comes on a board's console and is of no use: noise of a wrong baud rate or a loose wire, damaged records, text
 * without end. It is counted, and told of in one line when it ends or has lasted a while.
 */
import { hostTimers, type Timers } from "../../link/time.ts";

type Cause = "damaged" | "noise" | "text";

/**
 * What became known, as a record: `bad` with the cause "damaged" (lines that do not fit their check) or "noise" (bytes that
 * are no text) and how many where it is more than one; `console` with words.
 */
export type TellNoise = (event: "bad" | "console", what: string, count?: number) => void;

/** It has ended when nothing came for once to twice as long, ms. */
const QUIET_MS = 300;
/** While it goes on it is told of after so long, then after twice as long, and so on up to the longest, ms. */
const FIRST_MS = 5000;
const LONGEST_MS = 60_000;
/** So many damaged lines are told of one by one until there is quiet. */
const MOST_DAMAGED = 20;
/** So many lines of text are shown in so long, µs. */
const MOST_LINES = 60;
const WINDOW_MICROS = 3_000_000;

interface Count {
  cause: Cause;
  /** Not told yet. */
  count: number;
  /** Told at once. */
  told: number;
  /** Times to the next telling and from the last byte, ms. */
  spanMs: number;
  stopTelling: () => void;
  stopQuiet: () => void;
  /** Something has come since it was last looked at. */
  moved: boolean;
}

export class LineNoise {
  readonly #tell: TellNoise;
  readonly #timers: Timers;
  readonly #counts = new Map<Cause, Count>();
  #since = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor(tell: TellNoise, timers: Timers = hostTimers) {
    this.#tell = tell;
    this.#timers = timers;
  }

  /** A record does not fit its check. It is told of at once: what it said is missing from here on. */
  damaged(): void {
    const count = this.#add("damaged", 0);
    if (count.told === MOST_DAMAGED) count.count++;
    else {
      count.told++;
      this.#tell("bad", "damaged");
    }
  }

  /** @param bytes of a line without end */
  overflow(bytes: number): void {
    this.#add("noise", bytes);
  }

  /**
   * @param text a line that is no record, one character per byte
   * @param at host time, µs
   * @returns is it to be shown?
   */
  text(text: string, at: number): boolean {
    // A short line amid noise can look like text.
    if (this.#counts.has("noise") || !isText(text)) {
      this.#add("noise", text.length);
      return false;
    }
    if (at - this.#since > WINDOW_MICROS) {
      this.#since = at;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= MOST_LINES) return true;
    this.#add("text", 1);
    return false;
  }

  /** Tells what has not been told yet. */
  end(): void {
    for (const cause of [...this.#counts.keys()]) this.#end(cause);
  }

  #add(cause: Cause, n: number): Count {
    let count = this.#counts.get(cause);
    if (!count) {
      count = {
        cause,
        count: 0,
        told: 0,
        spanMs: FIRST_MS,
        stopTelling: () => {},
        stopQuiet: () => {},
        moved: true,
      };
      this.#counts.set(cause, count);
      this.#wait(count);
      this.#listen(count);
    }
    count.count += n;
    count.moved = true;
    return count;
  }

  #listen(count: Count): void {
    count.stopQuiet = this.#timers.after(QUIET_MS, () => {
      if (!count.moved) return this.#end(count.cause);
      count.moved = false;
      this.#listen(count);
    });
  }

  #wait(count: Count): void {
    count.stopTelling = this.#timers.after(count.spanMs, () => {
      count.spanMs = Math.min(LONGEST_MS, 2 * count.spanMs);
      this.#say(count);
      this.#wait(count);
    });
  }

  #end(cause: Cause): void {
    const count = this.#counts.get(cause);
    if (!count) return;
    this.#counts.delete(cause);
    count.stopTelling();
    count.stopQuiet();
    this.#say(count);
  }

  #say(count: Count): void {
    const { cause, count: n } = count;
    count.count = 0;
    if (n === 0) return;
    if (cause === "text") this.#tell("console", `${n} lines more, left out`);
    else this.#tell("bad", cause, ...(n > 1 ? [n] : []));
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Is it ASCII, or whole characters of UTF-8? */
function isText(bytes: string): boolean {
  if (/^[\x00-\x7f]*$/.test(bytes)) return true;
  try {
    utf8.decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
    return true;
  } catch {
    return false;
  }
}
