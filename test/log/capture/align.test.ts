import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "../../../src/log/capture/align.ts";

const letters = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
const unique = fc.uniqueArray(fc.nat({ max: 1000 }).map(String), { maxLength: 40 });

/** Takes some places out of a list. */
const without = (list: string[], gone: number[]) => list.filter((_, i) => !gone.includes(i));

describe("pairing two lists of lines", () => {
  it("pairs equal lines only, and keeps the order of both", () => {
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        let before: [number, number] = [-1, -1];
        for (const [i, j] of align(a, b)) {
          expect(a[i]).toBe(b[j]);
          expect(i).toBeGreaterThan(before[0]);
          expect(j).toBeGreaterThan(before[1]);
          before = [i, j];
        }
      }),
    );
  });

  it("pairs a list with itself, line by line, also where lines come again", () => {
    fc.assert(
      fc.property(letters, (a) => {
        expect(align(a, a)).toEqual(a.map((_, i) => [i, i]));
      }),
    );
  });

  it("pairs all lines, also those that come again, when others came in between", () => {
    fc.assert(
      fc.property(letters, fc.array(fc.nat({ max: 29 })), (whole, added) => {
        const captured: string[] = [...whole];
        for (const place of added) captured.splice(place, 0, "x");
        expect(align(whole, captured)).toHaveLength(whole.length);
      }),
    );
  });

  it("finds all that is left when lines that are there once were lost, or others came in between", () => {
    fc.assert(
      fc.property(
        unique,
        fc.array(fc.nat({ max: 39 })),
        fc.array(fc.nat({ max: 39 })),
        (whole, gone, added) => {
          const captured = without(whole, gone);
          const kept = captured.length;
          for (const place of added) captured.splice(place, 0, `x${place}`);
          expect(align(whole, captured)).toHaveLength(kept);
        },
      ),
    );
  });

  it("is quick with tens of thousands of lines", () => {
    const whole = Array.from({ length: 50_000 }, (_, i) => `$TOK,${i}`);
    expect(align(whole, whole.slice(1000))).toHaveLength(49_000);
  });
});
