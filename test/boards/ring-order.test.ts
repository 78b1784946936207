import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { successorsOf } from "../../src/bench-file/ring-order.ts";

function say(successors: readonly (readonly [number, number?])[]): string {
  const found = successorsOf(successors.map(([id, successor]) => ({ id, successor })));
  return Array.isArray(found) ? found.join() : `${found.path}: ${found.message}`;
}

describe("successors", () => {
  test("without any named, the list is the ring", () => {
    expect(say([[5], [2], [9]])).toBe("2,9,5");
    expect(say([[5]])).toBe("5");
    expect(say([[5, 5]])).toBe("5");
  });

  test.each<[string, [number, number?][], string]>([
    [
      "some named",
      [[1, 2], [2], [3, 1]],
      "stations[1]: stations[1] (id 2) has no successor but stations[0] (id 1) has: give one to every station or to none",
    ],
    [
      "not there",
      [
        [1, 2],
        [2, 9],
      ],
      "stations[1].successor: stations[1] (id 2) has successor 9, but no station has that id: there are 1, 2",
    ],
    [
      "named twice",
      [
        [1, 2],
        [2, 1],
        [3, 2],
      ],
      "stations[2].successor: stations[0] (id 1) and stations[2] (id 3) both have successor 2",
    ],
    [
      "two rings",
      [
        [1, 2],
        [2, 1],
        [3, 4],
        [4, 3],
      ],
      "stations[2].successor: successors form more than one ring: 1 -> 2 -> 1 from stations[0] (id 1) and 3 -> 4 -> 3 from stations[2] (id 3)",
    ],
    [
      "its own successor",
      [
        [1, 2],
        [2, 1],
        [3, 3],
      ],
      "stations[2].successor: successors form more than one ring: 1 -> 2 -> 1 from stations[0] (id 1) and 3 -> 3 from stations[2] (id 3)",
    ],
  ])("%s", (_, stations, message) => {
    expect(say(stations)).toBe(message);
  });

  test("long rings are clipped in the message", () => {
    const ring = Array.from({ length: 100 }, (_, id): [number, number] => [id, (id + 1) % 100]);
    const message = say([...ring, [200, 200]]);
    expect(message).toContain("0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... -> 0");
    expect(message.length).toBeLessThan(250);
  });

  test("are taken exactly when following them visits every station once and comes back", () => {
    const choice = fc.integer({ min: 1, max: 7 }).chain((n) =>
      fc.record({
        ids: fc.uniqueArray(fc.nat(250), { minLength: n, maxLength: n }),
        targets: fc.oneof(
          fc.array(fc.nat(n - 1), { minLength: n, maxLength: n }),
          fc.shuffledSubarray([...Array(n).keys()], { minLength: n, maxLength: n }),
        ),
      }),
    );
    let rings = 0;
    fc.assert(
      fc.property(choice, ({ ids, targets }) => {
        const seen = new Set<number>();
        let at = 0;
        for (let step = 0; step < ids.length; step++) {
          seen.add(at);
          at = targets[at] as number;
        }
        const isRing = seen.size === ids.length && at === 0;
        if (isRing) rings++;
        const found = successorsOf(
          ids.map((id, index) => ({ id, successor: ids[targets[index] as number] })),
        );
        expect(Array.isArray(found)).toBe(isRing);
        if (isRing) expect(found).toEqual(targets.map((target) => ids[target]));
      }),
      { numRuns: 2000 },
    );
    expect(rings).toBeGreaterThan(100);
  });
});
