/** The real interpreter, built for Linux: each board its own process in its own folder, on ttys that socat makes. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { emulatedFirmware } from "../../src/host/bench/emulated-board.ts";
import { type Boards, onBoards } from "./on-boards.ts";
import type { Platform, Setup } from "./platform.ts";

/** Nothing of a test outlives this, ms. */
const LIFE_MS = 120_000;
const START_MS = 5000;

/** What ends the groups that still run, when a test run is cut short. */
const kills = new Set<() => void>();
process.once("exit", () => {
  for (const kill of kills) kill();
});

/** Starts a program in a group of its own. @returns what ends the whole group */
function start(command: string, args: string[], cwd: string): { child: ChildProcess; end(): Promise<void> } {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "ignore"], detached: true });
  const kill = () => {
    try {
      process.kill(-(child.pid as number), "SIGKILL");
    } catch {
      // It has ended already.
    }
  };
  const limit = setTimeout(kill, LIFE_MS);
  kills.add(kill);
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
  return {
    child,
    async end() {
      clearTimeout(limit);
      kills.delete(kill);
      kill();
      await ended;
    },
  };
}

async function appears(path: string): Promise<void> {
  for (const end = performance.now() + START_MS; !existsSync(path); await sleep(10)) {
    if (performance.now() > end) throw new Error(`${path} did not appear: does socat run?`);
  }
}

/** A shell that keeps the terminal, and runs the board for as long as there is a file `power`. */
function supply(binary: string): string {
  const run = `sh -c 'echo $$ > pid; exec ${binary}'`;
  return `while :; do if [ -e power ]; then ${run}; else sleep 0.02; fi; done 2> /dev/null\n`;
}

/** Writes the firmware to the flash of one board. */
async function flash(binary: string, folder: string): Promise<void> {
  writeFileSync(join(folder, "boot.js"), await emulatedFirmware());
  writeFileSync(join(folder, "install.js"), 'E.setBootCode(require("fs").readFileSync("boot.js"))');
  const { child, end } = start(binary, ["install.js"], folder);
  await new Promise((resolve) => child.once("close", resolve));
  await end();
}

export const onInterpreter =
  (binary: string) =>
  async (setup: Setup): Promise<Platform> =>
    onBoards(setup, await interpreterBoards(binary)(setup));

export const interpreterBoards = (binary: string) =>
  async function interpreterBoards(setup: Setup): Promise<Boards> {
    const dir = mkdtempSync(join(tmpdir(), "ringlab-interpreter-"));
    const count = setup.ids.length;
    const folders = setup.ids.map((_, place) => join(dir, `board-${place}`));
    for (const folder of folders) {
      mkdirSync(folder);
      writeFileSync(join(folder, "board.sh"), supply(binary));
    }
    await flash(binary, folders[0] as string);
    for (const folder of folders.slice(1))
      copyFileSync(join(folders[0] as string, "espruino.flash"), join(folder, "espruino.flash"));
    const wires: { end(): Promise<void> }[] = [];
    if (setup.wiring === "wired") {
      // The board opens `uart`; what it writes comes out of `line`, and goes to the `line` of the next.
      for (const folder of folders) {
        wires.push(start("socat", ["PTY,rawer,link=uart", "PTY,rawer,link=line"], folder));
        await appears(join(folder, "line"));
      }
      for (let i = 0; i < count; i++) {
        const [from, to] = [folders[i], folders[(i + 1) % count]];
        wires.push(start("socat", ["-u", `OPEN:${from}/line,rawer`, `OPEN:${to}/line,rawer`], dir));
      }
    }
    const running: ({ end(): Promise<void> } | undefined)[] = [];
    const on = async (place: number) => {
      const folder = folders[place] as string;
      writeFileSync(join(folder, "power"), "");
      running[place] = start("socat", ["PTY,rawer,link=tty", "EXEC:sh board.sh,pipes"], folder);
      await appears(join(folder, "tty"));
    };
    const off = async (place: number) => {
      await running[place]?.end();
      running[place] = undefined;
      rmSync(join(folders[place] as string, "tty"), { force: true });
    };
    const stop = async () => {
      await Promise.all([...running, ...wires].map((process) => process?.end()));
      rmSync(dir, { recursive: true, force: true });
    };
    for (let place = 0; place < count; place++) await on(place);
    return {
      paths: folders.map((folder) => join(folder, "tty")),
      uart: (place) => ({
        uart: "Serial1",
        baud: 115_200,
        options: { path: join(folders[place] as string, "uart") },
      }),
      off,
      on,
      dark(place) {
        const folder = folders[place] as string;
        rmSync(join(folder, "power"));
        process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
      },
      light: (place) => writeFileSync(join(folders[place] as string, "power"), ""),
      stop,
    };
  };
