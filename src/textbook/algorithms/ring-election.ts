import { exactly } from "../bounds.ts";
import type { ElectionDescriptor } from "../descriptor.ts";

export const ringElection: ElectionDescriptor = {
  name: "ring",
  kind: "election",
  title: "Ring election",
  source: "Tanenbaum and Van Steen, Distributed Systems",
  messages: "2m with m live stations, for each starter",
  order: "the highest live id wins",
  breaks: "a break of the ring: no list comes back, and the station behind it sends beacons",
  scenario: "ringlab elect --algorithm ring --ids 0-7 --down 7 --starter 2,5",
  /** Every list, and every result, goes once round the live stations. */
  theory({ ids, down, starters }) {
    const live = ids.length - down.length;
    const formula = "2m for m live stations and each starter: ELECTION once round, COORDINATOR once round";
    return exactly(2 * live * starters.length, formula);
  },
  rings: [
    { stations: 7, down: [7] },
    { stations: 8, down: [] },
  ],
};
