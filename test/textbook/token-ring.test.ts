/** Token-ring mutual exclusion: Tanenbaum and Van Steen, "A token-ring algorithm". */
import { describe, expect, test } from "vitest";
import { consecutiveIds } from "../../src/simulation/plan.ts";
import { runMutex } from "../../src/textbook/run-mutex.ts";
import book from "../fixtures/textbook.json" with { type: "json" };

const { columns, rows } = book.mutualExclusion.perEntryUncontended;

function column(row: number[], name: string): number {
  return row[columns.indexOf(name)] as number;
}

describe("one entry by the token ring costs", () => {
  test.each(rows)("1 to N-1 hops for N = %i, by the token's place", (...row) => {
    const n = row[0] as number;
    const ids = consecutiveIds(n);
    const others = ids.slice(0, -1);
    const hops = others.map((tokenAt) => {
      const run = runMutex({ algorithm: "token-ring", ids, requests: [n], tokenAt });
      expect(run.textbook).toMatchObject({ total: run.messages.total, matches: true });
      expect(run.violations).toEqual([]);
      return run.hops;
    });
    expect(Math.min(...hops)).toBe(column(row, "token-ring-min"));
    expect(Math.max(...hops)).toBe(column(row, "token-ring-max"));
    expect(hops).toEqual(others.map((id) => n - id));
  });

  test("nothing when the token is there", () => {
    const run = runMutex({ algorithm: "token-ring", ids: [1, 2, 3], requests: [2], tokenAt: 2 });
    expect(run.messages).toEqual({ TOKEN: 0, total: 0 });
    expect(run.entryOrder).toEqual([2]);
  });
});

test("at full load the token ring takes about one hop an entry", () => {
  const ids = consecutiveIds(1000);
  const run = runMutex({ algorithm: "token-ring", ids, requests: ids });
  expect(run.entries).toHaveLength(1000);
  expect(run.hops / 1000).toBeCloseTo(1, 1);
  expect(run.violations).toEqual([]);
});

test("entries by the token ring follow the ring, not the order of asking", () => {
  const ids = [5, 9, 2, 7, 1];
  const run = runMutex({ algorithm: "token-ring", ids, requests: [1, 7, 9, 5], tokenAt: 2 });
  expect(run.entryOrder).toEqual([7, 1, 5, 9]);
});

test.each([
  [{ algorithm: "semaphore" }, /"semaphore" is no mutual exclusion: use one of token-ring/],
  [{ requests: [4] }, /station 4 is not in this ring: its ids are 1, 2, 3/],
  [{ tokenAt: 0 }, /station 0 is not in this ring/],
  [{ requests: [1, 2, 1] }, /station 1 asks twice/],
])("%j is refused", (change, message) => {
  const task = { algorithm: "token-ring", ids: [1, 2, 3], requests: [1], ...change };
  expect(() => runMutex(task)).toThrow(message);
});
