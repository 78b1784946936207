import { beforeEach, describe, expect, test } from "vitest";
import { release, request } from "../../../firmware/station.js";
import { OneStation } from "../one-station.ts";

let one: OneStation;

beforeEach(() => {
  one = new OneStation(3, { holdMs: 1000 });
  one.station.joined = true;
  // A monitor has announced the epoch.
  one.hear("PRG", 5, 253, [5, 512, 0]);
  one.hearToken(512, 10, 4);
  one.fire("hold");
  expect(one.sent()).toEqual(["PRG 3 253 5,512,0", "TOK 3 253 512,11,4"]);
  one.records();
});

describe("a token is taken only where it is later than any seen here (cockroachdb/cockroach#23105)", () => {
  test.each([
    ["of an older epoch", 511, 99],
    ["of an epoch far back", 1, 99],
    ["of this epoch, with a hop seen before", 512, 10],
    ["of this epoch, with the station's own hop", 512, 11],
    ["of this epoch, from its beginning", 512, 0],
  ])("%s it is stale: dropped and recorded", (_, epoch, hop) => {
    one.hearToken(epoch, hop);
    expect(one.station.token.held).toBe(false);
    expect(one.sent()).toEqual([]);
    expect(one.records()).toEqual([`stale ${epoch} ${hop}`]);
    expect(one.station.epoch).toBe(512);
  });

  test.each([
    ["of this epoch, with the next hop", 512, 12],
    ["of this epoch, with a hop further on: stations were bypassed", 512, 40],
    ["of the next epoch, from its beginning", 513, 0],
    ["of an epoch far on", 2 ** 52, 7],
  ])("%s it is taken", (_, epoch, hop) => {
    one.hearToken(epoch, hop, 9);
    expect(one.station.token).toMatchObject({ held: true, epoch, hop, grant: 9 });
    expect(one.station).toMatchObject({ epoch, hop });
    expect(one.records()).toEqual([]);
  });

  test("of an earlier run, fifty of them waiting on the line when it is opened: none (crayzeewulf/libserial#172)", () => {
    for (let hop = 0; hop < 50; hop++) one.hearToken(261, hop);
    expect(one.station).toMatchObject({ epoch: 512, hop: 11, token: { held: false } });
    expect(one.sent()).toEqual([]);
    expect(one.records()).toHaveLength(50);
  });

  test("held already, another of this epoch is a second token: dropped", () => {
    one.hearToken(512, 14, 4);
    one.hearToken(512, 20, 4);
    expect(one.records()).toEqual(["stale 512 20"]);
    one.fire("hold");
    expect(one.sent()).toEqual(["TOK 3 253 512,15,4"]);
  });

  test("held already, its duplicate is dropped", () => {
    one.hearToken(512, 14, 4);
    one.hearToken(512, 14, 4);
    expect(one.records()).toEqual(["stale 512 14"]);
    one.fire("hold");
    expect(one.sent()).toEqual(["TOK 3 253 512,15,4"]);
  });

  test("held already and idle, it is forgotten for one of a later epoch", () => {
    one.hearToken(512, 14, 4);
    one.hearToken(768, 2, 0);
    expect(one.records()).toEqual(["stale 512 14"]);
    expect(one.station.token).toMatchObject({ held: true, epoch: 768, hop: 2, grant: 0 });
  });
});

describe("the critical section", () => {
  test("is entered with the next grant as the fence, and left by passing the token on", () => {
    request(one, one.station);
    one.hearToken(512, 14, 4);
    expect(one.records()).toEqual(["request", "enter 512 5"]);
    expect(one.sent()).toEqual([]);
    release(one, one.station);
    expect(one.records()).toEqual(["exit 512 5"]);
    expect(one.sent()).toEqual(["TOK 3 253 512,15,5"]);
  });

  test("is entered at once by the station that holds the idle token", () => {
    one.hearToken(512, 14, 4);
    request(one, one.station);
    expect(one.records()).toEqual(["request", "enter 512 5"]);
    expect(one.armed.has("hold")).toBe(false);
  });

  test("is asked for once at a time", () => {
    request(one, one.station);
    request(one, one.station);
    one.hearToken(512, 14, 4);
    request(one, one.station);
    expect(one.records()).toEqual(["request", "refused requested", "enter 512 5", "refused inside"]);
  });

  test("is left only from inside", () => {
    release(one, one.station);
    expect(one.records()).toEqual(["refused outside"]);
    expect(one.sent()).toEqual([]);
  });

  test("is left with a token that went stale meanwhile: that one is dropped, not passed", () => {
    request(one, one.station);
    one.hearToken(512, 14, 4);
    one.hear("PRG", 4, 253, [1, 1025, 0]);
    expect(one.sent()).toEqual(["PRG 3 253 1,1025,1"]);
    release(one, one.station);
    expect(one.records()).toEqual(["request", "enter 512 5", "exit 512 5", "stale 512 14"]);
    expect(one.sent()).toEqual([]);
  });

  test("is not entered a second time by a newer token that comes while the station is inside: it is passed on", () => {
    request(one, one.station);
    one.hearToken(512, 14, 4);
    one.hearToken(1025, 3, 0);
    expect(one.records()).toEqual(["request", "enter 512 5"]);
    expect(one.sent()).toEqual(["TOK 3 253 1025,4,0"]);
  });
});

test("a station that has not joined passes a token on untouched, though it wants to enter", () => {
  const newcomer = new OneStation(2);
  request(newcomer, newcomer.station);
  newcomer.hearToken(512, 10, 4);
  expect(newcomer.records()).toEqual(["request"]);
  expect(newcomer.sent()).toEqual(["TOK 2 253 512,11,4"]);
});
