/** Programs whose outputs fail, and programs that are told to end, as real processes with real pipes. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "ringlab-ends-"));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(dir, { recursive: true });
});

const at = (name: string) => join(dir, name);

interface Program {
  pid: number;
  err(): string;
  says(words: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; err: string }>;
}

/** @param shell with `RINGLAB` for the program; its own process is the program's where that stands behind `exec` */
function shell(command: string): Program {
  const ringlab = `"${process.execPath}" --import tsx src/cli/main.ts`;
  const child = spawn("sh", ["-c", command.replaceAll("RINGLAB", ringlab)], {
    cwd: ROOT,
    stdio: ["pipe", "ignore", "pipe"],
  });
  running.add(child);
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = new Promise<{ code: number | null; err: string }>((resolve) =>
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code, err });
    }),
  );
  const says = async (words: string) => {
    while (!err.includes(words)) {
      if (child.exitCode !== null) throw new Error(`ended without saying ${words}: ${err}`);
      await delay(20);
    }
  };
  return { pid: child.pid as number, err: () => err, says, kill: (signal) => child.kill(signal), ended };
}

function footer(log: string): { verdict: string; records: number } {
  return JSON.parse(readFileSync(log, "utf8").trimEnd().split("\n").at(-1) as string);
}

async function lines(log: string, least: number): Promise<void> {
  while (!existsSync(log) || readFileSync(log, "utf8").split("\n").length < least) await delay(20);
}

describe("an output that takes no more", () => {
  test("a disk that fills up in a run of boards: one line, exit code 2, and a footer of what is there", async () => {
    const log = at("full.ndjson");
    // A limit on the size of files stands for a full disk: 60 blocks of 512 bytes.
    const { code, err } = await shell(`ulimit -f 60; exec RINGLAB run emulated-5 --duration 25s --log ${log}`)
      .ended;
    expect([code, err]).toEqual([2, `ringlab: "${log}": the file is as large as this disk allows\n`]);
    const text = readFileSync(log, "utf8");
    const { verdict, records } = footer(log);
    expect(verdict).toBe("failed: an output could not be written");
    expect(records).toBe(text.trimEnd().split("\n").length - 2);
    expect(text.length).toBeLessThanOrEqual(60 * 512);
  });

  test("a reader that closes the capture ends the capture, and the run goes on to its end", async () => {
    const log = at("capture.ndjson");
    const { code, err } = await shell(
      `{ RINGLAB run --stations 3 --duration 8s --pace 8 --log ${log} --json --pcapng -; echo "code $?" >&2; } | head -c 2000 >/dev/null`,
    ).ended;
    expect(code).toBe(0);
    expect(err).toContain("the reader of the capture has gone: the capture ends, the run goes on\n");
    expect(err).toMatch(/code 0\n$/);
    expect(footer(log).verdict).toBe("done");
  });

  test("a reader of the events that has seen enough ends the run in order, without a word", async () => {
    const log = at("head.ndjson");
    const { err } = await shell(
      `{ RINGLAB run --stations 3 --duration 1000s --pace 100 --hops --log ${log}; echo "code $?" >&2; } | head -3 >/dev/null`,
    ).ended;
    expect(err).toBe("code 0\n");
    expect(footer(log).verdict).toBe("stopped");
  });

  test.each(["run --duration 2s", "mutex --stations 3", "log --help"])(
    "stdout on a full disk is one line and exit code 2: %s",
    async (args) => {
      const { code, err } = await shell(`exec RINGLAB ${args} > /dev/full`).ended;
      expect(code).toBe(2);
      expect(err).toMatch(/^ringlab: "stdout": the disk is full[^\n]*\n$/);
    },
  );
});

describe("a program that is told to end", () => {
  test("does so while it waits for the reader of a pipe, with a word and 130", async () => {
    const pipe = at("no-reader");
    execFileSync("mkfifo", [pipe]);
    for (const option of ["--log", "--pcapng"]) {
      const program = shell(`exec RINGLAB run --duration 2s ${option} ${pipe}`);
      await program.says("waiting for its reader");
      program.kill("SIGINT");
      expect(await program.ended).toMatchObject({
        code: 130,
        err: expect.stringContaining("SIGINT: ending"),
      });
    }
  });

  test("does so though its reader takes nothing", async () => {
    const pipe = at("no-appetite");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("sh", ["-c", `exec sleep 60 < ${pipe}`]);
    running.add(reader);
    const program = shell(
      `exec RINGLAB run --stations 3 --duration 34560m --pcapng ${pipe} --log ${at("slow.ndjson")}`,
    );
    await lines(at("slow.ndjson"), 1000);
    program.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(footer(at("slow.ndjson")).verdict).toBe("stopped");
    reader.kill("SIGKILL");
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "by %s leaves a log with its footer",
    async (signal) => {
      const log = at(`${signal}.ndjson`);
      const program = shell(`exec RINGLAB run emulated-5 --duration 10m --log ${log}`);
      await lines(log, 5);
      program.kill(signal);
      expect(await program.ended).toMatchObject({ code: 0 });
      expect(footer(log).verdict).toBe("stopped");
    },
  );

  test("by SIGHUP leaves no part of a file", async () => {
    const log = at("long.ndjson");
    await shell(`RINGLAB run --stations 3 --duration 90m --log ${log} --json`).ended;
    const program = shell(`exec RINGLAB export ${log} --to vcd --out ${at("long.vcd")}`);
    const parts = () => readdirSync(dir).filter((name) => name.endsWith(".part"));
    while (parts().length === 0 && !existsSync(at("long.vcd"))) await delay(5);
    program.kill("SIGHUP");
    expect((await program.ended).code).toBe(130);
    expect([parts(), existsSync(at("long.vcd"))]).toEqual([[], false]);
  });
});
