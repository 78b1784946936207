/**
 * Writes the firmware to one board: stop what runs there, write the boot code in pieces that are each confirmed, compare
 * the CRC, start it and hear it answer. Nothing is ever sent twice: a piece that nobody confirmed may or may not be
 * there, and its text may stand on the console.
 */
import { CONSOLE_VERSION } from "../../../firmware/board/console-version.js";
import { LAST_ID } from "../../../firmware/frame.js";
import { UsageError } from "../../errors.ts";
import type { Link } from "../../link/link.ts";
import { hostTimers, type Timers } from "../../link/time.ts";
import type { BoardInfo } from "../console/board-info.ts";
import { type Espruino, type Image, lineRoom, misfit } from "./image.ts";
import { Shell } from "./shell.ts";

const STORAGE = 'require("Storage")';
const CODE = ".bootcde";
const SETTINGS = "ring.json";

const ANSWER_MS = 3000;
/** Making room or erasing a page of flash stops a board for some seconds. */
const FLASH_MS = 15_000;
/** The first lines are repeated so often, a second apart: a board may boot, or wait 5 s for the end of a packet. */
const TRIES = 8;

export interface FlashOptions {
  /** The station's id, stored on the board; one that the board has already stays when this is left out. */
  id?: number;
  /** @param part 0 to 1 */
  onProgress?(part: number): void;
  /** Ends it early, whatever the board is at; what was written in part is erased. */
  signal?: AbortSignal;
  timers?: Timers;
  /** Seconds to wait for the first answer. */
  tries?: number;
}

export interface Flashed {
  port: string;
  board: string;
  version: string;
  bytes: number;
  /** Variables in use after the start, of all. */
  usage: number;
  total: number;
  id: number | null;
}

/**
 * @param link open; lines of 1024 characters must pass
 * @throws UsageError with one line when anything is not as it should be
 */
