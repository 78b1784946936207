import { describe, expect, test } from "vitest";
import { ELECTIONS, MUTEXES } from "../../firmware/protocols.js";
import { outcomeOf } from "../../src/host/search/outcome.ts";
import { search } from "../../src/host/search/search.ts";
import { Totals } from "../../src/host/search/totals.ts";
import { faultsOf } from "../../src/simulation/link-faults-of.ts";
import { DEFAULT_PLAN } from "../../src/simulation/plan.ts";
import { trialOf } from "../../src/simulation/search/random-trial.ts";
import { shrink } from "../../src/simulation/search/shrink.ts";
import { traceOf } from "../../src/simulation/search/trace.ts";
import { runTrial, type Trial } from "../../src/simulation/search/trial.ts";
import { json, ringlab } from "../cli/ringlab.ts";
import { mutantOf } from "./mutant.ts";
import { MUTATIONS, type Mutation } from "./mutations.ts";

const seeds = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** The records of a trial as text. */
function recordsOf(trial: Trial): string {
  const { records } = runTrial(trial);
  return seeds(records.length)
    .map((n) => JSON.stringify(records.get(n - 1)))
    .join("\n");
}

test("every claim holds in the first few dozen trials, and each ring recovers within its bound", () => {
  const totals = new Totals();
  for (const seed of seeds(48)) totals.add(outcomeOf(seed));
  expect(totals.failed).toEqual([]);
  expect(totals.runs).toBe(48);
  // Rings that nothing happens to would show nothing.
  expect(Object.keys(totals.faults).length).toBeGreaterThan(12);
  expect(totals.nearest.recoveryMs).toBeGreaterThan(0);
  expect(totals.nearest.recoveryMs).toBeLessThanOrEqual(totals.nearest.boundMs);
});

test("a seed makes the same trial, and the trial the same records, every time", () => {
  for (const seed of [3, 11, 24]) {
    expect(trialOf(seed)).toEqual(trialOf(seed));
    expect(recordsOf(trialOf(seed))).toBe(recordsOf(trialOf(seed)));
  }
  expect(trialOf(4)).not.toEqual(trialOf(3));
});

test("processes side by side add up to what one after the other does", async () => {
  const alone = new Totals();
  for (const seed of seeds(20)) alone.add(outcomeOf(seed + 99));
  const together = await search({ seed: 100, runs: 20, processes: 3 });
  expect(together).toEqual(alone);
});

test("every mutual exclusion and every election, on both wirings, serves who asks at any time from power-up", () => {
  const draws = MUTEXES.flatMap(({ name: mutex }) =>
    ELECTIONS.flatMap(({ name: election }) => [
      { mutex, election, wiring: "hub" as const },
      { mutex, election, wiring: "wired" as const },
    ]),
  );
  expect(draws).toHaveLength(54);
  for (const [i, choice] of draws.entries()) {
    for (const seed of [1, 2, 3]) {
      const trial = trialOf(100 * i + seed, choice);
      expect(trial.plan).toMatchObject(choice);
      expect(
        outcomeOf(100 * i + seed, choice),
        `seed ${100 * i + seed} of ${JSON.stringify(choice)}`,
      ).toMatchObject({
        claim: "",
      });
    }
  }
});

test("a search that is stopped gives what there is so far", async () => {
  const stop = new AbortController();
  const runs = 1_000_000;
  const totals = await search({ seed: 1, runs, signal: stop.signal, onProgress: () => stop.abort() });
  expect(totals.runs).toBeGreaterThan(0);
  expect(totals.runs).toBeLessThan(runs);
});

test("what ends a fault is not counted as one", () => {
  const plan = { ...trialOf(1).plan, ids: [1, 2, 3], wiring: "hub" as const };
  const script = [
    "1s crash 2",
    "1.1s restart 2",
    "1.2s restart 3",
    "1.3s slow 1 4",
    "1.4s slow 1 1",
    "2s calm",
  ];
  const { records } = runTrial({ fault: "several faults", plan, script });
  expect(faultsOf(records)).toEqual({ crash: 1, restart: 1, slow: 1 });
});

