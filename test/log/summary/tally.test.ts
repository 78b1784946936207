import { describe, expect, it } from "vitest";
import { RecordColumns } from "../../../src/log/columns.ts";
import { Tally } from "../../../src/log/summary/tally.ts";

/** A hop from station 3 to station 4. */
function hop(columns: RecordColumns, type: string, src: number, dst: number, args: number[]): void {
  columns.addFrame(1000 * columns.length, "hop", 3, 4, 500, { type, src, dst, args, flags: 0 });
}

function tallyOf(write: (columns: RecordColumns) => void): Tally {
  const columns = new RecordColumns(4);
  write(columns);
  const tally = new Tally();
  tally.write(columns, 0, columns.length);
  return tally;
}

describe("a host that comes to a running ring", () => {
  it("learns the coordinator and the epoch from the announcements of the active monitor that pass", () => {
    const tally = tallyOf((columns) => hop(columns, "AMP", 5, 255, [261, 7]));
    expect([tally.coordinator, tally.epoch]).toEqual([5, 261]);
    const text = tallyOf((columns) => {
      columns.addFrame(0, "hop", 3, 4, 1, { type: "AMP", src: 5, dst: 255, args: ["x"], flags: 0 });
      columns.addFrame(0, "hop", 3, 4, 1, { type: "TOK", src: 3, dst: 253, args: ["x"], flags: 0 });
    });
    expect([text.coordinator, text.epoch]).toEqual([-1, 0]);
  });

  it("learns the epoch from the token, also where its sender is not the predecessor", () => {
    expect(tallyOf((columns) => hop(columns, "TOK", 3, 253, [258, 912, 57])).epoch).toBe(258);
    expect(tallyOf((columns) => hop(columns, "TOK", 1, 253, [258, 912, 57])).epoch).toBe(258);
    expect(tallyOf((columns) => hop(columns, "TOK", 3, 253, [258, 912, 57])).coordinator).toBe(-1);
  });

  it("does not follow an announcement, or a token, of an epoch that is over", () => {
    const tally = tallyOf((columns) => {
      columns.addEvent(0, "coordinator", 4, 4, 1028);
      columns.addEvent(0, "regenerated", 4, 516);
      hop(columns, "AMP", 5, 255, [261, 7]);
      hop(columns, "TOK", 3, 253, [261, 912, 57]);
    });
    expect([tally.coordinator, tally.epoch]).toEqual([4, 516]);
  });

  it("counts events by their names, and writes by what the resource said", () => {
    const tally = tallyOf((columns) => {
      for (const verdict of ["opened", "accepted", "refused", "refused", "__proto__"])
        columns.addEvent(0, "write", 1, 261, 1, verdict);
      hop(columns, "TOK", 3, 253, [261, 912, 57]);
    });
    expect(tally.byEvent()).toEqual({ hop: 1, write: 5 });
    expect(tally.writes).toEqual({ accepted: 1, refused: 2 });
  });
});
