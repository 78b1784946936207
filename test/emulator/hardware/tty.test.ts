/** Boards on ttys of the operating system, opened as a serial program opens them. Needs socat. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SerialPort } from "serialport";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Board, createBoard } from "../../../src/emulator/board.ts";
import { realTimeClock } from "../../../src/emulator/hardware/clock.ts";
import { ringWires } from "../../../src/emulator/hardware/ports.ts";
import { picoProfile } from "../../../src/emulator/hardware/profile.ts";
import { openTty, type Tty } from "../../../src/emulator/hardware/tty.ts";

const socat = spawnSync("socat", ["-V"]).status === 0;

let dir: string;
const ttys: Tty[] = [];
const boards: Board[] = [];
const ports: SerialPort[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tty-"));
});

afterEach(async () => {
  for (const port of ports.splice(0)) if (port.isOpen) await new Promise((done) => port.close(done));
  for (const board of boards.splice(0)) board.stop();
  await Promise.all(ttys.splice(0).map((tty) => tty.close()));
  rmSync(dir, { recursive: true, force: true });
});

async function tty(name: string): Promise<Tty> {
  const made = await openTty(join(dir, name));
  ttys.push(made);
  return made;
}

function boot(console: Tty, code: string, more: object = {}): Board {
  const board = createBoard({ clock: realTimeClock(), console, ...more, poweredOff: true });
  board.storage.write(".bootcde", Buffer.from(code));
  boards.push(board);
  board.powerOn();
  return board;
}

async function open(path: string): Promise<{ port: SerialPort; text(): string }> {
  const port = new SerialPort({ path, baudRate: 115200, autoOpen: false });
  ports.push(port);
  port.on("error", () => {});
  await new Promise<void>((done, fail) => port.open((error) => (error ? fail(error) : done())));
  let text = "";
  port.on("data", (data: Buffer) => {
    text += data.toString("latin1");
  });
  return { port, text: () => text };
}

/** Waits until `found` holds; the text so far stands in the failure. */
async function until(found: () => boolean, what: () => string): Promise<void> {
  for (let i = 0; i < 400 && !found(); i++) await sleep(10);
  expect(found(), what()).toBe(true);
}

describe.skipIf(!socat)("a console on a tty (skipped without socat)", () => {
  test("a serial program sends a line and gets the answer", async () => {
    const console = await tty("a");
    boot(console, "USB.setConsole(true)");
    const { port, text } = await open(console.path);
    port.write('\x1b[2H\x10echo(0)\n\x10print("<SY"+"NC>")\n');
    await until(() => text().includes("<SYNC>\r\n"), text);
    port.write("\x10print(6*7)\n");
    await until(() => text().endsWith("42\r\n"), text);
  });

  test("the port opens again after a close, and the board is the same", async () => {
    const console = await tty("a");
    boot(console, "USB.setConsole(true);echo(0);var n=0");
    for (let i = 1; i <= 3; i++) {
      const { port, text } = await open(console.path);
      port.write('\x10print("n="+(++n))\n');
      await until(() => text().includes(`n=${i}\r\n`), text);
      await new Promise((done) => port.close(done));
    }
  });

  test("a megabyte that nobody reads is bounded and does not end the board", async () => {
    const console = await tty("a");
    const board = boot(
      console,
      'USB.setConsole(true);echo(0);setInterval(function(){for(var i=0;i<40;i++)print("x".repeat(1000))},2)',
    );
    await sleep(800);
    expect(board.powered).toBe(true);
    const { text } = await open(console.path);
    await sleep(300);
    expect(text().length).toBeGreaterThan(0);
    const before = process.memoryUsage().rss;
    await sleep(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  test("100 kB written at once arrive complete: the tty holds the sender back", async () => {
    const console = await tty("a");
    boot(
      console,
      'USB.setConsole(true);echo(0);E.setConsole(null,{force:true});var n=0;USB.on("data",function(d){n+=d.length;if(n>=100000)USB.write("all "+n)})',
    );
    const { port, text } = await open(console.path);
    port.write(Buffer.alloc(100_000, 97));
    await until(() => text().includes("all "), text);
    expect(text()).toBe("all 100000");
  });

  test("boards on ttys with their UARTs chained pass a frame round", async () => {
    const consoles = await Promise.all(["a", "b", "c"].map(tty));
    const wires = ringWires(3);
    consoles.forEach((console, i) => {
      boot(
        console,
        `USB.setConsole(true);echo(0);Serial2.setup(115200);var line="";
         Serial2.on("data",function(d){line+=d;if(line.indexOf("\\n")<0)return;
           print("got "+line.split("\\n")[0]);if(${i})Serial2.write(line.split("\\n")[0]+",${i}\\n");line=""})`,
        { uarts: { Serial2: wires.ports[i]! } },
      );
    });
    const { port, text } = await open(consoles[0]!.path);
    port.write('\x10Serial2.write("$T\\n")\n');
    await until(() => text().includes("got $T,1,2"), text);
  });

  test("the link is gone after close, and after socat ends by itself", async () => {
    const console = await tty("a");
    expect(existsSync(console.path)).toBe(true);
    await console.close();
    await console.ended;
    expect(existsSync(console.path)).toBe(false);
  });

  test("a dead link of a killed run is replaced, a file of somebody else is not", async () => {
    symlinkSync("/dev/pts/99999", join(dir, "a"));
    const console = await tty("a");
    boot(console, "USB.setConsole(true);echo(0)");
    const { port, text } = await open(console.path);
    port.write("\x10print(6*7)\n");
    await until(() => text().includes("42\r\n"), text);
    writeFileSync(join(dir, "b"), "mine");
    await expect(openTty(join(dir, "b"))).rejects.toThrow(
      `${join(dir, "b")} is there and is no link to a tty: remove it or name another folder`,
    );
  });

  test("a path with the characters that socat splits at is made as it stands", async () => {
    const console = await tty("a, b:c!(d)");
    expect(existsSync(join(dir, "a, b:c!(d)"))).toBe(true);
    boot(console, "USB.setConsole(true);echo(0)");
    const { port, text } = await open(console.path);
    port.write("\x10print(6*7)\n");
    await until(() => text().includes("42\r\n"), text);
  });

  test("a folder that is not there is named in one line", async () => {
    const path = join(dir, "no", "such", "a");
    await expect(openTty(path)).rejects.toThrow(/^[^\n]*no\/such\/a[^\n]*$/);
  });

  test("a board whose console is a UART works on a tty too", async () => {
    const console = await tty("a");
    boot(console, "echo(0)", { profile: { ...picoProfile, console: "Serial1", consoleBaud: 115200 } });
    const { port, text } = await open(console.path);
    await sleep(100);
    port.write("\x10print(6*7)\n");
    await until(() => text().includes("42\r\n"), text);
  });
});

test("without socat the error says so in one line", async () => {
  const path = process.env.PATH;
  process.env.PATH = dir;
  try {
    await expect(openTty(join(dir, "a"))).rejects.toThrow(/^emulate needs socat: apt install socat$/);
  } finally {
    process.env.PATH = path;
  }
});
