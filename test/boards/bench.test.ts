import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { loadBench, makeBench } from "../../src/bench-file/load-bench.ts";
import { UsageError } from "../../src/errors.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ringlab-bench-")));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "b.json");

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.exitCode).toBe(2);
    expect(error.message).not.toMatch(/[\r\n]/);
    return error.message.replaceAll(`${folder}/`, "");
  }
  return "taken";
}

function refusal(content: string | Buffer | object): string {
  const text =
    typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 1);
  writeFileSync(path, text);
  return messageOf(() => loadBench(path));
}

/** A bench of stations on a hub, or as `rest` says. */
function bench(stations: unknown, rest: object = {}): object {
  return { title: "t", ...rest, stations };
}

const one = { id: 1, port: "simulated" };

describe("a bench file", () => {
  test("may leave out what has a default: hub, Bully, the order of the list, the board where there is none", () => {
    writeFileSync(path, JSON.stringify(bench([{ id: 0, port: "emulated" }, one])));
    const { stations, ...rest } = loadBench(path);
    expect(rest).toEqual({ title: "t", wiring: "hub", election: "bully" });
    expect(stations.map(({ profile: _, ...station }) => station)).toEqual([
      { id: 0, board: "emulated", port: "emulated", successor: 1 },
      { id: 1, board: "emulated", port: "simulated", successor: 0 },
    ]);
    expect(stations[0]?.profile.title).toBe("Emulated board");
  });

  test("keeps limits, options and the panel as they are", () => {
    const rest = {
      baud: 9600,
      limits: { token: 500, slot: 0 },
      options: { holdMs: 250, leaseMs: 0, criticalMs: -1, preemptMs: -1 },
      panel: { port: "/dev/ttyACM9", stations: { 1: { led: 3, button: 4, relay: 5 } } },
    };
    writeFileSync(path, JSON.stringify(bench([one], rest)));
    expect(loadBench(path)).toMatchObject(rest);
  });

  test("that writes an id as -0 means 0", () => {
    const { stations } = makeBench(bench([{ ...one, id: -0, successor: -0 }]), folder, () => "here");
    expect(Object.is(stations[0]?.id, 0)).toBe(true);
    expect(Object.is(stations[0]?.successor, 0)).toBe(true);
  });

  test("its relative ports start at its own folder", () => {
    writeFileSync(path, JSON.stringify(bench([{ id: 1, board: "emulated", port: "ring/a" }])));
    expect(loadBench(path).stations[0]?.port).toBe(join(folder, "ring", "a"));
  });

  test("may start with a byte order mark, as Windows editors write it", () => {
    writeFileSync(path, `\ufeff${JSON.stringify(bench([one]))}`);
    expect(loadBench(path).stations).toHaveLength(1);
  });
});

