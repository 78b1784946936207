import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";

export const ricartAgrawalaImplicit: MutexDescriptor = {
  name: "ricart-agrawala-implicit",
  kind: "mutual exclusion",
  title: "Ricart and Agrawala, implicit replies",
  source: "Ricart and Agrawala 1981, with a later request taken for the reply",
  messages: "k(N-1) + k(k-1)/2 + k(N-k) for k that ask at once",
  order: "by (timestamp, id)",
  breaks: "any dead station: all wait for its REPLY",
  scenario: "ringlab mutex --algorithm ricart-agrawala-implicit --stations 5 --request 1,2,4 --down 3",
  stops: /station 3 is dead and stations 1, 2 and 4 wait for its REPLY/,
  theory({ ids, contenders }) {
    const n = ids.length;
    const k = contenders.length;
    return exactly(
      k * (n - 1) + (k * (k - 1)) / 2 + k * (n - k),
      "k(N-1) REQUEST, k(k-1)/2 REPLY between the k that ask, k(N-k) from the others",
    );
  },
};
