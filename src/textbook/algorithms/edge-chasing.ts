import type { OtherDescriptor } from "../descriptor.ts";

export const edgeChasing: OtherDescriptor = {
  name: "edge-chasing",
  kind: "deadlock",
  title: "Edge chasing",
  source: "Chandy, Misra and Haas 1983",
  messages: "a PROBE along each edge of the graph of those that wait, once for each initiator",
  order: "the station whose probe comes back knows of the cycle",
  breaks: "a dead station in the cycle: no probe passes, and nobody waits for ever but for it",
  scenario:
    'ringlab run --stations 3 --duration 6s --at "3s acquire 1 0" --at "3s acquire 2 1" --at "4s acquire 1 1" --at "4s acquire 2 0"',
  shows: /finds a deadlock: its probe for resource \d is back/,
};