describe("mistakes in a bench are one line that names the place", () => {
  test.each<[string, object, string]>([
    [
      "misspelt key in a station",
      bench([one, { ...one, id: 2, sucessor: 1 }]),
      'b.json:11: unknown key "sucessor" in stations[1]: did you mean "successor"?',
    ],
    [
      "misspelt key at the top",
      bench([one], { wirng: "hub" }),
      'b.json:3: unknown key "wirng": did you mean "wiring"?',
    ],
    [
      "misspelt option",
      bench([one], { options: { holdms: 3 } }),
      'b.json:4: unknown key "holdms" in options: did you mean "holdMs"?',
    ],
    [
      "misspelt limit",
      bench([one], { limits: { tokn: 3 } }),
      'b.json:4: unknown key "tokn" in limits: did you mean "token"?',
    ],
    [
      "a key that is like none",
      bench([{ ...one, colour: 1 }]),
      'unknown key "colour" in stations[0]: known keys: id, board, port, successor',
    ],
    [
      "a misspelt key before the missing one",
      bench([{ idd: 1, port: "simulated" }]),
      'b.json:5: unknown key "idd" in stations[0]: did you mean "id"?',
    ],
    [
      "no id",
      bench([{ port: "simulated" }]),
      "b.json:4: stations[0].id is missing: it must be a whole number from 0 to 250",
    ],
    [
      "id 0.5",
      bench([{ ...one, id: 0.5 }]),
      "b.json:5: stations[0].id must be a whole number from 0 to 250, not 0.5",
    ],
    ["id -1", bench([{ ...one, id: -1 }]), "stations[0].id must be a whole number from 0 to 250, not -1"],
    [
      "id 251",
      bench([one, { ...one, id: 251 }]),
      "b.json:9: stations[1].id must be a whole number from 0 to 250, not 251",
    ],
    [
      "id as text",
      bench([{ ...one, id: "03" }]),
      'stations[0].id must be a whole number from 0 to 250, not "03"',
    ],
    [
      "id as hexadecimal text",
      bench([{ ...one, id: "0x3" }]),
      'stations[0].id must be a whole number from 0 to 250, not "0x3"',
    ],
    [
      "id null",
      bench([{ ...one, id: null }]),
      "stations[0].id must be a whole number from 0 to 250, not null",
    ],
    [
      "id huge",
      bench([{ ...one, id: 1e300 }]),
      "stations[0].id must be a whole number from 0 to 250, not 1e+300",
    ],
    [
      "successor 251",
      bench([{ ...one, successor: 251 }]),
      "stations[0].successor must be a whole number from 0 to 250, not 251",
    ],
    [
      "ids twice",
      bench([one, { ...one, id: 2 }, one]),
      "b.json:13: stations[0] and stations[2] both have id 1: ids must differ",
    ],
    ["no stations", bench([]), "stations must be a list of 1 to 251, not []"],
    ["stations that are no list", bench({}), "stations must be a list of 1 to 251, not {}"],
    ["a station that is none", bench([7]), "b.json:4: stations[0] must be an object, not 7"],
    ["no title", { stations: [one] }, "title is missing: it must be one line of 1 to 120 characters"],
    [
      "a title of two lines",
      bench([one], { title: "a\nb" }),
      'title must be one line of 1 to 120 characters, not "a\\nb"',
    ],
    [
      "a wiring that is none",
      bench([one], { wiring: "hubb" }),
      'wiring must be "hub" or "wired", not "hubb": did you mean "hub"?',
    ],
    [
      "an election that is none",
      bench([one], { election: "buly" }),
      'election must be "bully" or "ring" or "chang-roberts", not "buly": did you mean "bully"?',
    ],
    [
      "a baud rate as text",
      bench([one], { baud: "9600" }),
      'baud must be a whole number from 300 to 4000000, not "9600"',
    ],
    [
      "a limit below 0",
      bench([one], { limits: { token: -1 } }),
      "limits.token must be a whole number from 0 to 86400000, not -1",
    ],
    [
      "an unknown board",
      bench([{ ...one, board: "espruino-pcio" }]),
      'b.json:7: stations[0].board: unknown board "espruino-pcio": did you mean "espruino-pico"?',
    ],
    [
      "no board on a real port",
      bench([{ id: 1, port: "/dev/ttyACM0" }]),
      'stations[0].board is missing: name the board on /dev/ttyACM0, such as "espruino-pico"',
    ],
    [
      "a board that is too small",
      bench([{ ...one, board: "microbit-1" }]),
      "stations[0] (id 1): BBC micro:bit 1 is too small: 350 variables",
    ],
    [
      "a port that is none",
      bench([{ ...one, port: "simulatd" }]),
      'b.json:6: stations[0].port: "simulatd" is no port: did you mean "simulated"?',
    ],
    [
      "an address without a port",
      bench([{ ...one, board: "esp32", port: "tcp://lab" }]),
      'stations[0].port: "tcp://lab" is no address: write tcp://host:port',
    ],
    ["the file is a list", [], "b.json:1: the file must be an object, not []"],
    [
      "a successor that is not there",
      bench([{ ...one, successor: 4 }]),
      "b.json:7: stations[0] (id 1) has successor 4, but no station has that id: there are 1",
    ],
    [
      "two rings",
      bench([
        { ...one, successor: 1 },
        { ...one, id: 2, successor: 2 },
      ]),
      "b.json:12: successors form more than one ring: 1 -> 1 from stations[0] (id 1) and 2 -> 2 from stations[1] (id 2)",
    ],
    [
      "a panel on a station's port",
      bench([{ ...one, board: "esp32", port: "/dev/x" }], {
        panel: { port: "/dev/x", stations: {} },
      }),
      'panel and stations[0] are both on port "/dev/x"',
    ],
    [
      "a panel for a station that is not there",
      bench([one], { panel: { stations: { 7: { led: 3 } } } }),
      "panel.stations.7: there is no station 7 in this bench, only 1",
    ],
    [
      "a pin of the panel for two things",
      bench([one], { panel: { stations: { 1: { led: 3, button: 4, relay: 3 } } } }),
      "panel.stations.1.led and panel.stations.1.relay are both pin 3",
    ],
    [
      "a pin that no panel has",
      bench([one], { panel: { stations: { 1: { led: 128 } } } }),
      "panel.stations.1.led must be a whole number from 0 to 127, not 128",
    ],
    [
      "a misspelt part of a panel",
      bench([one], { panel: { stations: { 1: { leds: 3 } } } }),
      'unknown key "leds" in panel.stations.1: did you mean "led"?',
    ],
    [
      "a panel's key that is no id",
      bench([one], { panel: { stations: { one: { led: 3 } } } }),
      "panel.stations.one must be",
    ],
  ])("%s", (_, content, message) => {
    expect(refusal(content)).toContain(message);
  });

  test("two stations on one port, by one name or by two", () => {
    writeFileSync(join(folder, "tty"), "");
    symlinkSync("tty", join(folder, "by-id"));
    const on = (...ports: string[]) => bench(ports.map((port, id) => ({ id, board: "esp32", port })));
    expect(refusal(on("./tty", "/dev/x", "./tty"))).toBe(
      "b.json:17: stations[0] (id 0) and stations[2] (id 2) are on port tty",
    );
    expect(refusal(on("./tty", "./by-id"))).toBe(
      "b.json:12: stations[0] (id 0) and stations[1] (id 1) are on one port: tty and by-id are both tty",
    );
    expect(refusal(on("COM3", "\\\\.\\com3"))).toContain(
      "are on one port: COM3 and \\\\.\\com3 are both COM3",
    );
    expect(refusal(on("/dev/tty.usbmodem1", "/dev/cu.usbmodem1"))).toContain("are both /dev/cu.usbmodem1");
    expect(refusal(on("/dev/ttyACM0", "/dev/ttyACM1"))).toBe("taken");
  });

  const wired = (...stations: [board: string, port: string][]) =>
    bench(
      stations.map(([board, port], id) => ({ id, board, port })),
      { wiring: "wired" },
    );

  test.each<[string, object, string]>([
    [
      "a board without a free UART",
      wired(["esp32", "/dev/a"], ["microbit-2", "/dev/b"]),
      'b.json:12: stations[1] (id 1): BBC micro:bit 2 cannot be wired, its one UART is the console: use "wiring": "hub"',
    ],
    [
      "a board that only transmits",
      wired(["esp8266", "/dev/a"]),
      "ESP8266 cannot be wired, its second UART transmits only",
    ],
    [
      "a simulated station",
      wired(["esp32", "/dev/a"], ["emulated", "simulated"]),
      "stations[1] (id 1) is simulated and has no UART for a wired ring",
    ],
    [
      "emulated and real ones",
      wired(["emulated", "emulated"], ["esp32", "/dev/a"]),
      "stations[0] (id 0) is emulated and stations[1] (id 1) is on /dev/a: no wire joins them",
    ],
    ["emulated ones only", wired(["emulated", "emulated"], ["esp32", "emulated"]), "taken"],
  ])("a wired ring with %s", (_, content, message) => {
    expect(refusal(content)).toContain(message);
  });

  test("what is quoted from the file is escaped and clipped", () => {
    const message = refusal(
      bench([{ ...one, board: `a${"x".repeat(55)}` }], { ["\u001b[31m".repeat(50)]: 1 }),
    );
    expect(message).toContain('unknown key "\\x1b[31m\\x1b[31m');
    expect(message).not.toContain("\u001b");
    expect(message.length).toBeLessThan(400);
  });
});

