/** Mutual exclusion under the fault search: rings and scripts from a seed, watched by the observer of every run. */
import { describe, expect, test } from "vitest";
import { mutexNames } from "../../src/protocols/registry.ts";
import { trialOf } from "../../src/simulation/search/random-trial.ts";
import { runTrial, type Trial } from "../../src/simulation/search/trial.ts";

/** What does no harm to an algorithm that rests on every station being there: nothing is lost, nobody stops. */
const HARMLESS = new Set(["request", "slow", "delay", "drift", "jump", "calm"]);

function harmless(trial: Trial): Trial {
  const script = trial.script.filter((line) => HARMLESS.has(line.split(" ")[1] ?? ""));
  // Nobody is dead, so `calm` leaves nobody out.
  const lines = script.map((line) => (line.includes(" calm") ? line.split(" ").slice(0, 2).join(" ") : line));
  return { ...trial, script: lines };
}

test("the centralised lock survives every fault of the search: crash, restart, hang, partition, loss, noise", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { violation } = runTrial(trialOf(seed, { mutex: "centralised" }));
    expect({ seed, violation }).toEqual({ seed, violation: null });
  }
}, 120_000);

describe.each(mutexNames())("%s on slow links, with clocks that drift and jump", (mutex) => {
  test("is exclusive, with growing fences, and serves everyone", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const { violation } = runTrial(harmless(trialOf(seed, { mutex })));
      // Nothing bounds how often the majority vote is tried, so it may still try when the search ends.
      const expected = mutex === "decentralised" && violation?.claim === "liveness" ? violation : null;
      expect({ seed, violation }).toEqual({ seed, violation: expected });
    }
  }, 60_000);
});
