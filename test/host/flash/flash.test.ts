import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Board, createBoard } from "../../../src/emulator/board.ts";
import { realTimeClock } from "../../../src/emulator/hardware/clock.ts";
import { type EmulatedProfile, picoProfile } from "../../../src/emulator/hardware/profile.ts";
import { createStorage } from "../../../src/emulator/hardware/storage.ts";
import { type FlashOptions, flashBoard } from "../../../src/host/flash/flash-board.ts";
import { makeImage, misfit } from "../../../src/host/flash/image.ts";
import type { Link } from "../../../src/link/link.ts";
import { type Fault, memoryPair } from "../../../src/link/memory.ts";
import { espruinoTest } from "../../tools.ts";

const image = await makeImage(["bully", "ring"]);
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

function pair(fault?: Fault) {
  return memoryPair({ lineLimit: 1024, capacity: 65_536, ...(fault ? { fault } : {}) });
}

interface Emulated {
  board: Board;
  link: Link;
  unplug(): void;
}

function emulated(
  options: { profile?: Partial<EmulatedProfile>; fault?: Fault; bootDelayMs?: number } = {},
): Emulated {
  const { a: link, b, unplug } = pair(options.fault);
  const board = createBoard({
    profile: { ...picoProfile, ...options.profile },
    clock: realTimeClock(),
    console: {
      write: (bytes) => {
        b.write(Buffer.from(bytes).toString("latin1"));
      },
      onData: (listener) => {
        b.listener = { onBytes: (bytes) => listener(bytes) };
        void b.open();
      },
    },
    storage: createStorage({ size: 64 * 1024 }),
    ...(options.bootDelayMs === undefined ? {} : { bootDelayMs: options.bootDelayMs }),
  });
  ended.push(() => {
    board.stop();
    void link.close();
    void b.close();
  });
  return { board, link, unplug };
}

async function flash(link: Link, options: FlashOptions = {}) {
  await link.open();
  return flashBoard(link, image, { tries: 2, ...options });
}

const text = (board: Board, name: string) => Buffer.from(board.storage.read(name) ?? []).toString("latin1");

