/**
 * Duplicate address test (IEEE 802.5, ring insertion phase 2): the station that has an id stays, a newcomer with the same id is
 * refused, once. Another board is told by its boot id (ansible/receptor#19: a restarted node looked like its own duplicate).
 */
import { describe, expect, test } from "vitest";
import { testId } from "../../../firmware/ring/duplicate-test.js";
import { elect, request, sendText } from "../../../firmware/station.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { OneStation } from "../one-station.ts";

const dup = (src: number, boot: number, found: number): Frame => ({
  type: "DUP",
  src,
  dst: src,
  args: [boot, found],
  flags: 0,
});
const hear = (one: OneStation, { type, src, dst, args, flags }: Frame) =>
  one.hear(type, src, dst, args, flags);
const line = ({ type, src, dst, args, flags }: Frame) =>
  `${type} ${src} ${dst} ${args.join(",")}${["", " c", " m", " cm"][flags]}`;

/** Boot ids: of the station, and of other boards with a lower and a higher one. */
const OWN = 7;
const LOWER = 3;
const HIGHER = 99;

/** A station that has just powered up. */
function testing(): OneStation {
  const one = new OneStation(3);
  testId(one, one.station);
  one.sent();
  return one;
}

describe("a station that powers up", () => {
  test("is a wire: it passes frames on unchanged, also those of its own id, and takes none", () => {
    const one = testing();
    const frames: Frame[] = [
      { type: "TOK", src: 2, dst: 253, args: [256, 10, 0], flags: 0 },
      { type: "BEL", src: 1, dst: 3, args: [257], flags: 0 },
      { type: "AMP", src: 3, dst: 255, args: [261, 4], flags: 2 },
    ];
    for (const frame of frames) {
      hear(one, frame);
      expect(one.sent()).toEqual([line(frame)]);
    }
    expect(one.station).toMatchObject({ epoch: 0, joined: false, predecessor: -1 });
  });

  test("takes part when its test comes back unmarked", () => {
    const one = testing();
    hear(one, dup(3, OWN, 0));
    expect(one.station).toMatchObject({ bypassed: false, refused: false });
    expect(one.sent()).toEqual([]);
  });

  test("is refused when its test comes back marked, names both boards, and says so once", () => {
    const one = testing();
    hear(one, dup(3, OWN, LOWER + 1));
    hear(one, dup(3, OWN, LOWER + 1));
    expect(one.records()).toEqual(["refused duplicate 7 3"]);
    expect(one.station).toMatchObject({ bypassed: true, refused: true });
    expect(one.armed.size).toBe(0);
  });

  test("tests again when the test is lost, until it finds out that nobody is there", () => {
    const one = testing();
    one.fire("dup");
    expect(one.sent()).toEqual([dup(3, OWN, 0)].map(line));
    one.fire("standby");
    expect(one.station).toMatchObject({ bypassed: false, joined: true });
    one.sent();
    one.fire("dup");
    expect(one.sent()).toEqual([]);
  });

  test("yields to a board with a lower boot id that tests at the same time, and stays before one with a higher", () => {
    const one = testing();
    hear(one, dup(3, LOWER, 0));
    hear(one, dup(3, HIGHER, 0));
    expect(one.sent()).toEqual([dup(3, LOWER, 0), dup(3, HIGHER, OWN + 1)].map(line));
    expect(one.records()).toEqual([]);
  });
});

describe("a station that has the id", () => {
  test("stays, marks the test of the newcomer, and names both", () => {
    const one = new OneStation(3);
    hear(one, dup(3, HIGHER, 0));
    expect(one.sent()).toEqual([dup(3, HIGHER, OWN + 1)].map(line));
    expect(one.records()).toEqual(["duplicate 99 7"]);
    expect(one.station.bypassed).toBe(false);
  });

  test("removes a test with its own mark: the newcomer is gone", () => {
    const one = new OneStation(3);
    hear(one, dup(3, HIGHER, OWN + 1));
    expect([one.sent(), one.records()]).toEqual([[], []]);
  });

  test("passes on the tests of other ids", () => {
    const one = new OneStation(3);
    hear(one, dup(4, HIGHER, 0));
    expect(one.sent()).toEqual([dup(4, HIGHER, 0)].map(line));
  });
});

describe("a refused station", () => {
  test("remains a wire, and refuses every command", () => {
    const one = testing();
    hear(one, dup(3, OWN, HIGHER + 1));
    one.records();
    request(one, one.station);
    elect(one, one.station);
    sendText(one, one.station, 1, "hello");
    expect(one.records()).toEqual(Array(3).fill("refused duplicate"));
    const token: Frame = { type: "TOK", src: 3, dst: 253, args: [256, 10, 0], flags: 0 };
    hear(one, token);
    expect(one.sent()).toEqual([line(token)]);
  });
});
