import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Two real terminals, each the far end of the other, as two boards at one cable would be. */
export interface PtyPair {
  /** Path of one terminal. */
  a: string;
  /** Path of the other. */
  b: string;
  /** Unplugs: whoever has one of them open loses it, and both paths are gone. */
  end(): Promise<void>;
}

/**
 * Starts a socat that joins two raw terminals, in a new folder. Given the `folder` of an earlier pair it makes the new
 * ones under the same paths, as a board that is plugged in again does.
 */
export async function ptyPair(folder?: string): Promise<PtyPair> {
  const dir = folder ?? mkdtempSync(join(tmpdir(), "ringlab-pty-"));
  const a = join(dir, "a");
  const b = join(dir, "b");
  const pty = (link: string) => `PTY,rawer,link=${link}`;
  const socat = spawn("socat", ["-d", "-d", pty(a), pty(b)], { stdio: ["ignore", "ignore", "pipe"] });
  const stop = () => socat.kill("SIGTERM");
  // A test run that is cut short leaves no socat behind.
  process.once("exit", stop);
  const ended = new Promise<void>((resolve) => {
    socat.once("close", () => resolve());
  });
  await started(socat);
  return {
    a,
    b,
    async end() {
      stop();
      await ended;
      process.removeListener("exit", stop);
      if (folder === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function started(socat: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    socat.once("error", (cause) => reject(new Error("socat does not start: is it installed?", { cause })));
    socat.once("close", () => reject(new Error(`socat ended: ${said}`)));
    socat.stderr?.on("data", (text: Buffer) => {
      said += text;
      if (said.includes("starting data transfer loop")) resolve();
    });
  });
}