describe("an emulated board", () => {
  test("gets the firmware, byte for byte, and its station answers", async () => {
    const { board, link } = emulated();
    const parts: number[] = [];
    const flashed = await flash(link, { id: 3, onProgress: (part) => parts.push(part) });
    expect(flashed).toMatchObject({ board: "PICO_R1_3", bytes: image.code.length, id: 3, total: 5100 });
    expect(text(board, ".bootcde")).toBe(image.code);
    expect(JSON.parse(text(board, "ring.json"))).toEqual({ id: 3 });
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
  });

  test("that has firmware and settings is flashed again: it keeps its id and nothing of its settings", async () => {
    const { board, link } = emulated();
    await flash(link, { id: 7 });
    board.storage.write("ring.json", Buffer.from('{"id":7,"settings":{"members":[1]}}'));
    expect(await flash(link)).toMatchObject({ id: 7 });
    expect(JSON.parse(text(board, "ring.json"))).toEqual({ id: 7 });
  });

  test("without an id stays without one", async () => {
    const { board, link } = emulated();
    expect(await flash(link)).toMatchObject({ id: null });
    expect(board.storage.read("ring.json")).toBeUndefined();
  });

  test("whose console was left in the middle of a string is flashed all the same", async () => {
    const { link } = emulated();
    await link.open();
    link.write('print("half a li');
    await link.flush(1000);
    expect(await flash(link)).toMatchObject({ bytes: image.code.length });
  });

  test("that boots for a second after the port opens is waited for", async () => {
    const { link } = emulated({ bootDelayMs: 1200 });
    expect(await flash(link, { tries: 4 })).toMatchObject({ bytes: image.code.length });
  });

  test("several are flashed at once", async () => {
    const boards = [1, 2, 3].map((id) => ({ id, ...emulated() }));
    const done = await Promise.all(boards.map(({ link, id }) => flash(link, { id })));
    expect(done.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

describe("what goes wrong is told in one line", () => {
  test("nothing answers", async () => {
    const { a, b } = pair();
    await b.open();
    ended.push(() => void Promise.all([a.close(), b.close()]));
    await expect(flash(a, { tries: 1 })).rejects.toThrow(
      "memory:a: the port opened, but nothing answers: is a board on it, and powered?",
    );
  });

  test("what answers is no Espruino", async () => {
    const { a, b } = pair();
    b.listener = { onLine: () => void b.write("AT+ERROR\r\n") };
    await b.open();
    ended.push(() => void Promise.all([a.close(), b.close()]));
    await expect(flash(a, { tries: 1 })).rejects.toThrow(
      /memory:a: \d+ bytes came, but no Espruino answers: check the baud rate/,
    );
  });

  test("a byte changed on the way: the CRC differs, and the board is left blank", async () => {
    let changed = 0;
    const { board, link } = emulated({
      fault: (bytes, from) => {
        const at = from === "a" && changed === 0 ? bytes.indexOf("limits") : -1;
        if (at < 0) return [{ bytes }];
        changed++;
        const other = Buffer.from(bytes);
        other[at] = "L".charCodeAt(0);
        return [{ bytes: other }];
      },
    });
    await expect(flash(link)).rejects.toThrow(
      /^memory:a: what arrived differs from what was sent \(CRC-32\)/,
    );
    expect(changed).toBe(1);
    expect(board.storage.read(".bootcde")).toBeUndefined();
  });

  test("a piece that nobody confirms is not sent again", async () => {
    const offsets: string[] = [];
    const { link, unplug } = emulated({
      fault: (bytes, from) => {
        const offset = /,(\d+),\d+\)\)/.exec(bytes.toString("latin1"))?.[1];
        if (from === "a" && offset !== undefined) {
          offsets.push(offset);
          if (offsets.length === 3) unplug();
        }
        return [{ bytes }];
      },
    });
    await expect(flash(link)).rejects.toThrow(/the port went away during writing byte \d+ of \d+/);
    expect(offsets).toHaveLength(3);
    expect(new Set(offsets).size).toBe(3);
  });

  test("a board with too few variables, before anything is written", async () => {
    const { board, link } = emulated({ profile: { variables: 1000, boardId: "SOMETHING" } });
    await expect(flash(link)).rejects.toThrow(
      `"SOMETHING" is too small: it has 1000 variables, the firmware needs ${image.variables}`,
    );
    expect(board.storage.list()).toEqual([]);
  });

  test("a flash that is full of other files, before anything is written", async () => {
    const { board, link } = emulated();
    board.storage.write("other", Buffer.alloc(60_000));
    await expect(flash(link)).rejects.toThrow(/its flash has \d+ bytes free, the firmware needs \d+/);
    expect(board.storage.list()).toEqual(["other"]);
  });

  test("stopped on the way: no half firmware is left", async () => {
    const stop = new AbortController();
    const { board, link } = emulated();
    const flashing = flash(link, { signal: stop.signal, onProgress: (part) => part > 0.5 && stop.abort() });
    await expect(flashing).rejects.toThrow("memory:a: stopped: the board has no firmware now");
    expect(board.storage.read(".bootcde")).toBeUndefined();
  });
});

describe("what fits where", () => {
  const asked = { version: "2v29", crc: true };

  test("micro:bit 1 is refused for the reason that its profile gives", () => {
    const reason = misfit(image, { ...asked, board: "MICROBIT1", variables: 350, crc: false });
    expect(reason).toMatch(/^BBC micro:bit 1 is too small: 350 variables/);
  });

  test("the ESP8266 takes the token ring, Ring and Bully in its 1700 variables and 16 kB, and not everything", async () => {
    const esp8266 = { ...asked, board: "ESP8266_BOARD", variables: 1700 };
    expect(misfit(image, esp8266)).toBeNull();
    const large = { ...image, savedCode: 20_000 };
    expect(misfit(large, esp8266)).toMatch(
      /ESP8266 has 16384 bytes for saved code, the firmware needs 20000/,
    );
  });

  test("a board of no known type is judged by its variables", () => {
    expect(misfit(image, { ...asked, board: "NEW", variables: 5000 })).toBeNull();
    expect(misfit(image, { ...asked, board: "NEW", variables: Number.NaN })).toMatch(/too small/);
  });
});

espruinoTest(
  "the real interpreter gets the firmware over its console, in the state that another program left it in",
  async (binary) => {
    const dir = mkdtempSync(join(tmpdir(), "ringlab-flash-"));
    const { a: link, b } = pair();
    const child: ChildProcess = spawn(binary, { cwd: dir, stdio: ["pipe", "pipe", "ignore"] });
    ended.push(() => {
      child.kill("SIGKILL");
      void link.close();
      void b.close();
      rmSync(dir, { recursive: true, force: true });
    });
    child.stdin?.on("error", () => {});
    child.stdout?.on("data", (bytes: Buffer) => void b.write(bytes.toString("latin1")));
    b.listener = { onBytes: (bytes) => void child.stdin?.write(bytes) };
    await b.open();
    await link.open();
    link.write("function half(){ print(");
    await link.flush(1000);
    const first = await flash(link, { id: 2, tries: 8 });
    expect(first).toMatchObject({ board: "LINUX", bytes: image.code.length, id: 2 });
    // Again, over the firmware that runs now.
    expect(await flash(link, { tries: 8 })).toMatchObject({ bytes: image.code.length, id: 2 });
  },
  60_000,
);
