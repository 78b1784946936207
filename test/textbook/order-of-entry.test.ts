/**
 * Who goes first: by (timestamp, id) with Lamport 1978 and Ricart and Agrawala 1981, round the ring with the token
 * ring, and the two orders that textbooks work out by hand.
 */
import { describe, expect, test } from "vitest";
import { request } from "../../firmware/station.js";
import type { RecordColumns } from "../../src/log/columns.ts";
import { EVENT_CODE } from "../../src/log/records.ts";
import { consecutiveIds } from "../../src/simulation/plan.ts";
import { ALGORITHMS } from "../../src/textbook/algorithms.ts";
import { countMessages, entriesOf } from "../../src/textbook/counts.ts";
import { runMutex } from "../../src/textbook/run-mutex.ts";
import { electedRing, serve, textbookPlan } from "../../src/textbook/simulated-ring.ts";
import book from "../fixtures/textbook.json" with { type: "json" };
import { runDisturbed } from "./disturbed-ring.ts";

/** Lets stations ask at the same instant, each with the timestamp that it is given. */
function runWithTimestamps(algorithm: string, stations: number, timestamps: { [id: string]: number }) {
  const ids = consecutiveIds(stations);
  const sim = electedRing(textbookPlan({ algorithm, ids }));
  const askers = Object.keys(timestamps).map(Number);
  for (const id of askers) {
    const { ricart, lamport } = sim.station(id);
    (ricart ?? lamport).clock = (timestamps[id] as number) - 1;
    request(sim, sim.station(id));
  }
  expect(serve(sim, askers, 0)).toEqual([]);
  return {
    order: entriesOf(sim.records).map(({ station }) => station),
    messages: countMessages(sim.records),
  };
}

describe("requests with timestamps are served by (timestamp, id)", () => {
  const [first, second] = book.mutualExclusion.ricartAgrawalaOrder as unknown as [
    {
      stations: number;
      requests: { [id: string]: number };
      entryOrder: number[];
      request: number;
      reply: number;
      total: number;
    },
    { stations: number; requests: { [id: string]: number }; entryOrder: number[]; perEntry: number },
  ];

  test("by Ricart and Agrawala: four stations at 3, 3, 5 and 4", () => {
    const { order, messages } = runWithTimestamps("ricart-agrawala", first.stations, first.requests);
    expect(order).toEqual(first.entryOrder);
    expect(messages).toEqual({ REQUEST: first.request, REPLY: first.reply, total: first.total });
  });

  test("by Ricart and Agrawala: three stations at 5, 3 and 7", () => {
    const { order, messages } = runWithTimestamps("ricart-agrawala", second.stations, second.requests);
    expect(order).toEqual(second.entryOrder);
    expect(messages.total).toBe(second.perEntry * second.stations);
  });

  test.each(["lamport", "ricart-agrawala-implicit"])("and by %s in the same orders", (algorithm) => {
    for (const { stations, requests, entryOrder } of [first, second]) {
      expect(runWithTimestamps(algorithm, stations, requests).order).toEqual(entryOrder);
    }
  });
});

describe("fairness:", () => {
  /** Timestamps of the requests, each once, in the order in which they were sent. */
  function requestsOf(records: RecordColumns): { station: number; stamp: number }[] {
    const found: { station: number; stamp: number }[] = [];
    for (let i = 0; i < records.length; i++) {
      if (records.event[i] !== EVENT_CODE.sent || records.value(i, 0) !== "REQUEST") continue;
      const one = { station: records.station[i] as number, stamp: Number(records.value(i, 2)) };
      if (!found.some(({ station, stamp }) => station === one.station && stamp === one.stamp))
        found.push(one);
    }
    return found;
  }

  const stamped = ["lamport", "ricart-agrawala", "ricart-agrawala-implicit"];

  test.each(stamped)("entries by %s follow (timestamp, id), whatever the delays", (algorithm) => {
    for (let seed = 1; seed <= 50; seed++) {
      const { entries, sim } = runDisturbed({ algorithm, ids: consecutiveIds(5), seed, times: 4, slow: 6 });
      const asked = requestsOf(sim.records).sort((a, b) => a.stamp - b.stamp || a.station - b.station);
      expect(asked.map(({ station }) => station)).toEqual(entries.map(({ station }) => station));
      // The timestamp and the id are the fence as well.
      expect(entries.map(({ epoch, grant }) => ({ station: grant, stamp: epoch }))).toEqual(asked);
    }
  });

  test("entries by the token ring follow the ring, whoever asked first", () => {
    const ids = [4, 8, 1, 6, 3, 7];
    for (const tokenAt of ids) {
      const run = runMutex({ algorithm: "token-ring", ids, requests: [3, 4, 7, 1, 8, 6], tokenAt });
      const at = ids.indexOf(tokenAt);
      expect(run.entryOrder).toEqual([...ids.slice(at), ...ids.slice(0, at)]);
    }
  });

  test("the table says so", () => {
    const orders = Object.fromEntries(ALGORITHMS.map(({ name, order }) => [name, order]));
    for (const name of stamped) expect(orders[name]).toBe("by (timestamp, id)");
    expect(orders["token-ring"]).toBe("round the ring from the token");
  });
});
