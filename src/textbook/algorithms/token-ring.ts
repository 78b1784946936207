import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";

export const tokenRing: MutexDescriptor = {
  name: "token-ring",
  kind: "mutual exclusion",
  title: "Token ring",
  source: "Tanenbaum and Van Steen, Distributed Systems; IEEE 802.5 (1985) for the monitor",
  messages: "1 to N-1 an entry, about 1 when all ask, without end when nobody does",
  order: "round the ring from the token",
  breaks: "a lost token: the coordinator proves it lost and makes a new one; its own death costs an election",
  scenario: "ringlab mutex --algorithm token-ring --stations 5 --request 1,2,4 --down 5",
  theory({ ids, contenders, holder }) {
    const at = ids.indexOf(holder);
    const hops = contenders.map((id) => (ids.indexOf(id) - at + ids.length) % ids.length);
    return exactly(
      Math.max(0, ...hops),
      "hops of the token to the last that asked: 0 to N-1 for one, about 1 an entry when all ask",
    );
  },
  cases(ids) {
    const first = ids[0] as number;
    const last = ids[ids.length - 1] as number;
    return [
      { name: "token one hop away", requester: first, tokenAt: last },
      { name: "token just gone", requester: last, tokenAt: first },
    ];
  },
};
