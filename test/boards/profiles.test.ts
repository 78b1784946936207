import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { linkIsFallback } from "../../src/bench-file/profile-checks.ts";
import { BOARDS_FOLDER, loadProfile, profileNamed, shippedProfiles } from "../../src/bench-file/profiles.ts";
import { UsageError } from "../../src/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "ringlab-profiles-"));
afterAll(() => rmSync(folder, { recursive: true }));

const profiles = [...shippedProfiles().values()];
const wired = profiles.filter(({ wiring }) => wiring.includes("wired"));

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "no error";
}

/** What the loader says of a shipped profile in which somebody changed values; undefined takes one out. */
function refusal(name: string, changes: Record<string, unknown>): string {
  const profile = JSON.parse(readFileSync(join(BOARDS_FOLDER, `${name}.json`), "utf8"));
  for (const [key, value] of Object.entries(changes)) {
    const path = key.split(".");
    const last = path.pop() as string;
    path.reduce((inner, step) => inner[step], profile)[last] = value;
  }
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(profile, null, 2));
  return messageOf(() => loadProfile(path, name)).replace(`${folder}/`, "");
}

describe("the board profiles", () => {
  test("can be wired where a board has a full UART beside its console, and say why where not", () => {
    expect(wired.map(({ name }) => name)).toEqual([
      "emulated",
      "esp32",
      "espruino-original",
      "espruino-pico",
      "espruino-wifi",
      "nucleo-f401re",
      "nucleo-f411re",
      "raspberry-pi-pico",
      "raspberry-pi-pico-2",
      "stm32f4-discovery",
    ]);
    const hubOnly = profiles.filter((profile) => !wired.includes(profile));
    expect(Object.fromEntries(hubOnly.map(({ name, hubOnly: reason }) => [name, reason]))).toEqual({
      esp8266: "its second UART transmits only",
      mdbt42q: "its one UART is the console",
      "microbit-1": "its one UART is the console",
      "microbit-2": "its one UART is the console",
      "pixl-js": "its one UART is the console",
      "puck-js": "its one UART is the console",
    });
  });

  test("a micro:bit 1 is the only board that is too small", () => {
    expect(profiles.filter(({ tooSmall }) => tooSmall !== undefined).map(({ name }) => name)).toEqual([
      "microbit-1",
    ]);
  });

  test.each(wired)(
    "the console and the link of $name have no pin and no UART in common",
    ({ console, link }) => {
      expect(link?.uart).not.toBe(console.device);
      const pins = [console.rx, console.tx, link?.rx, link?.tx].filter((pin) => pin !== undefined);
      expect(new Set(pins).size).toBe(pins.length);
    },
  );

  // Espruino's USART page: on these boards the console moves to Serial1 when USB is not read.
  test("only the Espruino WiFi has its link where the console falls back to, and its notes say what that means", () => {
    const shared = wired.filter(linkIsFallback);
    expect(shared.map(({ name }) => name)).toEqual(["espruino-wifi"]);
    expect(shared[0]?.notes?.join()).toContain("USB.setConsole(true)");
    for (const { link, console } of wired.filter((profile) => !linkIsFallback(profile))) {
      expect([console.fallback?.rx, console.fallback?.tx]).not.toContain(link?.rx);
      expect([console.fallback?.rx, console.fallback?.tx]).not.toContain(link?.tx);
    }
  });

  // Espruino's src/jsutils.h: the more variables, the more bits a reference takes.
  test.each(profiles)("a variable of $name has the size that its number of variables gives", (profile) => {
    const { variables, variableBytes } = profile;
    const bytes = variables <= 2047 ? 12 : variables <= 8191 ? 13 : variables <= 16383 ? 14 : 16;
    expect(variableBytes).toBe(bytes);
  });

  test("all lines of wired boards start at the same baud rate, so that any two can be joined", () => {
    expect(new Set(wired.map(({ link }) => link?.baud))).toEqual(new Set([115200]));
  });

  test("an estimate of the board time is called one where it is explained, a measurement too", () => {
    for (const { name, boardMicrosBasis, sources } of profiles) {
      expect(sources.boardMicros, name).toMatch(new RegExp(`^${boardMicrosBasis}: `));
    }
  });

  test("a value of process.env.BOARD means one board only", () => {
    const names = profiles.flatMap(({ espruinoBoards }) => espruinoBoards);
    expect(new Set(names).size).toBe(names.length);
  });

  test("are found by name, and a name that is nearly right is put right", () => {
    expect(profileNamed("esp32").title).toBe("ESP32");
    expect(messageOf(() => profileNamed("puckjs"))).toBe('unknown board "puckjs": did you mean "puck-js"?');
    expect(messageOf(() => profileNamed("Espruino_Pico"))).toContain('did you mean "espruino-pico"?');
    expect(messageOf(() => profileNamed("arduino"))).toMatch(/known boards: emulated, esp32, esp8266, /);
    expect(messageOf(() => profileNamed("toString"))).toContain('unknown board "toString"');
  });
});

