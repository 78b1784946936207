/** Two programs, one serial line: `ringlab emulate` in one terminal and `ringlab run` in another, as a person has them. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { emulateTtys } from "../../../src/host/bench/emulated-ttys.ts";
import { toolTest } from "../../tools.ts";

/** A child that hangs is ended after this, ms. */
const LIFE_MS = 60_000;

class Program {
  out = "";
  code: number | null | undefined;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(...args: string[]) {
    const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...args], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    const limit = setTimeout(() => child.kill("SIGKILL"), LIFE_MS);
    const hear = (chunk: Buffer) => {
      this.out = (this.out + chunk).slice(-100_000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.stdin.on("error", () => {});
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once("close", (code) => {
        clearTimeout(limit);
        this.code = code;
        resolve();
      });
    });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await this.#ended;
    });
  }

  async says(text: string | RegExp, limitMs = 25_000): Promise<void> {
    for (const deadline = performance.now() + limitMs; !this.out.match(text); await sleep(20)) {
      if (this.code !== undefined || performance.now() > deadline)
        throw new Error(`${text} did not come (exit ${this.code}):\n${this.out.slice(-3000)}`);
    }
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** @returns the exit code */
  async end(signal?: NodeJS.Signals): Promise<number | null | undefined> {
    if (signal) this.#child.kill(signal);
    await this.#ended;
    return this.code;
  }
}

toolTest(["socat"])(
  "the ring forms; kill -9 of the host and a new start; unplug and return; Ctrl-C ends both, and nothing is left",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "ringlab-test-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const boards = new Program("emulate", "--stations", "3", "--dir", dir);
    await boards.says("Ctrl-C ends them");
    const ports = ["a", "b", "c"].map((name) => join(dir, name)).join(",");
    expect(boards.out).toContain(`ringlab run --ports ${ports}`);

    const first = new Program("run", "--ports", ports, "--duration", "1m", "--hops");
    await first.says(/TOK epoch/);
    await first.end("SIGKILL");

    const second = new Program("run", "--ports", ports, "--duration", "1m", "--hops");
    await second.says(/TOK epoch/);
    boards.type("unplug b");
    await second.says(/2 +is bypassed \(closed\)/, 5000);
    boards.type("plug b");
    await second.says(/2 +is inserted/, 10_000);
    expect(await second.end("SIGINT")).toBe(0);
    expect(second.out).toMatch(/ring time/);

    const third = new Program("run", "--ports", ports, "--duration", "1m", "--hops");
    await third.says(/TOK epoch/);
    expect(await boards.end("SIGINT")).toBe(0);
    expect(boards.out).toContain("The boards have ended.");
    // A USB hub that is plugged in again is waited for, then a ring without boards ends.
    expect(await third.end()).toBe(2);
    expect(third.out).toContain("every board has gone");
    expect(readdirSync(dir)).toEqual([]);
  },
  120_000,
);

toolTest(["socat"])("a folder that is in use, or that cannot be made: one line", async () => {
  const dir = mkdtempSync(join(tmpdir(), "ringlab-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const first = await emulateTtys({ stations: 1, dir, blank: true });
  await expect(emulateTtys({ stations: 1, dir, blank: true })).rejects.toThrow(
    `${dir}/a is in use, perhaps by another ringlab emulate: give another --dir`,
  );
  await first.stop();
  expect(readdirSync(dir)).toEqual([]);
  writeFileSync(join(dir, "file"), "");
  await expect(emulateTtys({ stations: 1, dir: join(dir, "file", "deep"), blank: true })).rejects.toThrow(
    /^--dir "\S+" cannot be made \(ENOTDIR\): give a folder that you may write to$/,
  );
});

toolTest(["socat"])("a link that a killed run has left is replaced", async () => {
  const dir = mkdtempSync(join(tmpdir(), "ringlab-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  symlinkSync("/dev/pts/there-is-none", join(dir, "a"));
  const boards = await emulateTtys({ stations: 1, dir, blank: true });
  await boards.stop();
  expect(readdirSync(dir)).toEqual([]);
});
