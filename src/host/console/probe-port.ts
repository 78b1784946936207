/** Finds out who is at a port, by a handshake that interrupts nothing. */
import { CONSOLE_VERSION } from "../../../firmware/board/console-version.js";
import { UsageError } from "../../errors.ts";
import { linkTo } from "../../link/open.ts";
import { hostClock } from "../../link/time.ts";
import { BoardConsole } from "./board-console.ts";
import type { BoardInfo } from "./board-info.ts";

/** A board that resets when its port opens needs some of them, a second each. */
const TRIES = 3;
const CONSOLE_LINE = 2048;

export interface Probe {
  /** `station`: our firmware. `other-version`: ours, too old or too new. `espruino`: without our firmware. */
  found: "station" | "other-version" | "espruino" | "junk" | "silent" | "closed";
  /** One line of words. */
  words: string;
  info?: BoardInfo;
}

/**
 * @param signal ends it early
 * @returns what answers at the port; never rejects for a port that does not open
 */
export async function probePort(path: string, baudRate: number, signal?: AbortSignal): Promise<Probe> {
  let link: ReturnType<typeof linkTo>;
  let console: BoardConsole | undefined;
  const onAbort = () => {
    console?.end();
    void link?.close();
  };
  signal?.addEventListener("abort", onAbort);
  try {
    link = linkTo(path, { baudRate, lineLimit: CONSOLE_LINE });
    await link.open();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { found: "closed", words: error.message.replace(`${path}: `, "") };
  }
  try {
    const silent = { onRecord() {}, onText() {}, onLost() {}, onOverflow() {} };
    console = new BoardConsole(link, silent, hostClock);
    if (!(await console.connect({ tries: TRIES, interrupt: false }))) {
      const { bytesIn } = link.counters;
      return bytesIn === 0
        ? { found: "silent", words: "it opens, but nothing answers" }
        : { found: "junk", words: `${bytesIn} bytes and no answer: another baud rate, or no Espruino` };
    }
    const info = await console.info();
    if (!info) return { found: "espruino", words: "an Espruino without our firmware (ringlab flash)" };
    await console.call("detach");
    if (info.console !== CONSOLE_VERSION)
      return { found: "other-version", words: "our firmware in another version (ringlab flash)", info };
    const who = info.id === undefined ? "a station without an id yet" : `station ${info.id}`;
    const { usage, total } = info;
    return {
      found: "station",
      words: `${who} on ${info.board} ${info.version}, ${usage} of ${total} variables`,
      info,
    };
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await link.close();
  }
}