describe("a trial that shows a violation", () => {
  test("shrinks to a script in which no line and no station can be left out", async () => {
    const mutation = MUTATIONS.find(({ name }) => name === "answer OK to a higher id") as Mutation;
    const mutant = await mutantOf(mutation);
    const order = [mutation.seed, ...seeds(mutation.within)];
    const seed = order.find((s) => mutant.runTrial(mutant.trialOf(s)).violation) as number;
    const trial = mutant.trialOf(seed);
    const claim = mutant.runTrial(trial).violation?.claim as string;
    const small = mutant.shrink(trial, claim);
    expect(mutant.runTrial(small).violation?.claim).toBe(claim);
    // A frame from a higher id, and the end of the faults.
    expect(small.script).toHaveLength(2);
    expect(small.script[0]).toContain("inject");
    expect(small.plan.ids).toHaveLength(2);
    expect(small.plan).toMatchObject({ boardMicros: 2100, hostMicros: 230 });
    expect(mutant.shrink(small, claim)).toEqual(small);
  });

  test("is left as it is when the claim that it breaks is another", () => {
    const trial = trialOf(7);
    expect(shrink(trial, "exclusion")).toBe(trial);
  });

  test("has a trace that ends with the record that shows it, the last faults before it", () => {
    const { records } = runTrial(trialOf(24));
    const record = records.length - 1;
    const lines = traceOf(records, { claim: "liveness", text: "", record, t: records.t[record] as number });
    expect(lines.length).toBeLessThan(30);
    expect(lines.join("\n")).toContain("fault: ");
  });
});

test("of two equal frames the one that is lost is the one that was sent last", () => {
  const plan = {
    ...DEFAULT_PLAN,
    ids: [6, 2, 3, 4, 5, 1],
    wiring: "wired" as const,
    boardMicros: 1790,
    hostMicros: 42,
    criticalMs: 417,
    seed: 3428,
  };
  const script = ["548862us duplicate 6,3 15", "3999340us noise all 55 5409274us", "7075662us calm"];
  expect(runTrial({ fault: "several faults", plan, script }).violation).toBeNull();
});

test("a doubled frame breaks no claim where nobody recorded what was sent", async () => {
  expect(await json("run", "--duration", "4s", "--at", "3s duplicate 2")).toMatchObject({ violations: 0 });
});

describe("ringlab run", () => {
  test("keeps a request that is made before the ring has formed", async () => {
    for (const { name } of MUTEXES) {
      const asks = ["5ms request 1", "1200ms request 3", "5s request 2"].flatMap((line) => ["--at", line]);
      const run = await json("run", "--stations", "3", "--mutex", name, ...asks, "--duration", "60s");
      expect(run, name).toMatchObject({ entries: 3, violations: 0 });
    }
  });

  test.each([
    ["in time", "30s", "service does not hold at 2"],
    ["yet, but may still be", "9s", ""],
  ])("says of a request that it is not served %s", async (_name, duration, words) => {
    const at = ["3s request 2", "3500ms crash 2", "4s request 1"].flatMap((line) => ["--at", line]);
    const run = await ringlab(
      "run",
      "--mutex",
      "suzuki-kasami",
      "--critical",
      "1s",
      ...at,
      "--duration",
      duration,
    );
    expect(run.code).toBe(words ? 1 : 0);
    expect(run.stderr).toContain(words);
    if (words)
      expect(run.stderr).toMatch(/station 1 has asked since 4.000000 s and was not served within \d+ ms/);
    else expect(run.stderr).not.toContain("does not hold");
  });

  test("prints within what a request is served, and mutex how long one waited", async () => {
    const { stdout } = await ringlab("run", "--duration", "1s");
    expect(stdout).toMatch(
      /^ {2}request served +406 {2}from the request, or the end of a recovery: 2 stations x critical \+ /m,
    );
    const { waitedMs, limitMs } = await json("mutex", "--stations", "9");
    expect(waitedMs).toBeGreaterThan(0);
    expect(waitedMs).toBeLessThan(limitMs as number);
  });
});

describe("ringlab check", () => {
  test("repeats a seed with what was chosen for it", async () => {
    const choice = ["--mutex", "maekawa", "--wiring", "wired", "--election", "ring", "--stations", "5"];
    const found = await json("check", "--runs", "3", "--seed", "7", "--exhaustive", "0", ...choice);
    expect(found).toMatchObject({ runs: 3, violations: 0 });
    expect(await json("check", "--only", "7", ...choice)).toMatchObject({ runs: 1, violations: 0 });
    const wrong = await ringlab("check", "--mutex", "nobody");
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("--mutex must be one of token-ring, "),
    ]);
  });

  test("says how many runs, violations and faults there were, and how long recovery took", async () => {
    const result = await json("check", "--runs", "16", "--seed", "1", "--exhaustive", "0");
    expect(result).toMatchObject({ runs: 16, violations: 0, seed: 1 });
    expect(Object.keys(result)).toEqual([
      "runs",
      "violations",
      "failed",
      "faults",
      "recoveryMs",
      "seed",
      "exhaustive",
    ]);
    const { p50, p99, max, bound } = result.recoveryMs as { [name: string]: number };
    expect(p50).toBeLessThanOrEqual(p99 as number);
    expect(p99).toBeLessThanOrEqual(max as number);
    expect(max).toBeLessThanOrEqual(bound as number);
  });

  test("runs one seed alone", async () => {
    expect(await json("check", "--only", "6")).toMatchObject({ runs: 1, violations: 0, seed: 6 });
  });
});
