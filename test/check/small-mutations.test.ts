import { describe, expect, test } from "vitest";
import { explore } from "../../src/check/exhaustive/explore.ts";
import { exploreOptions } from "../../src/host/search/small-ring.ts";
import { mutantOf } from "./mutant.ts";
import { SMALL_MUTATIONS } from "./small-mutations.ts";

describe("the exhaustive search catches a firmware that would", () => {
  test.each(SMALL_MUTATIONS.map((mutation) => [mutation.mistake.name, mutation] as const))(
    "%s",
    async (_name, { mistake, small, words }) => {
      const mutant = await mutantOf(mistake);
      const { violation } = mutant.explore(mutant.exploreOptions(small));
      expect(violation?.text).toContain(words);
      expect(violation?.trace.length).toBeLessThan(30);
      expect(violation?.trace.length).toBeGreaterThan(0);
    },
  );

  test("and the same rings show nothing in the firmware as it is", () => {
    for (const { small } of SMALL_MUTATIONS)
      expect(explore(exploreOptions(small))).toMatchObject({ complete: true, violation: null });
  });
});
