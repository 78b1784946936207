/** What is said to a board about its pins, and when. The boards themselves are in the other tests of this folder. */

import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { BoardPins } from "../../src/host/console/board-pins.ts";
import { callLine } from "../../src/host/console/call.ts";
import {
  analogWriteCall,
  INSTALL,
  modeCall,
  sampleCall,
  watchCall,
  writeCall,
} from "../../src/host/console/pin-calls.ts";
import { bundleFirmware } from "../../src/host/firmware-bundle/bundle.ts";

type Answer = { error?: string; at: number } | null;

describe("statements about pins", () => {
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  let said: string[];
  let answer: (answer: Answer) => Promise<void>;
  let pins: BoardPins;
  let alive: () => void;

  beforeEach(() => {
    said = [];
    const console = {
      evaluate: (statement: string) =>
        new Promise<Answer>((resolve) => {
          said.push(statement);
          answer = async (result) => {
            resolve(result);
            await settle();
          };
        }),
    };
    const timers = {
      after: (_ms: number, run: () => void) => {
        alive = run;
        return () => {};
      },
    };
    pins = new BoardPins(console, timers);
  });

  test("go one at a time, and only the latest of a pin", async () => {
    for (let i = 0; i < 1000; i++) {
      pins.write("B5", (i % 2) as 0 | 1);
      pins.write("B6", 0);
    }
    expect(said).toEqual(["digitalWrite(B5,0)"]);
    await answer({ at: 0 });
    await answer({ at: 0 });
    await answer({ at: 0 });
    expect(said).toEqual(["digitalWrite(B5,0)", "digitalWrite(B6,0)", "digitalWrite(B5,1)"]);
  });

  test("about one pin keep their order where a mode is among them", async () => {
    pins.write("B6", 0);
    pins.write("B5", 0);
    pins.mode("B5", "input");
    pins.write("B5", 1);
    for (let i = 0; i < 3; i++) await answer({ at: 0 });
    expect(said.slice(1)).toEqual(["pinMode(B5,'input')", "digitalWrite(B5,1)"]);
  });

  test("that nobody answered are said again once the board answers, with all that it was told", async () => {
    pins.write("B5", 1);
    await answer({ at: 0 });
    pins.write("B6", 1);
    await answer(null);
    pins.write("B7", 1);
    expect(said.splice(0)).toEqual(["digitalWrite(B5,1)", "digitalWrite(B6,1)"]);
    alive();
    await settle();
    await answer({ at: 0 });
    for (let i = 0; i < 3; i++) await answer({ at: 0 });
    expect(said).toEqual(["0", "digitalWrite(B5,1)", "digitalWrite(B6,1)", "digitalWrite(B7,1)"]);
  });

  test("that the board refuses are told once and not said again", async () => {
    const refused: string[] = [];
    pins.events = { ...pins.events, refused: (pin, reason) => refused.push(`${pin}: ${reason}`) };
    pins.write("K9", 1);
    await answer({ at: 0, error: "ReferenceError: K9 is not defined" });
    expect(refused).toEqual(["K9: ReferenceError: K9 is not defined"]);
    pins.restarted();
    await settle();
    expect(said).toHaveLength(1);
  });

  test("that end the reports stop at a board that does not answer", async () => {
    pins.watch("B5");
    for (let i = 0; i < INSTALL.length + 1; i++) await answer({ at: 0 });
    said = [];
    const done = pins.release();
    await answer(null);
    await done;
    expect(said).toHaveLength(1);
  });

  test("are names and numbers only", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^([A-Z]\d{1,2}|(LED|BTN)[1-9]?)$/.test(text));
        for (const call of [modeCall, writeCall, watchCall, analogWriteCall, sampleCall])
          expect(() => (call as (pin: string, ...rest: never[]) => string)(text)).toThrow(RangeError);
      }),
    );
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => analogWriteCall("B5", odd)).toThrow(RangeError);
  });

  test("fit the smallest receive buffer of a board, 256 bytes, with all round them", () => {
    const longest = [
      ...INSTALL,
      watchCall("LED1"),
      sampleCall("LED1", 99_999),
      analogWriteCall("B15", 1 / 3, 12_345.67),
    ];
    for (const statement of longest) {
      const { line } = callLine("evaluate", 999, [statement]);
      expect({ statement, fits: line.length + 1 <= 256 }).toEqual({ statement, fits: true });
    }
  });

  test("make no global but one that the firmware does not have", async () => {
    const firmware = await bundleFirmware(["bully"]);
    expect(firmware).not.toContain("$pins");
    for (const statement of [...INSTALL, watchCall("B5"), sampleCall("B5", 50)])
      expect(statement.replace(/function\(\w*(,\w)?\)\{var v=/, "")).not.toMatch(/\b(var|let|const)\b/);
  });
});
