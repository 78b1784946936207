import { describe, expect, test } from "vitest";
import { mutantOf } from "./mutant.ts";
import { MUTATIONS, type Mutation } from "./mutations.ts";

/** The same search as that of `ringlab check`, on another firmware. */
async function firstViolation(mutation: Mutation) {
  const { trialOf, runTrial, traceOf } = await mutantOf(mutation);
  for (let n = 0; n <= mutation.within; n++) {
    const seed = n || mutation.seed;
    const { violation, records } = runTrial(trialOf(seed));
    if (violation) return { seed, violation, trace: traceOf(records, violation) };
  }
  return null;
}

describe("the fault search catches a firmware that would", () => {
  test.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
    "%s",
    async (_name, mutation) => {
      const found = await firstViolation(mutation);
      expect(found).not.toBeNull();
      expect(mutation.claims).toContain(found?.violation.claim);
      expect(found?.trace.length).toBeLessThan(30);
      expect(found?.trace.length).toBeGreaterThan(2);
    },
    120_000,
  );

  test("and the same search finds nothing in the firmware as it is", async () => {
    const none = MUTATIONS[0] as Mutation;
    const { trialOf, runTrial } = await mutantOf({ ...none, replacement: none.text });
    for (const { seed } of MUTATIONS) expect(runTrial(trialOf(seed)).violation).toBeNull();
    for (let seed = 1; seed <= 40; seed++) expect(runTrial(trialOf(seed)).violation).toBeNull();
  });
});
