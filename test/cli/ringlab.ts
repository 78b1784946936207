import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inProcess, type Said } from "./in-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningProgram {
  /** Resolves when stdout has shown this text. */
  shows(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  outcome: Promise<Outcome>;
}

/** Starts the command line as a person would, with a time limit of 30 s. */
export function start(args: readonly string[]): RunningProgram {
  const child = spawn(process.execPath, ["--import", "tsx", MAIN, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  const waiting: { text: string; resolve: () => void }[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    for (const { text, resolve } of waiting) if (stdout.includes(text)) resolve();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const outcome = new Promise<Outcome>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  const shows = (text: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ text, resolve });
      void outcome.then(() =>
        reject(new Error(`the program ended and never showed ${text}:\n${stdout}${stderr}`)),
      );
    });
  return { shows, kill: (signal) => child.kill(signal), outcome };
}

/** Runs the command line to its end, in this process. */
export function ringlab(...args: string[]): Promise<Said> {
  return inProcess(args);
}

/** The JSON object that is all of stdout. */
export async function json(...args: string[]): Promise<{ [key: string]: unknown }> {
  const { stdout, stderr } = await ringlab(...args, "--json");
  if (!stdout.startsWith("{")) throw new Error(`no JSON on stdout: ${stdout}${stderr}`);
  return JSON.parse(stdout) as { [key: string]: unknown };
}
