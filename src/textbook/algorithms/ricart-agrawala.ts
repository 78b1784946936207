import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";

export const ricartAgrawala: MutexDescriptor = {
  name: "ricart-agrawala",
  kind: "mutual exclusion",
  title: "Ricart and Agrawala",
  source: "Ricart and Agrawala 1981",
  messages: "2(N-1) an entry",
  order: "by (timestamp, id)",
  breaks: "any dead station: all wait for its REPLY",
  scenario: "ringlab mutex --algorithm ricart-agrawala --stations 5 --request 1,2,4 --down 3",
  stops: /station 3 is dead and stations 1, 2 and 4 wait for its REPLY/,
  theory: ({ ids, contenders }) =>
    exactly(2 * (ids.length - 1) * contenders.length, "2(N-1) an entry (REQUEST, REPLY)"),
};
