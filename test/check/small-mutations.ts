/**
 * Mistakes that a firmware could have, each with a small ring whose exhaustive search shows it.
 *
 * These are not shown by any small ring with crashes, restarts and losses:
 * - "accept a stale epoch", "a purge ignores who is inside" and "pass a purge on without its epoch": a purge starts only when
 *   a probe has shown that no token is left, and links are first-in first-out, so there is no older token or entry to meet.
 *   It takes a doubled frame, a lease, or a station that is cut off and comes back with its memory, which the model has not.
 * - "skip the purge": for the same reason nothing goes wrong but the time that it takes, and the model has no time.
 * - "answer OK to a higher id": no station sends ELECTION to a lower id; it takes a frame from outside.
 * - "compare epochs by not equal": none of the small rings that were tried has shown it.
 */
import type { ExhaustiveCase } from "../../src/check/exhaustive/cases.ts";
import type { Budget } from "../../src/check/exhaustive/node.ts";
import { type Mistake, MUTATIONS } from "./mutations.ts";

export interface SmallMutation {
  mistake: Mistake;
  /** The small ring that shows it. */
  small: ExhaustiveCase;
  /** In the words of the violation. */
  words: string;
}

const NOTHING: Budget = { crashes: 0, restarts: 0, losses: 0, requests: 0 };

function ring(
  stations: number,
  election: string,
  start: ExhaustiveCase["start"],
  budget: Partial<Budget>,
): ExhaustiveCase {
  return { stations, election, start, budget: { ...NOTHING, ...budget } };
}

function mutation(name: string): Mistake {
  const found = MUTATIONS.find((m) => m.name === name);
  if (!found) throw new Error(`no mutation is called ${name}`);
  return found;
}

export const SMALL_MUTATIONS: readonly SmallMutation[] = [
  {
    mistake: mutation("regenerate without a probe"),
    small: ring(2, "bully", "formed", {}),
    words: "purges a token that is there",
  },
  {
    mistake: mutation("forget to pass on after an exit"),
    small: ring(2, "bully", "formed", { requests: 1 }),
    words: "ends at",
  },
  {
    // A frame between two dead stations.
    mistake: mutation("ignore the monitor flag"),
    small: ring(3, "bully", "formed", { crashes: 2 }),
    words: "never comes to rest",
  },
  {
    // The monitor was away and asks again.
    mistake: {
      name: "accept an earlier probe",
      file: "lost-token.js",
      text: "!m.probing || number !== m.probe) return",
      replacement: "!m.probing) return",
    },
    small: ring(2, "bully", "formed", { crashes: 1, restarts: 1 }),
    words: "gives a token up for lost that is there",
  },
  {
    mistake: {
      name: "give the numbers of before a restart again",
      file: "active-monitor.js",
      text: "  if (!m.probe) m.probe = m.announced = (s.bootId * 97) % 10007;\n",
      replacement: "",
    },
    small: ring(2, "bully", "formed", { crashes: 1, restarts: 1, losses: 1 }),
    words: "gives a token up for lost that is there",
  },
  {
    mistake: {
      name: "let the id of a dead candidate go round",
      file: "chang-roberts.js",
      text: "election <= c.passedIn",
      replacement: "election === c.passedIn",
      also: {
        text: "id > c.passed || (id === c.passed && election > c.passedIn)",
        replacement: "id > c.passed",
      },
    },
    small: ring(2, "chang-roberts", "cold", { crashes: 1, losses: 1 }),
    words: "never comes to rest",
  },
];
