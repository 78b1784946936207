/** Who heard whom tells how boards are wired: TX of each on RX of the next, one ring of all. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Heard, orderOf } from "../../../src/host/ring/wire-order.ts";

/** Stations wired in this order: each hears the one before. */
const wired = (order: readonly number[]): Heard[] =>
  order.map((id, i) => ({
    id,
    hears: [order[(i + order.length - 1) % order.length] as number],
    junk: false,
  }));

const hears = (...pairs: [id: number, hears: number[], junk?: boolean][]): Heard[] =>
  pairs.map(([id, list, junk = false]) => ({ id, hears: list, junk }));

const orders = fc.uniqueArray(fc.integer({ min: 0, max: 250 }), { minLength: 1, maxLength: 12 });

describe("a ring that is whole", () => {
  test("its order is found however the ports were named, from the lowest id", () => {
    fc.assert(
      fc.property(orders, fc.infiniteStream(fc.nat()), (order, keys) => {
        const shuffled = wired(order)
          .map((station) => ({ station, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ station }) => station);
        const { order: found, problems } = orderOf(shuffled);
        expect(problems).toEqual([]);
        const start = order.indexOf(Math.min(...order));
        expect(found).toEqual([...order.slice(start), ...order.slice(0, start)]);
      }),
    );
  });

  test("line noise beside a good HEL is no fault of the wiring", () => {
    expect(orderOf(hears([1, [2], true], [2, [1]])).order).toEqual([1, 2]);
  });

  test("no stations: no order and nothing wrong", () => {
    expect(orderOf([])).toEqual({ order: [], problems: [] });
  });
});

describe("what is wrong is said in words, with what to try", () => {
  test.each([
    [
      "a line that nobody heard",
      hears([1, [3]], [2, [1]], [3, []]),
      "station 3 hears nobody: is TX of 2 on its RX?",
    ],
    [
      "two lines that nobody heard",
      hears([1, [3]], [2, []], [3, []]),
      "station 2 hears nobody: is TX of 1 on its RX?",
    ],
    [
      "a TX on its own RX",
      hears([1, [3]], [2, [2]], [3, [1]]),
      "station 2 hears itself: its TX leads to its own RX, lead it to the next station's",
    ],
    [
      "two TX on one RX",
      hears([1, [2, 3]], [2, [1]], [3, []]),
      "station 1 hears 2 and 3: only one TX may lead to its RX",
    ],
    [
      "one TX on two RX",
      hears([1, [3]], [2, [1]], [3, [1]]),
      "station 1 is heard by 2 and 3: lead its TX to the RX of one of them only",
    ],
    [
      "a wrong baud rate",
      hears([1, [3]], [2, [1]], [3, [], true]),
      "station 3 hears bytes but no frame: has station 2 the same baud rate, and is ground joined to ground?",
    ],
    [
      "a board that was not named",
      hears([1, [9]], [2, [1]]),
      "station 1 hears station 9, which is none of the ports given: add its port",
    ],
    [
      "two small rings",
      [...wired([1, 2, 3]), ...wired([4, 5, 6])],
      "2 rings: 1 → 2 → 3 → and 4 → 5 → 6 →: swap the wires at the RX of 1 and 4 to join them",
    ],
    [
      "a crossed pair",
      [...wired([1, 2]), ...wired([3, 4, 5])],
      "stations 1 and 2 hear only each other: a crossed pair",
    ],
  ])("%s", (_, heard, words) => {
    const { order, problems } = orderOf(heard);
    expect(order).toBeNull();
    expect(problems).toContain(words);
  });

  test("swapping the wires as the words say joins two rings to one", () => {
    const heard = [...wired([1, 2, 3]), ...wired([4, 5])];
    const [one, four] = [heard[0], heard[3]] as [Heard, Heard];
    const joined = [
      { ...one, hears: four.hears },
      { ...four, hears: one.hears },
      ...heard.filter((h) => h !== one && h !== four),
    ];
    expect(orderOf(joined).order).toEqual([1, 2, 3, 4, 5]);
  });

  test("one wire less always names the station that hears nobody", () => {
    fc.assert(
      fc.property(orders, fc.nat(), (order, at) => {
        fc.pre(order.length > 1);
        const heard = wired(order);
        const deaf = heard[at % order.length] as Heard;
        const before = deaf.hears[0];
        const { order: found, problems } = orderOf(heard.map((h) => (h === deaf ? { ...h, hears: [] } : h)));
        expect(found).toBeNull();
        expect(problems).toEqual([`station ${deaf.id} hears nobody: is TX of ${before} on its RX?`]);
      }),
    );
  });
});
