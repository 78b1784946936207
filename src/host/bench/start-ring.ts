/** Starts the ring of a bench, and refuses one that is not what the bench says. */
import { UsageError } from "../../errors.ts";
import type { Ring } from "../ring/ring.ts";

/** @throws UsageError when a station does not start, or the wires lead in another order */
export async function startRing(ring: Ring): Promise<void> {
  const failed = await ring.start();
  if (failed.length) {
    throw new UsageError(
      `station ${failed.join(", ")} did not take its configuration: reset the board and try again`,
    );
  }
  const problem = await ring.wiringProblem();
  if (problem) throw new UsageError(problem);
}
