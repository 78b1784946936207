/**
 * Mutual exclusion: the tables of Tanenbaum and Van Steen, "Mutual exclusion", and of the papers that
 * src/textbook/algorithms.ts names, reproduced by counting the messages that stations sent.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quorumOf } from "../../firmware/mutex/maekawa.js";
import { consecutiveIds } from "../../src/simulation/plan.ts";
import { CONTENDED } from "../../src/textbook/contended-trace.ts";
import { countMessages, entriesOf, violationsOf } from "../../src/textbook/counts.ts";
import { heapDiameter, heapDistance } from "../../src/textbook/heap-tree.ts";
import { runMutex } from "../../src/textbook/run-mutex.ts";
import { runSimulated } from "../../src/textbook/simulated-ring.ts";
import trace from "../fixtures/contended-trace.json" with { type: "json" };
import book from "../fixtures/textbook.json" with { type: "json" };

const { perEntryUncontended, maekawaQuorums, contendedTrace } = book.mutualExclusion;

function one(algorithm: string, n: number, id = 1) {
  const run = runMutex({ algorithm, ids: consecutiveIds(n), requests: [id] });
  expect(run.entryOrder).toEqual([id]);
  expect(run.violations).toEqual([]);
  expect(run.textbook.matches).toBe(true);
  return run;
}

describe("one entry that nobody contends costs, in messages,", () => {
  const columns = [
    ["centralised", "centralised"],
    ["lamport", "lamport"],
    ["ricart-agrawala", "ricart-agrawala"],
    ["ricart-agrawala-implicit", "ricart-agrawala"],
    ["maekawa", "maekawa-grid"],
  ].map(([algorithm = "", column = ""]) => ({ algorithm, at: perEntryUncontended.columns.indexOf(column) }));
  const cases = perEntryUncontended.rows.flatMap((row) =>
    columns.map(({ algorithm, at }) => ({ algorithm, n: row[0] as number, messages: row[at] as number })),
  );

  test.each(cases)("$messages by $algorithm with $n stations", ({ algorithm, n, messages }) => {
    const run = one(algorithm, n);
    expect(run.messages.total).toBe(messages);
    expect(run.textbook.total).toBe(messages);
  });

  test.each(perEntryUncontended.rows)("0 or N by Suzuki and Kasami with %i stations", (n) => {
    expect(one("suzuki-kasami", n as number).messages).toEqual({ REQUEST: n! - 1, TOKEN: 1, total: n });
    // The highest station is the coordinator, so it has the token.
    expect(one("suzuki-kasami", n as number, n).messages).toEqual({ total: 0 });
  });

  test.each([1, 2, 3, 4, 9, 16, 25, 100])("twice the way in the tree by Raymond with %i stations", (n) => {
    const asked = n > 25 ? [1, 2, n / 2, n - 1, n] : consecutiveIds(n);
    const messages = asked.map((id) => one("raymond", n, id).messages.total);
    // From the highest station, which has the token, to the one that asks.
    expect(messages).toEqual(asked.map((id) => 2 * heapDistance(n - 1, id - 1)));
    expect(Math.max(...messages)).toBeLessThanOrEqual(2 * heapDiameter(n));
  });

  test("3 a coordinator asked by the majority vote, those at one's own station free", () => {
    expect(one("decentralised", 9, 9).messages).toEqual({ REQUEST: 5, GRANT: 5, RELEASE: 5, total: 15 });
    expect(one("decentralised", 9, 1).messages).toEqual({ REQUEST: 4, GRANT: 4, RELEASE: 4, total: 12 });
  });

  test("nothing by the centralised lock for the coordinator itself", () => {
    expect(one("centralised", 9, 9).messages).toEqual({ total: 0 });
  });
});

test("the diameter of the tree is its longest way", () => {
  for (let n = 1; n < 70; n++) {
    const places = consecutiveIds(n).map((id) => id - 1);
    const longest = Math.max(...places.flatMap((a) => places.map((b) => heapDistance(a, b))));
    expect([n, heapDiameter(n)]).toEqual([n, longest]);
  }
});

describe("a quorum of Maekawa", () => {
  test.each(maekawaQuorums)("of station $of in a grid of $stations", ({ stations, firstId, of, quorum }) => {
    const members = consecutiveIds(stations).map((id) => id - 1 + firstId);
    expect(quorumOf(members, of)).toEqual(quorum);
  });

  test("shares a station with every other, also where the grid has gaps", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(250), { minLength: 1, maxLength: 60 }), (ids) => {
        const members = ids.sort((a, b) => a - b);
        const quorums = members.map((id) => quorumOf(members, id));
        members.forEach((id, i) => {
          expect(quorums[i]).toContain(id);
          for (const other of quorums)
            expect(other.some((member) => quorums[i]?.includes(member))).toBe(true);
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe("the contended trace of eight stations", () => {
  const { columns, rows } = contendedTrace;
  const cases = rows.flatMap((row) =>
    columns.slice(4).map((algorithm, i) => ({
      algorithm,
      mean: String(row[0]),
      epochs: row[1],
      requests: row[2],
      mostContenders: row[3],
      messages: row[4 + i],
    })),
  );

  test("is the one that the program carries", () => {
    expect(CONTENDED).toEqual(trace);
    expect(cases).toHaveLength(12);
  });

  test.each(cases)("costs $messages by $algorithm with $mean contenders on average", (row) => {
    const batches = CONTENDED[row.mean] ?? [];
    expect(batches).toHaveLength(row.epochs as number);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(row.mostContenders);
    const run = runSimulated({ algorithm: row.algorithm, ids: consecutiveIds(8), batches });
    expect(run.unserved).toEqual([]);
    expect(countMessages(run.records).total).toBe(row.messages);
    const entries = entriesOf(run.records);
    expect(violationsOf(entries)).toEqual([]);
    expect(entries).toHaveLength(row.requests as number);
    // Real contention: every station of a batch asked before it had heard of another's request.
    run.batches.forEach((batch, k) => {
      const asked = entriesOf(run.records, batch);
      expect(asked.map(({ station }) => station).sort()).toEqual([...(batches[k] ?? [])].sort());
      expect(new Set(asked.map(({ requested }) => requested)).size).toBe(1);
    });
  });
});

describe("when stations ask at the same instant", () => {
  const cases = fc
    .record({
      algorithm: fc.constantFrom(
        "centralised",
        "decentralised",
        "lamport",
        "ricart-agrawala",
        "ricart-agrawala-implicit",
        "maekawa",
        "suzuki-kasami",
        "raymond",
        "token-ring",
      ),
      ids: fc.uniqueArray(fc.nat(250), { minLength: 1, maxLength: 12 }),
      mask: fc.integer({ min: 1, max: 4095 }),
      seed: fc.nat(),
    })
    .map(({ mask, ...rest }) => ({ ...rest, requests: rest.ids.filter((_, i) => mask & (1 << i)) }));

  test("each enters once, nobody beside another, for what the textbook says", () => {
    fc.assert(
      fc.property(cases, ({ requests, ...task }) => {
        const run = runMutex({ ...task, requests });
        expect(run.violations).toEqual([]);
        expect([...run.entryOrder].sort()).toEqual([...requests].sort());
        expect(run.textbook.matches, JSON.stringify([run.messages, run.textbook])).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
