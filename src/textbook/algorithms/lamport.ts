import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";

export const lamport: MutexDescriptor = {
  name: "lamport",
  kind: "mutual exclusion",
  title: "Lamport",
  source: "Lamport 1978",
  messages: "3(N-1) an entry",
  order: "by (timestamp, id)",
  breaks: "any dead station: all wait for its REPLY; messages that overtake one another: two may enter",
  scenario: "ringlab mutex --algorithm lamport --stations 5 --request 1,2,4 --down 3",
  stops: /station 3 is dead and stations 1, 2 and 4 wait for its REPLY/,
  theory: ({ ids, contenders }) =>
    exactly(3 * (ids.length - 1) * contenders.length, "3(N-1) an entry (REQUEST, REPLY, RELEASE)"),
};
