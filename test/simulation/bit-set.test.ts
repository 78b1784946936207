import fc from "fast-check";
import { expect, test } from "vitest";
import { BitSet } from "../../src/simulation/bit-set.ts";

test("a set of numbers finds the next and the previous member, whatever its size", () => {
  const sets = fc.integer({ min: 1, max: 40_000 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      full: fc.boolean(),
      switched: fc.array(fc.nat(size - 1), { maxLength: 40 }),
      asked: fc.array(fc.nat(size - 1), { minLength: 1, maxLength: 10 }),
    }),
  );
  fc.assert(
    fc.property(sets, ({ size, full, switched, asked }) => {
      const set = new BitSet(size, full);
      const members = new Set(full ? Array.from({ length: size }, (_, n) => n) : []);
      for (const n of switched) {
        if (members.delete(n)) set.remove(n);
        else {
          members.add(n);
          set.add(n);
        }
      }
      const sorted = [...members].sort((a, b) => a - b);
      for (const n of [...asked, ...switched]) {
        expect(set.atOrAfter(n)).toBe(sorted.find((member) => member >= n) ?? -1);
        expect(set.atOrBefore(n)).toBe(sorted.findLast((member) => member <= n) ?? -1);
      }
      expect(set.atOrAfter(size)).toBe(-1);
    }),
    { numRuns: 200 },
  );
});
