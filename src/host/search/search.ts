/** Searches small rings exhaustively and runs the trials of consecutive seeds, in one process per core. */

import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { aborted } from "../../aborted.ts";
import { addedSources } from "../../protocols/registry.ts";
import type { RingChoice } from "../../simulation/search/ring-draw.ts";
import { casesUpTo, smallRingSoFar } from "./small-ring.ts";
import { type SmallRing, Totals } from "./totals.ts";
import type { Answer, SoFar, Task } from "./worker.ts";

/** Long enough that processes wait for no message, short enough that none waits for another at the end. */
const BATCH = 8;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

/** How far the exhaustive searches are. */
export interface SmallRingsSoFar {
  done: number;
  all: number;
  /** In all of them together. */
  states: number;
}

export interface Search {
  /** The first seed. */
  seed: number;
  runs: number;
  /** What is the same in all rings of the runs; the rest is drawn. */
  choice?: RingChoice;
  /** Small rings with up to so many stations are searched exhaustively; none when left out. */
  exhaustive?: number;
  /** Called after each batch, and now and then in the middle of a small ring. */
  onProgress?: (totals: Totals, smallRings: SmallRingsSoFar) => void;
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
  const { seed, runs, choice = {}, exhaustive = 0, onProgress, signal, processes } = wanted;
  const totals = new Totals();
  const cases = casesUpTo(exhaustive);
  const all = cases.length;
  const found: SmallRing[] = [];
  let given = 0;
  const next = (): Task | null => {
    if (signal?.aborted) return null;
    if (given >= runs) {
      // What takes longest comes first, so that no process is left alone with it at the end.
      const small = cases.shift();
      if (small === undefined) return null;
      found[small] = smallRingSoFar(small, 0);
      return { smallRing: small };
    }
    const batch = { seed: seed + given, count: Math.min(BATCH, runs - given), choice };
    given += batch.count;
    return batch;
  };
  const count = Math.min(processes ?? availableParallelism(), cases.length + Math.ceil(runs / BATCH));
  const take = (news: News) => {
    if (Array.isArray(news)) for (const outcome of news) totals.add(outcome);
    else if ("ring" in news) found[news.number] = news.ring;
    else found[news.number] = smallRingSoFar(news.number, news.states);
    const rings = found.filter((ring) => ring !== undefined);
    const states = rings.reduce((sum, ring) => sum + ring.states, 0);
    onProgress?.(totals, { done: rings.filter((ring) => !ring.stopped).length, all, states });
  };
  const children = Array.from({ length: count }, () =>
    // The loader is found from the folder of the program, wherever it was started.
    fork(WORKER, [JSON.stringify(addedSources())], { cwd: ROOT, execArgv: ["--import", "tsx"] }),
  );
  try {
    await Promise.race([Promise.all(children.map((child) => serve(child, next, take))), aborted(signal)]);
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
  totals.smallRings.push(...found.filter((ring) => ring !== undefined));
  totals.smallRingsLeft = cases.length;
  return totals;
}

type News = Exclude<Answer, { error: string }> | SoFar;

/** Hands tasks to a process until there are no more. */
function serve(child: ChildProcess, next: () => Task | null, take: (news: News) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      const task = next();
      if (task) child.send(task);
      else resolve();
    };
    child.on("message", (message: Answer | SoFar) => {
      if ("error" in message) return reject(new Error(message.error));
      take(message);
      if (!("states" in message)) give();
    });
    child.on("error", reject);
    child.on("exit", (code, by) => reject(new Error(`a process of the search ended: ${by ?? code}`)));
    give();
  });
}