export async function flashBoard(link: Link, image: Image, options: FlashOptions = {}): Promise<Flashed> {
  const { timers = hostTimers, signal } = options;
  const shell = new Shell(link, timers);
  const board: OnBoard = { has: "old" };
  const onAbort = () => shell.interrupt();
  signal?.addEventListener("abort", onAbort);
  try {
    signal?.throwIfAborted();
    return await flashWith(shell, link, image, options, board);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new UsageError(`${link.path}: stopped: ${await whatIsLeft(shell, board)}`);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** What is in the flash of a board: the firmware that it had, a part of the new one, or all of it. */
interface OnBoard {
  has: "old" | "part" | "new";
}

/** A board that was stopped gets so long to erase a part of the firmware, ms. */
const ERASE_MS = 400;

async function whatIsLeft(shell: Shell, { has }: OnBoard): Promise<string> {
  if (has === "old") return "its firmware is as it was; reset it if it does not run";
  if (has === "new") return "the firmware is written and checked, but not started: reset the board";
  const erased = await shell.ask(`${STORAGE}.erase("${CODE}")||0`, ERASE_MS);
  if (erased) return "the board has no firmware now";
  return "a part of the firmware may be on it: flash it again";
}

async function flashWith(
  shell: Shell,
  link: Link,
  image: Image,
  options: FlashOptions,
  board: OnBoard,
): Promise<Flashed> {
  const { tries = TRIES } = options;
  const fail = (words: string): never => {
    throw new UsageError(`${link.path}: ${words}`);
  };
  const ask = async (expression: string, what: string, limitMs = ANSWER_MS): Promise<unknown> => {
    const reply = await shell.ask(expression, limitMs);
    if (reply === null) {
      return fail(
        link.state === "open"
          ? `no answer to ${what}: unplug the board, plug it in and flash it again`
          : `the port went away during ${what}: plug the board in and flash it again`,
      );
    }
    if (reply.error !== undefined) return fail(`${what} failed: ${reply.error}`);
    return reply.value;
  };

  if (!(await shell.console.connect({ tries, interrupt: true }))) fail(silence(link));
  const found = await identify(ask);
  const reason = misfit(image, found);
  if (reason) fail(reason);

  // Code that runs from flash must not be erased under its feet.
  link.write("\x10reset()\n");
  if (!(await shell.console.connect({ tries, interrupt: false })))
    fail("no answer after reset(): is it a board that resets its port?");
  const id = options.id ?? (await storedId(ask));
  await makeRoom(ask, image, fail, () => {
    board.has = "part";
  });
  await upload(ask, image, lineRoom(found.board), options, fail);
  const crc = await ask(`E.CRC32(${STORAGE}.read("${CODE}"))`, "the check of what was written", FLASH_MS);
  if (crc !== image.crc) {
    await ask(`${STORAGE}.erase("${CODE}")||0`, "erasing what was written", FLASH_MS);
    fail(
      "what arrived differs from what was sent (CRC-32): check the cable and flash it again; the board is blank now",
    );
  }
  board.has = "new";
  const settings =
    id === null ? `${STORAGE}.erase("${SETTINGS}")||0` : `${STORAGE}.write("${SETTINGS}",'{"id":${id}}')`;
  await ask(settings, "storing the id", FLASH_MS);
  const info = await startUp(shell, link, tries);
  if (!info)
    return fail(
      `the firmware is written, but no station answers${shell.said ? `: ${shell.said.slice(0, 120)}` : ""}`,
    );
  if (info.console !== CONSOLE_VERSION) fail("another firmware answers than the one that was written");
  await shell.console.call("detach");
  const { board: name, version, usage, total } = info;
  return { port: link.path, board: name, version, bytes: image.code.length, usage, total, id };
}

type Ask = (expression: string, what: string, limitMs?: number) => Promise<unknown>;
type Fail = (words: string) => never;

function silence(link: Link): string {
  const { bytesIn } = link.counters;
  if (link.state !== "open") return "the port went away: plug the board in and try again";
  return bytesIn === 0
    ? "the port opened, but nothing answers: is a board on it, and powered?"
    : `${bytesIn} bytes came, but no Espruino answers: check the baud rate, or put Espruino on the board first`;
}

async function identify(ask: Ask): Promise<Espruino> {
  const value = await ask(
    "[process.env.BOARD,process.env.VERSION,process.memory().total,E.CRC32?1:0]",
    "the question what board it is",
  );
  const [board, version, variables, crc] = Array.isArray(value) ? (value as unknown[]) : [];
  return {
    board: typeof board === "string" ? board.slice(0, 40) : "unknown",
    version: typeof version === "string" ? version.slice(0, 40) : "unknown",
    variables: typeof variables === "number" ? variables : Number.NaN,
    crc: crc === 1,
  };
}

/** The id of an earlier life; settings beside it may be those of another firmware. */
async function storedId(ask: Ask): Promise<number | null> {
  const id = await ask(`""+(${STORAGE}.readJSON("${SETTINGS}",1)||{}).id`, "the question for its id");
  return typeof id === "string" && /^\d{1,3}$/.test(id) && Number(id) <= LAST_ID ? Number(id) : null;
}

/** @param onErase told before the old firmware goes */
async function makeRoom(ask: Ask, image: Image, fail: Fail, onErase: () => void): Promise<void> {
  const room = async () =>
    Number(
      await ask(
        `${STORAGE}.getFree()+(${STORAGE}.read("${CODE}")||"").length`,
        "the question for free flash",
      ),
    );
  let free = await room();
  if (free < image.savedCode) {
    // Room of files that were erased comes back only when it is asked for.
    await ask(`${STORAGE}.compact()||0`, "making room in flash", FLASH_MS);
    free = await room();
  }
  if (!(free >= image.savedCode)) {
    fail(
      `its flash has ${free} bytes free, the firmware needs ${image.savedCode}: erase other files there; nothing was changed`,
    );
  }
  onErase();
  await ask(`${STORAGE}.erase("${CODE}")||0`, "erasing the old firmware", FLASH_MS);
  if (Number(await ask(`${STORAGE}.getFree()`, "the question for free flash")) < image.savedCode) {
    await ask(`${STORAGE}.compact()||0`, "making room in flash", FLASH_MS);
  }
}

async function upload(
  ask: Ask,
  image: Image,
  room: number,
  options: FlashOptions,
  fail: Fail,
): Promise<void> {
  const { code } = image;
  const fixed = Shell.OVERHEAD + `${STORAGE}.write("${CODE}",,${code.length},${code.length})`.length;
  for (let at = 0; at < code.length; ) {
    options.signal?.throwIfAborted();
    const literal = piece(code, at, room - fixed);
    const length = (JSON.parse(literal) as string).length;
    const done = await ask(
      `${STORAGE}.write("${CODE}",${literal},${at},${code.length})`,
      `writing byte ${at} of ${code.length}`,
      FLASH_MS,
    );
    if (done !== true && done !== 1)
      fail(`the board refused byte ${at} of ${code.length}: is its flash full?`);
    at += length;
    options.onProgress?.(at / code.length);
  }
}

/** The next characters of a text as a string literal of at most so many characters. */
function piece(text: string, at: number, room: number): string {
  let length = Math.max(1, room - 2);
  for (;;) {
    const literal = JSON.stringify(text.slice(at, at + length));
    if (literal.length <= room || length === 1) return literal;
    length = Math.max(1, length - Math.ceil((literal.length - room) / 2));
  }
}

async function startUp(shell: Shell, link: Link, tries: number): Promise<BoardInfo | null> {
  shell.said = "";
  link.write("\x10load()\n");
  for (let n = 0; n < 2; n++) {
    if (!(await shell.console.connect({ tries, interrupt: false }))) return null;
    const info = await shell.console.info();
    if (info) return info;
  }
  return null;
}
