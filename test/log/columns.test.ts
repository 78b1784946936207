import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import { STATION_FIELDS } from "../../src/log/records.ts";
import { addRecord, records, toColumns } from "./arbitrary.ts";

describe("the names of fields", () => {
  it("are not those that every record has: in a file they all stand in one object", () => {
    for (const [event, names] of Object.entries(STATION_FIELDS)) {
      for (const name of names) expect(["seq", "t", "event", "station", "board"], event).not.toContain(name);
    }
  });
});

describe("records in columns", () => {
  it("come back as they were put in, whatever they hold", () => {
    fc.assert(
      fc.property(records(), (list) => {
        const columns = toColumns(list);
        expect(list.map((_, i) => columns.get(i))).toEqual(list);
      }),
    );
  });

  it("leave nothing behind when they are cleared, and go on with the sequence numbers", () => {
    fc.assert(
      fc.property(records(20), records(20), (first, second) => {
        const columns = toColumns(first);
        columns.clear();
        for (const record of second) addRecord(columns, record);
        const shifted = second.map((record, i) => ({ ...record, seq: first.length + i }));
        expect(second.map((_, i) => columns.get(i))).toEqual(shifted);
      }),
    );
  });

  it("keep a clock's offset and drift below zero, and numbers above 32 bits", () => {
    const columns = new RecordColumns(1);
    columns.addEvent(5, "clock", 3, -2.5e6, 120.5, -47.25);
    columns.addEvent(6, "stale", 3, 2 ** 40, 2 ** 41);
    expect(columns.get(0)).toMatchObject({ fields: { offset: -2.5e6, bound: 120.5, drift: -47.25 } });
    expect(columns.get(1)).toMatchObject({ fields: { epoch: 2 ** 40, hop: 2 ** 41 } });
  });

  it("tell more than 256 types of frame apart", () => {
    const columns = new RecordColumns(1);
    for (let n = 0; n < 300; n++) {
      columns.addFrame(n, "hop", 1, 2, 3, { type: `T${n}`, src: 1, dst: 253, args: [n], flags: 0 });
    }
    for (const n of [0, 255, 256, 299]) expect(columns.get(n)).toMatchObject({ type: `T${n}`, args: [n] });
  });
});
