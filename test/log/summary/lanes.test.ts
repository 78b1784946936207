import { describe, expect, it } from "vitest";
import { RecordColumns } from "../../../src/log/columns.ts";
import { Lanes } from "../../../src/log/summary/lanes.ts";

type Change = [t: number, station: number, lane: string, up: boolean];

/** Follows what `fill` records. */
function changes(
  fill: (columns: RecordColumns, token: (t: number, from: number, to: number, hop: number) => void) => void,
) {
  const columns = new RecordColumns();
  fill(columns, (t, from, to, hop) => {
    columns.addFrame(t, "hop", from, to, 5, {
      type: "TOK",
      src: from,
      dst: 253,
      args: [257, hop, 0],
      flags: 0,
    });
  });
  const seen: Change[] = [];
  const lanes = new Lanes((t, station, lane, up) => seen.push([t, station, lane, up]));
  for (let i = 0; i < columns.length; i++) lanes.write(columns, i);
  return seen;
}

describe("lanes", () => {
  it("have the token at a station from its arrival until its transmission starts", () => {
    const seen = changes((_, token) => {
      token(10, 1, 2, 1);
      token(20, 2, 3, 2);
    });
    expect(seen).toEqual([
      [10, 2, "token", true],
      [15, 2, "token", false],
      [20, 3, "token", true],
    ]);
  });

  it("let go of a token that is passed on in the same microsecond", () => {
    const seen = changes((_, token) => {
      token(10, 1, 2, 1);
      token(15, 2, 3, 2);
    });
    expect(seen.filter(([, station]) => station === 2)).toEqual([
      [10, 2, "token", true],
      [10, 2, "token", false],
    ]);
  });

  it("do not lose the station's token when a duplicate comes and is dropped as stale", () => {
    const seen = changes((columns, token) => {
      token(10, 1, 2, 4);
      token(12, 1, 2, 3);
      columns.addEvent(12, "stale", 2, 257, 3);
      token(30, 2, 3, 5);
    });
    expect(seen.filter(([, station]) => station === 2)).toEqual([
      [10, 2, "token", true],
      [25, 2, "token", false],
    ]);
  });

  it("keep a token that came while an older one was on its way out", () => {
    const seen = changes((_, token) => {
      token(10, 1, 2, 1);
      token(18, 1, 2, 9);
      token(20, 2, 3, 2);
    });
    expect(seen.filter(([, station]) => station === 2)).toEqual([
      [10, 2, "token", true],
      [15, 2, "token", false],
      [18, 2, "token", true],
    ]);
  });

  it("fall together when the station crashes, and have nothing of the host's", () => {
    const seen = changes((columns, token) => {
      token(10, 1, 2, 1);
      columns.addEvent(10, "coordinator", 2, 2, 1);
      columns.addEvent(11, "enter", 2, 257, 1);
      columns.addEvent(12, "crash", 2, "power");
      columns.addEvent(13, "regenerated", -1, 513);
      columns.addEvent(13, "enter", -1, 513, 1);
    });
    expect(seen.slice(3)).toEqual([
      [12, 2, "token", false],
      [12, 2, "inside", false],
      [12, 2, "coordinator", false],
    ]);
  });
});
