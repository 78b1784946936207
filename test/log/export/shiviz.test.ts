import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shiviz } from "../../../src/log/export/shiviz.ts";
import { memorySource, type RunSource } from "../../../src/log/file/source.ts";
import { HOST, isFrameRecord } from "../../../src/log/records.ts";
import { header, records, toColumns } from "../arbitrary.ts";
import { eventfulRun } from "../sample.ts";
import { allRecords, exported } from "./help.ts";

interface Line {
  host: string;
  clock: { [host: string]: number };
  type: string;
}

/**
 * Reads the file as ShiViz does and keeps its rules (DistributedClocks/shiviz, js/shiviz.js, parser.js, modelGraph.js):
 * expression and delimiter in the first two lines; each line has its host's own entry; a host's own entries, in order,
 * are 1, 2, 3 ...; a clock names only hosts and events that are there.
 */
function readAsShiViz(text: string): Line[] {
  const lines = text.split("\n");
  const expression = new RegExp(`^${lines[0]}$`);
  expect(lines[1]).toBe("");
  const events = lines.slice(2, -1).map((line) => {
    const groups = expression.exec(line)?.groups as { [name: string]: string } | undefined;
    if (!groups) throw new Error(`not read: ${line}`);
    expect(Object.keys(groups)).toEqual(["date", "host", "clock", "type", "event"]);
    expect(groups.event).not.toBe("");
    return { host: groups.host!, clock: JSON.parse(groups.clock!) as Line["clock"], type: groups.type! };
  });
  const own = new Map<string, number>();
  for (const { host, clock } of events) {
    const next = (own.get(host) ?? 0) + 1;
    if (clock[host] !== next) throw new Error(`the clock of ${host} is ${clock[host]} where ${next} is next`);
    own.set(host, next);
  }
  for (const { clock } of events) {
    for (const [host, count] of Object.entries(clock)) {
      if (!(count >= 1 && count <= (own.get(host) ?? 0))) throw new Error(`no event ${count} of ${host}`);
    }
  }
  return events;
}

const read = (source: RunSource) => readAsShiViz(exported(shiviz, source).toString());

describe("shiviz", () => {
  it("keeps ShiViz's rules for any records: the own clock grows by one on every line", () => {
    fc.assert(
      fc.property(records(60), (list) => void read(memorySource(header, toColumns(list)))),
      { numRuns: 300 },
    );
  });

  it("has every event of a real run: a send and a receive for each hop, a send alone for a lost frame", () => {
    const source = eventfulRun();
    const all = allRecords(source);
    const events = read(source);
    const of = (type: string) => events.filter((event) => event.type === type).length;
    const frames = all.filter(isFrameRecord);
    const lost = frames.filter(({ event }) => event === "dropped" || event === "corrupted").length;
    const hops = frames.filter(({ event }) => event === "hop").length;
    expect(lost).toBeGreaterThan(0);
    expect(of("receive")).toBe(hops);
    expect(of("send")).toBe(hops + lost);
    expect(of("local")).toBe(
      all.filter((record) => !isFrameRecord(record) && record.station !== HOST).length,
    );
  });
});
