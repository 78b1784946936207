import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Mau } from "../../src/simulation/mau.ts";

/** The next position after `from` that `fits`, once round; `from` itself where there is none. */
function nextBy(size: number, from: number, fits: (position: number) => boolean): number {
  for (let k = 1; k < size; k++) if (fits((from + k) % size)) return (from + k) % size;
  return from;
}

describe("the MAU", () => {
  test("closes the ring past a bypassed station, and through it again once inserted", () => {
    const mau = new Mau(4);
    expect(mau.successor(3)).toBe(0);
    expect(mau.bypass(0)).toBe(true);
    expect(mau.bypass(0)).toBe(false);
    expect(mau.successor(3)).toBe(1);
    expect(mau.predecessor(1)).toBe(3);
    expect(mau.insert(0)).toBe(true);
    expect(mau.insert(0)).toBe(false);
    expect(mau.successor(3)).toBe(0);
  });

  test("makes a station that is alone its own successor", () => {
    const mau = new Mau(3);
    mau.bypass(0);
    mau.bypass(1);
    expect([mau.successor(2), mau.predecessor(2), mau.count]).toEqual([2, 2, 1]);
    expect(new Mau(1).successor(0)).toBe(0);
  });

  test("always names the next inserted station of the same group", () => {
    const size = fc.integer({ min: 1, max: 9 });
    const rings = size.chain((n) =>
      fc.record({
        n: fc.constant(n),
        switched: fc.array(fc.nat(n - 1)),
        groups: fc.option(fc.array(fc.nat(2), { minLength: n, maxLength: n })),
      }),
    );
    fc.assert(
      fc.property(rings, fc.boolean(), ({ n, switched, groups }, heal) => {
        const mau = new Mau(n);
        const inserted = new Array<boolean>(n).fill(true);
        if (groups) mau.partition(groups);
        for (const position of switched) {
          if (inserted[position]) mau.bypass(position);
          else mau.insert(position);
          inserted[position] = !inserted[position];
        }
        if (heal) mau.heal();
        expect(mau.count).toBe(inserted.filter(Boolean).length);
        for (let i = 0; i < n; i++) {
          const sameGroup = (p: number) => heal || !groups || groups[p] === groups[i];
          expect(mau.isInserted(i)).toBe(inserted[i]);
          expect(mau.successor(i)).toBe(nextBy(n, i, (p) => Boolean(inserted[p]) && sameGroup(p)));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
