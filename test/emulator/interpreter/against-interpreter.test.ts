/**
 * The emulated board beside the interpreter: the same bytes, the same answers. Needs the Linux build of Espruino in
 * the environment variable ESPRUINO; differences that are accepted are those of `normalise`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { picoProfile } from "../../../src/emulator/hardware/profile.ts";
import { bench } from "../bench.ts";
import { interruptScripts, normalise, type Script, scripts } from "../scripts.ts";

const binary = process.env.ESPRUINO;

/** Milliseconds that the Linux build gets for an answer: its two threads sleep 50 ms each. */
const answerMs = 330;

/** The Linux build counts ticks in its input thread, which sleeps 50 ms. */
const linuxTickUs = 50_000;

interface Answer {
  readonly sent: string;
  readonly answer: string;
}

async function onInterpreter(script: Script): Promise<Answer[]> {
  const cwd = mkdtempSync(join(tmpdir(), "interpreter-"));
  const child: ChildProcess = spawn(binary!, [], { cwd, stdio: ["pipe", "pipe", "ignore"] });
  let output = "";
  child.stdout!.on("data", (data: Buffer) => {
    output += data.toString("latin1");
  });
  child.stdin!.on("error", () => {});
  const answers: Answer[] = [];
  try {
    for (let i = 0; i < 100 && !output.endsWith(">"); i++) await sleep(50);
    for (const step of script.steps) {
      if (typeof step === "number") {
        await sleep(step);
        continue;
      }
      output = "";
      child.stdin!.write(Buffer.from(step, "latin1"));
      await sleep(answerMs);
      answers.push({ sent: step, answer: normalise(output) });
    }
  } finally {
    child.kill("SIGKILL");
    rmSync(cwd, { recursive: true, force: true });
  }
  return answers;
}

function onBoard(script: Script): Answer[] {
  const { ask, clock, console } = bench({ profile: { ...picoProfile, tickUs: linuxTickUs } });
  const answers: Answer[] = [];
  for (const step of script.steps) {
    if (typeof step === "number") {
      clock.run(step);
      console.take();
    } else answers.push({ sent: step, answer: normalise(ask(step, answerMs)) });
  }
  return answers;
}

describe.skipIf(binary === undefined)(
  "the same session on the interpreter (skipped without ESPRUINO)",
  () => {
    test.concurrent.each([...scripts, ...interruptScripts])(
      "$name",
      { timeout: 60_000, retry: 2 },
      async (script) => {
        expect(onBoard(script)).toEqual(await onInterpreter(script));
      },
    );
  },
);

test("without ESPRUINO nothing above is compared, and every script still runs on the board", () => {
  for (const script of [...scripts, ...interruptScripts]) {
    const last = onBoard(script).at(-1);
    expect(last?.sent, script.name).toBeTypeOf("string");
  }
});
