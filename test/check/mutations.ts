/** Mistakes that a firmware could have, each as one replacement of its text. */

import type { RingChoice } from "../../src/simulation/ring-draw.ts";

export interface Mutation {
  name: string;
  /** In firmware/. */
  file: string;
  /** Stands in the file exactly once. */
  text: string;
  replacement: string;
  /** A seed from 1 to this one shows a violation. */
  within: number;
  /** The claim that does not hold there. */
  claim: string;
  /** Rings in which the mistake shows sooner; any ring when left out. */
  rings?: RingChoice;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: "accept a stale epoch",
    file: "token-ring.js",
    text: "if (epoch < s.epoch || (epoch === s.epoch &&",
    replacement: "if ((epoch === s.epoch &&",
    within: 10,
    claim: "token-order",
  },
  {
    name: "regenerate without a probe",
    file: "active-monitor.js",
    text: "else if (!overtaken(io, s)) probe(io, s);",
    replacement: "else if (!overtaken(io, s)) purge(io, s);",
    within: 10,
    claim: "needless-token",
  },
  {
    name: "forget to pass on after an exit",
    file: "token-ring.js",
    text: "if (t.epoch === s.epoch) pass(io, s);",
    replacement: "if (t.epoch === s.epoch) t.held = false;",
    within: 10,
    claim: "needless-token",
  },
  {
    name: "answer OK to a higher id",
    file: "bully.js",
    text: "if (f.src > s.id) {",
    replacement: "if (f.src === s.id) {",
    within: 150,
    claim: "bully-rules",
  },
  {
    name: "skip the purge",
    file: "active-monitor.js",
    text: 'io.record(s, "lost", s.epoch, expired ? "lease" : "probe");\n  purge(io, s);',
    replacement:
      'io.record(s, "lost", s.epoch, expired ? "lease" : "probe");\n  m.purging = nextEpoch(s);\n  raiseEpoch(s, m.purging);\n  purged(io, s, false);',
    within: 10,
    claim: "liveness",
  },
  {
    name: "ignore the monitor flag",
    file: "adapter.js",
    text: "if (frame.flags & SEEN) {",
    replacement: "if (frame.flags < 0) {",
    within: 2000,
    claim: "liveness",
  },
  {
    name: "compare epochs by not equal",
    file: "epoch.js",
    text: "if (epoch <= s.epoch) return;",
    replacement: "if (epoch === s.epoch) return;",
    within: 900,
    claim: "token-order",
  },
];
