import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Hash } from "../../src/check/exhaustive/hash.ts";
import { StateTable } from "../../src/check/exhaustive/state-table.ts";

const uint32 = fc.nat(0xffffffff);

describe("the table of states", () => {
  test("gives each key one number, in the order of discovery, as a map does", () => {
    // Few different halves, so that keys share one half and meet in one place of the table.
    const half = fc.oneof(fc.nat(3), fc.constantFrom(0x80000000, 0xffffffff), uint32);
    fc.assert(
      fc.property(fc.array(fc.tuple(half, half), { maxLength: 200 }), (keys) => {
        const table = new StateTable(2);
        const map = new Map<string, number>();
        keys.forEach(([high, low], i) => {
          const known = map.get(`${high},${low}`);
          expect(table.find(high, low, i, i + 1)).toBe(known ?? -1 - map.size);
          if (known !== undefined) return;
          expect([table.parent[map.size], table.step[map.size]]).toEqual([i, i + 1]);
          map.set(`${high},${low}`, map.size);
        });
        expect(table.length).toBe(map.size);
      }),
    );
  });

  test("keeps what it knows while it grows, also where all keys belong in one place", () => {
    const table = new StateTable(2);
    for (let i = 0; i < 500; i++) expect(table.find(i, 0x10000000, i - 1, 7)).toBe(-1 - i);
    for (let i = 0; i < 500; i++) {
      expect(table.find(i, 0x10000000, 99, 99)).toBe(i);
      expect([table.parent[i], table.step[i]]).toEqual([i - 1, 7]);
    }
    expect(table.length).toBe(500);
  });
});

describe("the hash", () => {
  const hashOf = (values: readonly number[]) => {
    const hash = new Hash();
    for (const value of values) hash.add(value);
    hash.finish();
    return hash;
  };

  test("has two halves of 32 bits without a sign", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (values) => {
        const { high, low } = hashOf(values);
        expect([high >>> 0, low >>> 0]).toEqual([high, low]);
      }),
    );
  });

  test("tells short lists of small numbers apart, and their order", () => {
    const seen = new Set<string>();
    const halves = new Set<number>();
    let lists = 0;
    for (let a = -12; a < 52; a++)
      for (let b = -12; b < 52; b++)
        for (let c = -12; c < 52; c++) {
          const { high, low } = hashOf([a, b, c]);
          seen.add(`${high},${low}`);
          halves.add(low);
          lists++;
        }
    for (let length = 4; length < 54; length++)
      seen.add(Object.values(hashOf(new Array(length).fill(0))).join());
    expect(seen.size).toBe(lists + 50);
    // Of so many random numbers of 32 bits, 8 are expected to meet another.
    expect(lists - halves.size).toBeLessThan(40);
  });
});
