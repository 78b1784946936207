import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatGuarded, formatRecord, formatTime } from "../../src/log/format.ts";
import { type FrameRecord, HOST, STATION_FIELDS, type StationEvent } from "../../src/log/records.ts";
import { records } from "./arbitrary.ts";

const hop: FrameRecord = {
  seq: 0,
  t: 1234567,
  event: "hop",
  from: 3,
  to: 4,
  took: 4700,
  type: "TOK",
  src: 3,
  dst: 253,
  args: [258, 912, 57],
  flags: 0,
};

describe("a record in words", () => {
  it("names time, link and arguments of a frame", () => {
    expect(formatRecord(hop)).toEqual({
      time: "1.234567",
      who: "3→4",
      what: "TOK epoch 258 hop 912 grant 57",
    });
    expect(formatRecord({ ...hop, event: "dropped" }).what).toBe("TOK epoch 258 hop 912 grant 57 - dropped");
    const bully = { ...hop, type: "BEL", src: 1, dst: 5, args: [771], flags: 3 };
    expect(formatRecord(bully).what).toBe("BEL 1 to 5 election 771 copied seen");
    expect(formatRecord({ ...hop, type: "ELN", args: [771, 3, 1, 2] }).what).toBe(
      "ELN election 771 ids 3,1,2",
    );
    expect(formatRecord({ ...hop, type: "XYZ", args: [1, 2] }).what).toBe("XYZ 1 2");
  });

  it("has words for every event, also where a field is missing", () => {
    for (const event of Object.keys(STATION_FIELDS) as StationEvent[]) {
      const { who, what } = formatRecord({ seq: 0, t: 0, event, station: HOST, fields: {} });
      expect(who).toBe("host");
      expect(what).toMatch(/^[a-z]+/);
      expect(what).not.toMatch(/undefined|null|NaN/);
    }
  });

  it("says plainly what the guarded resource did with a write, with both fences where they are known", () => {
    const write = (verdict: string) => ({
      seq: 0,
      t: 0,
      event: "write" as const,
      station: 1,
      fields: { epoch: 259, grant: 4, verdict },
    });
    const seen = { epoch: 515, grant: 1 };
    expect(formatRecord(write("opened")).what).toBe("opens the resource, epoch 259 grant 4");
    expect(formatRecord(write("accepted")).what).toBe(
      "has its write accepted by the resource, epoch 259 grant 4",
    );
    expect(formatGuarded(write("refused"), seen).what).toBe(
      "has its write REFUSED by the resource, epoch 259 grant 4 (it has seen epoch 515 grant 1)",
    );
  });

  it("stays on its line and cannot steer a terminal, whatever a board sent", () => {
    fc.assert(
      fc.property(records(), (list) => {
        for (const record of list) {
          const { time, who, what } = formatRecord(record);
          expect(`${time} ${who} ${what}`).not.toMatch(
            /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/,
          );
          expect(what.length).toBeLessThan(250);
        }
      }),
    );
  });

  it("says times to the microsecond", () => {
    expect(formatTime(0)).toBe("0.000000");
    expect(formatTime(999999)).toBe("0.999999");
    expect(formatTime(-1)).toBe("-0.000001");
    expect(formatTime(3600e6)).toBe("3600.000000");
    expect(formatTime(Number.MAX_SAFE_INTEGER)).toBe("9007199254.740991");
  });
});
