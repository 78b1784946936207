/** Records for pages while they come: the same for all, bounded, and with what was missed. */
import { get } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import { SCHEMA } from "../../src/log/records.ts";
import { LiveFeed } from "../../src/page/server/live-feed.ts";
import { PageServer } from "../../src/page/server/page-server.ts";

const HEADER = {
  schema: SCHEMA,
  program: "test",
  kind: "boards",
  stations: [1, 2],
  wiring: "hub",
  baud: 115_200,
  election: "bully",
};

let feed: LiveFeed;
let server: PageServer;

beforeEach(async () => {
  feed = new LiveFeed({ most: 8 });
  server = await PageServer.open({ html: "", policy: "", routes: feed.routes() });
});

afterEach(() => server.close());

/** Writes records of these numbers. */
function happens(from: number, to: number): void {
  const columns = new RecordColumns();
  columns.firstSeq = from;
  for (let i = from; i < to; i++) columns.addEvent(i, "request", 1);
  feed.write(columns, 0, columns.length);
}

/** Reads the records from one on, until the run is over. */
function read(from: number): Promise<{ page: { from: number }; seqs: number[]; verdict: string }> {
  const key = new URL(server.address).hash.replace("#key=", "");
  return new Promise((resolve, reject) => {
    get(
      `http://127.0.0.1:${server.port}/records?from=${from}`,
      { headers: { "x-ringlab-key": key } },
      (answer) => {
        let text = "";
        answer.on("data", (piece) => {
          text += piece;
        });
        answer.on("end", () => {
          const lines = text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
          const seqs = lines.slice(1, -1).map(({ seq }) => seq as number);
          resolve({ page: lines[0].page, seqs, verdict: lines.at(-1).verdict });
        });
      },
    ).on("error", reject);
  });
}

describe("a page", () => {
  test("that comes late gets what came before, and both get the rest", async () => {
    const early = read(0);
    feed.begin(HEADER, {});
    happens(0, 3);
    const late = read(0);
    const back = read(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    happens(3, 5);
    feed.end("done");
    expect((await early).seqs).toEqual([0, 1, 2, 3, 4]);
    expect(await late).toMatchObject({ seqs: [0, 1, 2, 3, 4], verdict: "done" });
    expect(await back).toMatchObject({ page: { from: 2 }, seqs: [2, 3, 4] });
  });

  test("is told how many old records are not kept any more", async () => {
    feed.begin(HEADER, {});
    happens(0, 30);
    feed.end("done");
    expect(await read(0)).toMatchObject({ page: { from: 22 }, seqs: [22, 23, 24, 25, 26, 27, 28, 29] });
  });
});