describe("a profile with a mistake is refused with its place", () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    [
      "link on the console's UART",
      "esp32",
      { "link.uart": "Serial1" },
      "link and console are both on Serial1",
    ],
    ["link on a console pin", "nucleo-f401re", { "link.rx": "A3" }, "link.rx and console.rx are both pin A3"],
    ["link on an LED", "espruino-pico", { "link.tx": "B2" }, "link.tx and LED1 are both pin B2"],
    ["one pin for both ends", "espruino-pico", { "link.tx": "A3" }, "link.rx and link.tx are both pin A3"],
    [
      "wired without a link",
      "espruino-pico",
      { link: undefined, "sources.link": undefined },
      'wiring has "wired" but there is no link',
    ],
    [
      "a link on a hub board",
      "esp8266",
      { link: { uart: "Serial2", rx: "D4", tx: "D2", baud: 9600 }, "sources.link": "x" },
      'link is given but wiring lacks "wired"',
    ],
    [
      "hub only without a reason",
      "puck-js",
      { hubOnly: undefined },
      "wiring is hub only: say why in hubOnly",
    ],
    ["a reason without a cause", "esp32", { hubOnly: "why" }, 'hubOnly is given but wiring has "wired"'],
    ["never on a hub", "esp32", { wiring: ["wired"] }, 'wiring lacks "hub"'],
    [
      "too small but wired",
      "esp32",
      { tooSmall: "why", "sources.tooSmall": "x" },
      "a board that is too small has no wiring",
    ],
    [
      "a fact without a source",
      "esp32",
      { "sources.savedCode": undefined },
      "savedCode has no source: say in sources.savedCode",
    ],
    [
      "a source without a fact",
      "esp32",
      { "sources.tooSmall": "x" },
      "sources.tooSmall is the source of nothing",
    ],
    [
      "a console without pins",
      "esp32",
      { "console.rx": undefined },
      "console is on Serial1: give its rx, tx and baud",
    ],
    [
      "USB with a baud rate",
      "espruino-pico",
      { "console.baud": 9600 },
      "console is on USB, which has no rx, tx or baud",
    ],
    [
      "a fallback without USB",
      "esp32",
      { "console.fallback": { device: "Serial2" } },
      "only a console on USB has a fallback",
    ],
    [
      "another name than its file",
      "esp32",
      { name: "esp-32" },
      'name is "esp-32" but the file is called esp32.json',
    ],
    ["a misspelt key", "esp32", { varables: 1 }, 'unknown key "varables": did you mean "variables"?'],
    [
      "a misspelt key inside",
      "esp32",
      { "console.buad": 1 },
      'unknown key "buad" in console: did you mean "baud"?',
    ],
    ["a level that is none", "esp32", { "leds.0.active": 2 }, "leds[0].active must be 0 or 1, not 2"],
    ["a missing fact", "esp32", { variables: undefined }, "variables is missing: it must be a whole number"],
    ["a pin that is none", "esp32", { "leds.0.pin": 2 }, "leds[0].pin must be a pin as Espruino names it"],
  ])("%s", (_, name, changes, message) => {
    const line = refusal(name, changes);
    expect(line).toContain(message);
    expect(line).toMatch(new RegExp(`^${name}\\.json:[0-9]+: `));
    expect(line).not.toContain("\n");
  });
});
