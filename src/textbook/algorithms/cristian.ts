import type { OtherDescriptor } from "../descriptor.ts";

export const cristian: OtherDescriptor = {
  name: "cristian",
  kind: "clocks",
  title: "Cristian",
  source: "Cristian 1989",
  messages: "2 a setting (TIME REQUEST, TIME REPLY)",
  order: "the coordinator's time, right to within half the round trip",
  breaks: "two ways that differ: on a ring nearly the whole bound; a dead coordinator answers nobody",
  scenario: 'ringlab run --stations 5 --duration 6s --at "3s jump 1 2s" --at "4s cristian 1"',
  shows: /clock offset -\d+ µs ± \d+ µs/,
};
