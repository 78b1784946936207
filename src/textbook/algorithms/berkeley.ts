import type { OtherDescriptor } from "../descriptor.ts";

export const berkeley: OtherDescriptor = {
  name: "berkeley",
  kind: "clocks",
  title: "Berkeley",
  source: "Gusella and Zatti 1989",
  messages: "3(N-1) a setting (POLL, TIME, ADJUST)",
  order: "the average of all clocks; no clock goes backwards",
  breaks: "two ways that differ, as with Cristian; a clock far from the others is not counted",
  scenario: 'ringlab run --stations 5 --duration 6s --at "3s jump 1 2s" --at "4s berkeley 5"',
  shows: /5 +clock offset \d+ µs/,
};
