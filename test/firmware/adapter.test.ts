import { describe, expect, test } from "vitest";
import { COPIED, EVERY, NEIGHBOUR, SEEN } from "../../firmware/frame.js";
import { OneStation } from "./one-station.ts";

describe("an adapter (IEEE 802.5: repeat, copy, strip)", () => {
  test("repeats unchanged a frame between others", () => {
    for (const flags of [0, COPIED]) {
      const one = new OneStation(3);
      one.hear("DAT", 1, 5, ["hello"], flags);
      expect(one.sent()).toEqual([`DAT 1 5 hello${flags ? " c" : ""}`]);
      expect(one.records()).toEqual([]);
    }
  });

  test("copies a frame for its station and repeats it marked as copied", () => {
    const one = new OneStation(3);
    one.hear("DAT", 1, 3, ["hello"]);
    expect(one.sent()).toEqual(["DAT 1 3 hello c"]);
    expect(one.records()).toEqual(["data 1 hello"]);
  });

  test("copies a frame for every station and repeats it", () => {
    const one = new OneStation(3);
    one.hear("DAT", 1, EVERY, ["hello"]);
    one.hear("DAT", 2, EVERY, ["again"], COPIED);
    expect(one.sent()).toEqual(["DAT 1 255 hello c", "DAT 2 255 again c"]);
    expect(one.records()).toEqual(["data 1 hello", "data 2 again"]);
  });

  test("consumes a neighbour frame, and knows its predecessor by it", () => {
    const one = new OneStation(3);
    one.hear("HEL", 2, NEIGHBOUR, [9]);
    expect(one.sent()).toEqual([]);
    expect(one.records()).toEqual(["hello 2 9"]);
    expect(one.station.predecessor).toBe(2);
  });

  test("strips its own frame, and tells the sender where nobody copied it", () => {
    const one = new OneStation(3);
    one.hear("DAT", 3, 5, ["hello"], COPIED);
    expect([one.sent(), one.records()]).toEqual([[], []]);
    one.hear("DAT", 3, 5, ["hello"]);
    expect([one.sent(), one.records()]).toEqual([[], ["refused not-there"]]);
  });

  test("drops a frame for its station that it has copied before: its sender is gone", () => {
    const one = new OneStation(3);
    one.hear("DAT", 1, 3, ["hello"], COPIED);
    expect(one.sent()).toEqual([]);
    expect(one.records()).toEqual(["orphan DAT 1"]);
  });

  test("takes no token that is for another station (bacnet-stack#798)", () => {
    const one = new OneStation(3, { holdMs: 1000 });
    one.hear("TOK", 2, 4, [256, 1, 0]);
    expect(one.station.token.held).toBe(false);
    expect(one.sent()).toEqual(["TOK 2 4 256,1,0"]);
  });
});

describe("an active monitor's adapter (IEEE 802.5: the monitor bit)", () => {
  const monitor = () => {
    const one = new OneStation(3);
    one.station.monitor.duty = true;
    return one;
  };

  test("marks what it repeats", () => {
    const one = monitor();
    one.hear("DAT", 1, 5, ["a"]);
    one.hear("DAT", 1, 5, ["b"], COPIED);
    one.hear("DAT", 1, 3, ["c"]);
    expect(one.sent()).toEqual(["DAT 1 5 a m", "DAT 1 5 b cm", "DAT 1 3 c cm"]);
  });

  test("removes what it has marked before, and does not copy it again", () => {
    const one = monitor();
    for (const dst of [3, 5, EVERY]) {
      one.hear("DAT", 1, dst, ["a"], SEEN);
      expect(one.sent()).toEqual([]);
      expect(one.records()).toEqual(["orphan DAT 1"]);
    }
  });

  test("leaves the mark alone where it has no duty", () => {
    const one = new OneStation(3);
    one.hear("DAT", 1, 5, ["a"], SEEN);
    expect(one.sent()).toEqual(["DAT 1 5 a m"]);
  });
});

describe("an echo of its own frames (billroy/bitlash#43)", () => {
  test("is never taken as a frame of its predecessor: neither token nor hello", () => {
    const one = new OneStation(3);
    one.hearToken(256, 10);
    expect(one.sent()).toEqual(["TOK 3 253 256,11,0"]);
    one.hear("TOK", 3, NEIGHBOUR, [256, 11, 0]);
    one.hear("HEL", 3, NEIGHBOUR, [7]);
    expect(one.sent()).toEqual([]);
    expect(one.records()).toEqual(["bad echo", "bad echo"]);
    expect(one.station.predecessor).toBe(4);
  });

  test("is no echo where the station is alone in the ring", () => {
    const one = new OneStation(3);
    one.hear("HEL", 3, NEIGHBOUR, [7]);
    expect(one.records()).toEqual(["hello 3 7"]);
    one.hearToken(256, 10);
    one.sent();
    one.time += one.station.settings.limits.quiet;
    one.hear("TOK", 3, NEIGHBOUR, [256, 11, 0]);
    expect(one.sent()).toEqual(["TOK 3 253 256,12,0"]);
  });
});
