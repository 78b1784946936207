/** Runs the trials of consecutive seeds, in one process per core. */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Totals, type TrialOutcome } from "./totals.ts";
import type { Answer, Batch } from "./worker.ts";

/** Long enough that processes wait for no message, short enough that none waits for another at the end. */
const BATCH = 8;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

export interface Search {
  /** The first seed. */
  seed: number;
  runs: number;
  /** Called after each batch. */
  onProgress?: (totals: Totals) => void;
  /** Ends the search early; what has ended counts. */
  signal?: AbortSignal;
  /** Number of processes; as many as there are cores when left out. */
  processes?: number;
}

/**
 * @returns what the trials add up to
 * @throws Error when a process ends by itself, or a trial breaks the program
 */
export async function search({ seed, runs, onProgress, signal, processes }: Search): Promise<Totals> {
  const totals = new Totals();
  let next = 0;
  const take = (): Batch | null => {
    if (signal?.aborted || next >= runs) return null;
    const batch = { seed: seed + next, count: Math.min(BATCH, runs - next) };
    next += batch.count;
    return batch;
  };
  const count = Math.min(processes ?? availableParallelism(), Math.ceil(runs / BATCH));
  const done = (outcomes: TrialOutcome[]) => {
    for (const outcome of outcomes) totals.add(outcome);
    onProgress?.(totals);
  };
  const children = Array.from({ length: count }, () =>
    // The loader is found from the folder of the program, wherever it was started.
    fork(WORKER, [], { cwd: ROOT, execArgv: ["--import", "tsx"] }),
  );
  try {
    await Promise.race([Promise.all(children.map((child) => serve(child, take, done))), aborted(signal)]);
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
  return totals;
}

/** Hands batches to a process until there are no more. */
function serve(
  child: ChildProcess,
  take: () => Batch | null,
  done: (outcomes: TrialOutcome[]) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      const batch = take();
      if (batch) child.send(batch);
      else resolve();
    };
    child.on("message", (answer: Answer) => {
      if ("error" in answer) return reject(new Error(answer.error));
      done(answer);
      give();
    });
    child.on("error", reject);
    child.on("exit", (code, by) => reject(new Error(`a process of the search ended: ${by ?? code}`)));
    give();
  });
}

/** One listener for all processes: a signal warns of more than ten. */
function aborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
}
