import type { OtherDescriptor } from "../descriptor.ts";

export const stamps: OtherDescriptor = {
  name: "stamps",
  kind: "clocks",
  title: "Lamport, vector and hybrid clocks",
  source: "Lamport 1978; Fidge 1988 and Mattern 1989; Kulkarni and others 2014",
  messages: "none of their own",
  order: "what happened before has the lower timestamp; with vectors, only that",
  breaks: "a station that restarts begins at 0 again",
  scenario: 'ringlab run --stations 3 --duration 6s --at "3s stamp 1 2" --at "4s stamp 2 3"',
  shows: /3 +event at Lamport 4, hybrid 4\d\d\d\.\d, vector 1\.2\.1/,
};
