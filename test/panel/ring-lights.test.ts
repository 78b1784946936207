import { beforeEach, describe, expect, test } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import type { StationEvent } from "../../src/log/records.ts";
import { RingLights } from "../../src/panel/ring-lights.ts";

describe("the lights of stations 1, 2 and 3", () => {
  let lights: RingLights;
  let records: RecordColumns;

  beforeEach(() => {
    lights = new RingLights();
    records = new RecordColumns();
  });

  const token = (from: number, to: number, epoch: number, hop: number, event: "hop" | "dropped" = "hop") =>
    records.addFrame(0, event, from, to, 0, {
      type: "TOK",
      src: from,
      dst: 253,
      args: [epoch, hop, 0],
      flags: 0,
    });
  const event = (name: StationEvent, station: number, ...values: number[]) =>
    records.addEvent(0, name, station, values[0], values[1]);
  const shown = () => {
    lights.write(records, 0, records.length);
    records.clear();
    return [1, 2, 3].map((id) => lights.light(id));
  };

  test("go on where the token is", () => {
    expect(shown()).toEqual(["off", "off", "off"]);
    token(1, 2, 256, 1);
    expect(shown()).toEqual(["off", "on", "off"]);
    token(2, 3, 256, 2);
    expect(shown()).toEqual(["off", "off", "on"]);
  });

  test("do not follow records that come the wrong way round", () => {
    token(2, 3, 256, 2);
    token(1, 2, 256, 1);
    expect(shown()).toEqual(["off", "off", "on"]);
  });

  test("blink inside, whatever else the station is", () => {
    event("coordinator", 1, 2, 9);
    token(1, 2, 256, 1);
    event("enter", 2, 256, 1);
    expect(shown()).toEqual(["off", "blink", "off"]);
    event("exit", 2, 256, 1);
    expect(shown()).toEqual(["off", "on", "off"]);
    token(2, 3, 256, 2);
    expect(shown()).toEqual(["off", "dim", "on"]);
  });

  test("go out where the token is lost, and on again where a new one is made", () => {
    token(1, 2, 256, 7);
    token(2, 3, 256, 8, "dropped");
    expect(shown()).toEqual(["off", "off", "off"]);
    event("regenerated", 3, 515);
    expect(shown()).toEqual(["off", "off", "on"]);
    token(3, 1, 515, 1);
    expect(shown()).toEqual(["on", "off", "off"]);
  });

  test("follow a token of a lower epoch once a monitor has made it: the ring was started anew", () => {
    token(1, 2, 5000, 7);
    event("regenerated", 3, 259);
    token(3, 1, 259, 1);
    expect(shown()).toEqual(["on", "off", "off"]);
  });

  test.each(["crash", "bypass", "restart"] as const)("go out at a %s", (name) => {
    event("coordinator", 1, 2, 9);
    event("enter", 2, 256, 1);
    event(name, 2);
    expect(shown()).toEqual(["off", "off", "off"]);
  });
});
