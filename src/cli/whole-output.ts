/** Writes what a command makes to a file, a pipe or stdout, and leaves nothing half-made behind. */
import { openOutput } from "../log/file/open-output.ts";
import type { Output } from "../log/file/output.ts";
import { PipeOutput } from "../log/file/pipe-output.ts";
import type { Ending } from "./ending.ts";
import { complain } from "./terminal.ts";

/**
 * @param path `-` is stdout
 * @param pieces may be empty: between two of them signals get through
 * @returns false when the end of the command came first
 * @throws UsageError where it cannot be written
 */
export async function writeOutput(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  ending: Ending,
): Promise<boolean> {
  const { signal } = ending;
  let output: Output | null = null;
  try {
    output =
      path === "-"
        ? new PipeOutput("stdout", process.stdout, { keep: true, signal })
        : await openOutput(path, { signal, onWaiting: complain, whole: true });
    for (const piece of pieces) {
      output.write(piece);
      await new Promise<void>((resolve) => setImmediate(resolve));
      await output.ready();
      if (signal.aborted) return false;
    }
    await output.finish();
    return true;
  } catch (error) {
    // What goes wrong with stdout has been said, or is a reader that has seen enough.
    if (signal.aborted) return false;
    throw error;
  } finally {
    output?.abandon();
  }
}
