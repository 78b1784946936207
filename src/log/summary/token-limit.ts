/** How long the token of a run may be away. */
import { LEAST_ROTATIONS } from "../../../firmware/limits.js";
import type { RunHeader } from "../records.ts";
import type { Histogram } from "./histogram.ts";

/**
 * The ring's own limit for its token, as the run's header has it. Where it has none, as in a passive log, so many of
 * the rotations that are usual as the firmware asks for at the least, and once more.
 *
 * @param rotations those measured so far, microseconds
 * @returns microseconds; Infinity while nothing is known
 */
export function tokenLimit(header: RunHeader | undefined, rotations: Histogram): () => number {
  const ms = header?.limits?.token;
  if (ms !== undefined) return () => ms * 1000;
  let known = 0;
  let limit = Infinity;
  return () => {
    // Now and then: a percentile is dear, and this is asked at each arrival of a token.
    if (rotations.count >= 2 * known && rotations.count > 0) {
      known = rotations.count;
      limit = (LEAST_ROTATIONS.token + 1) * rotations.percentile(0.5);
    }
    return limit;
  };
}
