/** Runs the program as a person does. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** @param started called with the process, to send it a signal */
export function ringlab(
  args: readonly string[],
  started?: (pid: number) => void,
  node: string[] = [],
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...node, "--import", "tsx", MAIN, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.stderr.on("data", (bytes) => {
      err += bytes;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
    if (child.pid !== undefined) started?.(child.pid);
  });
}
