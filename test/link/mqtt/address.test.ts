import { describe, expect, test } from "vitest";
import { ringAddress, stationAddress } from "../../../src/link/mqtt/address.ts";

describe("the address of a ring on a broker", () => {
  test.each([
    ["mqtt://host/ring7", "mqtt://host:1883", "ring7"],
    ["mqtt://host:1999/class/ring7/", "mqtt://host:1999", "class/ring7"],
    ["mqtts://host/ring7", "mqtts://host:8883", "ring7"],
    ["ws://host:9001/mqtt/ring7", "ws://host:9001/mqtt", "ring7"],
    ["mqtt://[::1]:1883/ring%207", "mqtt://[::1]:1883", "ring 7"],
  ])("%s", (text, broker, ring) => {
    expect(ringAddress(text, {})).toEqual({ broker, ring, path: `${broker}/${ring}` });
  });

  test.each([
    ["ring7", /no address/],
    ["http://host/ring7", /begins with mqtt/],
    ["mqtt://host", /name of the ring is missing/],
    ["mqtt://host/ring7?x=1", /ends with the name/],
    ["mqtt://host/ring%23", /no name of a ring/],
    ["mqtt://host/+/ring", /no name of a ring/],
    ["mqtt://host/a//b", /no name of a ring/],
    ["mqtt://host/$SYS/x", /no name of a ring/],
    ["mqtt://host/%00", /no name of a ring/],
    ["mqtt://host/%E0%A4%A", /not understood/],
    [`mqtt://host/${"x".repeat(300)}`, /no name of a ring/],
  ])("%s is refused in one line", (text, why) => {
    expect(() => ringAddress(text, {})).toThrow(why);
    expect(() => ringAddress(text, {})).not.toThrow(/\n/);
  });

  test("user and password come from the address, else from the environment, and are never shown", () => {
    const typed = ringAddress("mqtt://ada:s3cret@one.example/ring7", {});
    expect(typed).toMatchObject({ user: "ada", password: "s3cret" });
    expect(typed.path + typed.broker).not.toMatch(/ada|s3cret/);
    const env = { RINGLAB_MQTT_USER: "eve", RINGLAB_MQTT_PASSWORD: "other" };
    expect(ringAddress("mqtt://two.example/ring7", env)).toMatchObject({ user: "eve", password: "other" });
    expect(() => ringAddress("mqtt://ada:s3cret@one.example", {})).toThrow(/^(?!.*s3cret)/);
  });

  test("typed once, they serve the other addresses of that broker", () => {
    ringAddress("mqtt://ada:s3cret@three.example/ring7", {});
    expect(stationAddress("mqtt://three.example/ring7/3", {})).toMatchObject({
      user: "ada",
      password: "s3cret",
      id: 3,
    });
  });

  test.each(["mqtt://host/ring7", "mqtt://host/3", "mqtt://host/ring7/03", "mqtt://host/ring7/251"])(
    "%s is no station",
    (text) => {
      expect(() => stationAddress(text, {})).toThrow(/ends with its id/);
    },
  );
});
