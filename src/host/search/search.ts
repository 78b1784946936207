/** Searches small rings exhaustively and runs the trials of consecutive seeds, in one process per core. */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { casesUpTo } from "./small-ring.ts";
import { type SmallRing, Totals } from "./totals.ts";
import type { Answer, Task } from "./worker.ts";

/** Long enough that processes wait for no message, short enough that none waits for another at the end. */
const BATCH = 8;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

export interface Search {
  /** The first seed. */
  seed: number;
  runs: number;
  /** Small rings with up to so many stations are searched exhaustively; none when left out. */
  exhaustive?: number;
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
export async function search(wanted: Search): Promise<Totals> {
  const { seed, runs, exhaustive = 0, onProgress, signal, processes } = wanted;
  const totals = new Totals();
  const cases = casesUpTo(exhaustive);
  const found: SmallRing[] = [];
  let next = 0;
  const take = (): Task | null => {
    if (signal?.aborted) return null;
    // What takes longest comes first, so that no process is left alone with it at the end.
    const small = cases.shift();
    if (small !== undefined) return { smallRing: small };
    if (next >= runs) return null;
    const batch = { seed: seed + next, count: Math.min(BATCH, runs - next) };
    next += batch.count;
    return batch;
  };
  const count = Math.min(processes ?? availableParallelism(), cases.length + Math.ceil(runs / BATCH));
  const done = (answer: Exclude<Answer, { error: string }>) => {
    if (Array.isArray(answer)) for (const outcome of answer) totals.add(outcome);
    else found[answer.number] = answer.ring;
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
  totals.smallRings.push(...found.filter((ring) => ring !== undefined));
  return totals;
}

/** Hands batches to a process until there are no more. */
function serve(
  child: ChildProcess,
  take: () => Task | null,
  done: (answer: Exclude<Answer, { error: string }>) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      const task = take();
      if (task) child.send(task);
      else resolve();
    };
    child.on("message", (answer: Answer) => {
      if (!Array.isArray(answer) && "error" in answer) return reject(new Error(answer.error));
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
