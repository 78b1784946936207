import { exactly } from "../bounds.ts";
import type { ElectionDescriptor } from "../descriptor.ts";
import { sum } from "../sums.ts";

export const changRoberts: ElectionDescriptor = {
  name: "chang-roberts",
  kind: "election",
  title: "Chang and Roberts",
  source: "Chang and Roberts 1979",
  messages: "N to 2N-1 ELECTION from one starter, N H(N) on average when all start, N ELECTED",
  order: "the highest live id wins",
  breaks: "a break of the ring: no id comes back, and the station behind it sends beacons",
  scenario: "ringlab elect --algorithm chang-roberts --ids 5,4,3,2,1 --starter 1-5",
  /** An id travels until a greater one stops it; the greatest travels once round, and so does the result. */
  theory({ ids, down, starters }) {
    const live = ids.filter((id) => !down.includes(id));
    const m = live.length;
    const highest = live.indexOf(Math.max(...live));
    if (starters.length === 1) {
      const start = live.indexOf(starters[0] as number);
      // A station on the way puts its own id in the place of a lesser one: the way to the highest is gone once.
      const toHighest = (highest - start + m) % m;
      return exactly(toHighest + 2 * m, "hops to the highest id, then N ELECTION and N ELECTED");
    }
    if (starters.length === m) {
      const election = sum(live, (id, i) => {
        let hops = 1;
        while (hops < m && (live[(i + hops) % m] as number) < id) hops++;
        return hops;
      });
      return exactly(
        election + m,
        "each id travels to the next greater one, the highest and ELECTED once round",
      );
    }
    return { least: 2 * m, most: (m * (m + 1)) / 2 + m, formula: "2N to N(N+1)/2 + N" };
  },
  rings: [{ stations: 8, down: [] }],
};