describe("whatever a file contains", () => {
  const place = () => "here";

  test("it is a bench or one line of refusal, never another error", () => {
    const odd = fc.jsonValue({ maxDepth: 2 });
    const station = fc.record(
      {
        id: fc.oneof(fc.nat(4), odd),
        board: fc.oneof(fc.constantFrom("emulated", "esp32", "puck-js", "microbit-1"), odd),
        port: fc.oneof(fc.constantFrom("emulated", "simulated", "/dev/a", "/dev/b", "tcp://a:1", ""), odd),
        successor: fc.oneof(fc.nat(4), odd),
      },
      { requiredKeys: [] },
    );
    const any = fc.record(
      {
        title: fc.oneof(fc.constant("t"), odd),
        wiring: fc.oneof(fc.constantFrom("hub", "wired"), odd),
        stations: fc.oneof(fc.array(station, { maxLength: 4 }), odd),
        panel: odd,
        limits: odd,
      },
      { requiredKeys: ["title", "stations"] },
    );
    fc.assert(
      fc.property(fc.oneof(any, odd), (value) => {
        messageOf(() => makeBench(value, folder, place));
      }),
      { numRuns: 3000 },
    );
  });

  test("a good bench of any size is taken, in the order of its ids' list", () => {
    const ids = fc.uniqueArray(fc.nat(250), { minLength: 1, maxLength: 251 });
    fc.assert(
      fc.property(ids, (list) => {
        const value = bench(list.map((id) => ({ id, port: "simulated" })));
        const { stations } = makeBench(value, folder, place);
        expect(stations.map(({ successor }) => successor)).toEqual([...list.slice(1), list[0]]);
      }),
    );
  });
});
