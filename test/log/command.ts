/** Runs the program as a person does: in this process, or in one of its own where that is the point. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inProcess } from "../cli/in-process.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** Runs the command line in this process. */
export async function ringlab(args: readonly string[]): Promise<Omit<Outcome, "signal">> {
  const { code, stdout, stderr } = await inProcess(args);
  return { code, out: stdout, err: stderr };
}

/**
 * Starts the program.
 * @param started called with the process, to send it a signal
 * @param node options of Node
 */
export function startRinglab(
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
