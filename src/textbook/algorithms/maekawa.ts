import { quorumOf } from "../../../firmware/mutex/maekawa.js";
import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";
import { ascending, sum } from "../sums.ts";

export const maekawa: MutexDescriptor = {
  name: "maekawa",
  kind: "mutual exclusion",
  title: "Maekawa (grid)",
  source: "Maekawa 1985, with the FAILED of Sanders 1987",
  messages: "3(K-1) an entry with a quorum of K = 2 sqrt(N) - 1, more when others ask too",
  order: "mostly by (timestamp, id)",
  breaks: "a dead station: those that have it in their quorum wait for its GRANT",
  scenario: "ringlab mutex --algorithm maekawa --stations 9 --request 1,5 --down 3",
  stops: /station 3 is dead and station 1 waits for its GRANT/,
  theory({ ids, contenders }) {
    const members = ascending(ids);
    const asked = sum(contenders, (id) => quorumOf(members, id).length - 1);
    const formula = "3(K-1) an entry with a quorum of K, about 2 sqrt(N)-1; up to 6(K-1) when others ask too";
    return contenders.length === 1
      ? exactly(3 * asked, formula)
      : { least: 3 * asked, most: 6 * asked, formula };
  },
};
