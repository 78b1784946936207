import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";

export const suzukiKasami: MutexDescriptor = {
  name: "suzuki-kasami",
  kind: "mutual exclusion",
  title: "Suzuki and Kasami",
  source: "Suzuki and Kasami 1985",
  messages: "N an entry, 0 for the station that has the token",
  order: "as the token's queue has it",
  breaks: "the death of the station that has the token, unless it is the coordinator",
  scenario:
    'ringlab run --mutex suzuki-kasami --critical 1s --at "3s request 2" --at "3500ms crash 2" --at "4s request 1"',
  stops: /the token is gone with a dead station \(2\) and station 1 waits for the TOKEN/,
  theory: ({ ids, contenders, holder }) =>
    exactly(
      ids.length * contenders.filter((id) => id !== holder).length,
      "N an entry (N-1 REQUEST, 1 TOKEN), 0 for the one that has the token",
    ),
  cases: (ids) => [
    { name: "token elsewhere", requester: Math.min(...ids) },
    { name: "token here", requester: Math.max(...ids) },
  ],
};
