/**
 * A console on a real tty: `socat` makes a pseudo-terminal under a name of our choice and carries its bytes to this
 * process. What is written before anybody opens the tty waits in it; what nobody reads is bounded by the buffers of
 * the tty and of the pipes to socat, a few tens of kB, and by ours here.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { lstatSync, unlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { atExit } from "../../at-exit.ts";
import type { ConsolePort } from "./ports.ts";

/** Milliseconds that socat gets to make the tty, and to end. */
const startMs = 3000;
const endMs = 300;

/** A tty, as the console port of a board. */
export interface Tty extends ConsolePort {
  /** The link that a terminal program or `serialport` opens. */
  readonly path: string;
  /** Settles when the tty is gone: after `close`, or because socat ended. */
  readonly ended: Promise<void>;
  /** Ends socat and removes the link. */
  close(): Promise<void>;
}

function isLink(path: string): boolean | undefined {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return undefined;
  }
}

/** A link that a killed run left is ours to replace; anything else is not. */
function clearPath(path: string): void {
  const link = isLink(path);
  if (link === false)
    throw new Error(`${path} is there and is no link to a tty: remove it or name another folder`);
  if (link) unlinkSync(path);
}

function makePort(child: ChildProcess): ConsolePort {
  const input = child.stdin!;
  const output = child.stdout!;
  let blocked = false;
  let reader: ((reads: boolean) => void) | undefined;
  // Writing to a socat that has just ended is no error: `ended` tells.
  input.on("error", () => {});
  input.on("drain", () => {
    blocked = false;
    reader?.(true);
  });
  return {
    write(bytes) {
      if (blocked) return false;
      if (input.writable) blocked = !input.write(bytes);
      return true;
    },
    onData(listener) {
      output.on("data", (data: Buffer) => listener(data));
    },
    onReader(listener) {
      reader = listener;
    },
    pause(paused) {
      if (paused) output.pause();
      else output.resume();
    },
  };
}

/**
 * Makes a tty at `path`.
 *
 * @param signal ends the waiting for socat
 * @throws with one line: socat missing, the path taken, what socat said, or that it was stopped
 */
export async function openTty(path: string, signal?: AbortSignal): Promise<Tty> {
  clearPath(path);
  // Characters that separate options for socat.
  const link = path.replaceAll(/[\\,:!"'()[\]{}]/g, "\\$&");
  const child = spawn("socat", [`pty,raw,echo=0,link=${link}`, "stdio"], { stdio: ["pipe", "pipe", "pipe"] });
  let problem = "";
  child.stderr.on("data", (data: Buffer) => {
    if (problem.length < 1000) problem += data.toString();
  });
  const port = makePort(child);
  const paid = atExit(() => {
    child.kill("SIGKILL");
    if (isLink(path)) unlinkSync(path);
  });
  let gone = false;
  let missing = false;
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      missing = error.code === "ENOENT";
      problem ||= error.message;
      gone = true;
      resolve();
    });
    child.once("exit", () => {
      gone = true;
      paid();
      resolve();
    });
  });
  const close = async () => {
    if (!gone) {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), endMs);
      await ended;
      clearTimeout(timer);
    }
    paid();
    if (isLink(path)) unlinkSync(path);
  };
  for (const deadline = Date.now() + startMs; isLink(path) !== true; await sleep(5)) {
    if (!gone && Date.now() < deadline && !signal?.aborted) continue;
    await close();
    if (signal?.aborted) throw new Error(`${path}: stopped`);
    if (missing) throw new Error("emulate needs socat: apt install socat");
    const reason = problem.split("\n")[0]?.replace(/^.*?\bE /, "") || "socat made no tty";
    throw new Error(`${path}: ${reason}`);
  }
  return { ...port, path, ended, close };
}
