/** Mistakes that a firmware could have, each as one replacement of its text. */

export interface Mistake {
  name: string;
  /** In firmware/. */
  file: string;
  /** Stands in the file exactly once. */
  text: string;
  replacement: string;
  /** A second place of the same file, where the mistake has two. */
  also?: { text: string; replacement: string };
}

export interface Mutation extends Mistake {
  /** A seed from 1 to this one shows a violation. */
  within: number;
  /** The first that does, of the trials as they are drawn now: tried first, to save time. */
  seed: number;
  /** Claims that the mistake breaks. */
  claims: string[];
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: "accept a stale epoch",
    file: "token-ring.js",
    text: "if (epoch < s.epoch || (epoch === s.epoch &&",
    replacement: "if ((epoch === s.epoch &&",
    within: 200,
    seed: 9,
    claims: ["token-order"],
  },
  {
    name: "regenerate without a probe",
    file: "lost-token.js",
    text: "else if (!overtaken(io, s)) probe(io, s);",
    replacement: "else if (!overtaken(io, s)) purge(io, s);",
    within: 100,
    seed: 5,
    claims: ["needless-token", "bound"],
  },
  {
    name: "forget to pass on after an exit",
    file: "token-ring.js",
    text: "if (t.epoch === s.epoch) pass(io, s);",
    replacement: "if (t.epoch === s.epoch) t.held = false;",
    within: 100,
    seed: 1,
    claims: ["needless-token", "bound", "liveness"],
  },
  {
    name: "answer OK to a higher id",
    file: "bully.js",
    text: "if (f.src > s.id) {",
    replacement: "if (f.src === s.id) {",
    within: 1000,
    seed: 148,
    claims: ["asked-ids"],
  },
  {
    // Everything else that a purge does is left out as well, such as the note of whose epoch it is. With that note the
    // mistake stays unseen: the probe before has shown already that no token is left, and fences guard what is inside.
    name: "skip the purge",
    file: "purge.js",
    text: "  m.dutyEpoch = m.purging;\n  raiseEpoch(s, m.purging);\n",
    replacement: "  raiseEpoch(s, m.purging);\n  return purged(io, s, false);\n",
    within: 100,
    seed: 4,
    claims: ["liveness", "bound"],
  },
  {
    name: "ignore the monitor flag",
    file: "adapter.js",
    text: "if (frame.flags & SEEN) {",
    replacement: "if (frame.flags < 0) {",
    within: 2000,
    seed: 1724,
    claims: ["liveness"],
  },
  {
    name: "compare epochs by not equal",
    file: "epoch.js",
    text: "if (epoch <= s.epoch) return;",
    replacement: "if (epoch === s.epoch) return;",
    within: 2000,
    seed: 877,
    claims: ["token-order", "bound"],
  },
  {
    name: "ask before the station has joined",
    file: "critical-section.js",
    text: "if (s.joined) ask(io, s);",
    replacement: "if (s.id >= 0) ask(io, s);",
    within: 400,
    seed: 1,
    claims: ["liveness", "exclusion"],
  },
];
