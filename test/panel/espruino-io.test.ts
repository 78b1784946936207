/** Johnny-Five's components on emulated boards, through real terminals and serialport. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import five from "johnny-five";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Board } from "../../src/emulator/board.ts";
import { type EmulatedTtys, emulateTtys } from "../../src/host/bench/emulated-ttys.ts";
import { type EspruinoIO, openEspruinoIO } from "../../src/panel/open-espruino-io.ts";
import { findTool } from "../tools.ts";
import { processHandlers, readyBoard, until } from "./five.ts";

describe.skipIf(!findTool("socat"))(
  "Johnny-Five on an emulated board at a tty (skipped without socat)",
  () => {
    let dir: string;
    let ttys: EmulatedTtys;
    let io: EspruinoIO;
    let board: five.Board;
    let emulated: Board;
    /** Levels of outputs as they changed, by pin. */
    const levels: { [pin: string]: number[] } = {};
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    let handlers: string;

    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), "five-"));
      ttys = await emulateTtys({ stations: 1, dir });
      emulated = ttys.board("a") as Board;
      emulated.onPin((pin, value) => {
        levels[pin] ??= [];
        levels[pin].push(value);
      });
      handlers = processHandlers();
      io = await openEspruinoIO(ttys.paths[0] as string);
      board = await readyBoard(io);
      process.on("warning", onWarning);
    });

    afterAll(async () => {
      process.off("warning", onWarning);
      await io.close();
      expect(processHandlers()).toBe(handlers);
      await ttys.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    test("an Led goes on, off and blinks", async () => {
      const led = new five.Led({ board, pin: "LED1" });
      led.on();
      await until(
        () => emulated.read("LED1") === 1,
        () => "LED1 is on",
      );
      led.off();
      await until(
        () => emulated.read("LED1") === 0,
        () => "LED1 is off",
      );
      const before = levels.LED1?.length ?? 0;
      led.blink(30);
      await until(
        () => (levels.LED1?.length ?? 0) >= before + 6,
        () => "LED1 blinks",
      );
      led.stop().off();
      await until(
        () => emulated.read("LED1") === 0,
        () => "LED1 is off again",
      );
      const seen = levels.LED1 ?? [];
      expect(seen.every((value, i) => value === (i + 1) % 2)).toBe(true);
    });

    test("an Led is dimmed by PWM", async () => {
      new five.Led({ board, pin: "B6" }).brightness(128);
      await until(
        () => Math.abs(emulated.read("B6") - 128 / 255) < 0.001,
        () => `B6 is ${emulated.read("B6")}`,
      );
    });

    test("a Button is pressed, held and released", async () => {
      const heard: string[] = [];
      const button = new five.Button({ board, pin: "BTN1", holdtime: 100 });
      for (const event of ["press", "hold", "release"]) button.on(event as "press", () => heard.push(event));
      await until(
        () => io.pins[io.normalize("BTN1")]?.report === 1,
        () => "BTN1 reports",
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      emulated.setInput("BTN1", 1);
      await until(
        () => heard.includes("hold"),
        () => `heard ${heard}`,
      );
      emulated.setInput("BTN1", 0);
      await until(
        () => heard.includes("release"),
        () => `heard ${heard}`,
      );
      expect(heard.filter((event, i) => event !== heard[i - 1])).toEqual(["press", "hold", "release"]);
    });

    test("a Button with a pull-up asks for one and does not become an output", async () => {
      const heard: string[] = [];
      emulated.setInput("C3", 1);
      const button = new five.Button({ board, pin: "C3", isPullup: true });
      button.on("press", () => heard.push("press"));
      await new Promise((resolve) => setTimeout(resolve, 100));
      emulated.setInput("C3", 0);
      await until(
        () => heard.length === 1,
        () => `heard ${heard}`,
      );
      expect(levels.C3).toBeUndefined();
    });

    test("a Sensor reads a voltage in 1024 steps", async () => {
      emulated.setInput("A1", 0.25);
      const sensor = new five.Sensor({ board, pin: "A1", freq: 20 });
      await until(
        () => sensor.value === 256,
        () => `it reads ${sensor.value}`,
      );
      emulated.setInput("A1", 0.75);
      await until(
        () => sensor.value === 767,
        () => `it reads ${sensor.value}`,
      );
    });

    test("a Relay, a Servo and a Piezo do what they are for", async () => {
      const relay = new five.Relay({ board, pin: "B7" });
      relay.close();
      await until(
        () => emulated.read("B7") === 1,
        () => "B7 is on",
      );
      const servo = new five.Servo({ board, pin: "B8" });
      servo.to(90);
      // 600 to 2400 µs is what Johnny-Five takes for 0 to 180 degrees; the period is 20 ms.
      await until(
        () => Math.abs(emulated.read("B8") - 1500 / 20_000) < 1e-4,
        () => `B8 is ${emulated.read("B8")}`,
      );
      const piezo = new five.Piezo({ board, pin: "B9", controller: io.piezo } as never);
      piezo.frequency(440, 60);
      await until(
        () => levels.B9?.join() === "0.5,0",
        () => `B9 was ${levels.B9}`,
      );
    });

    test("pins that carry the ring, or that are none, are refused with one line", () => {
      const led = (pin: number | string) => () => new five.Led({ board, pin });
      expect(led("A3")).toThrow(/^A3 carries the ring \(Serial2\): use another pin$/);
      expect(led("LED7")).toThrow(
        '"LED7" is no pin of this board: it has LED1, LED2, LED3, BTN1 and pins such as B5',
      );
      expect(led('B5);load("')).toThrow("is no pin of this board");
      expect(led(13)).toThrow('13 is no pin of a ring board: give its name, such as "LED1" or "B5"');
      expect(() => io.analogWrite("BTN1", 3)).toThrow("BTN1 is a button of the board: it can only be read");
    });

    test("a pin that only this board lacks gives one warning", async () => {
      new five.Led({ board, pin: "K9" }).on();
      await until(
        () => warnings.length > 0,
        () => "a warning",
      );
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/^K9: the board says .*K9/);
    });

    test("after a restart the board is told all again", async () => {
      const led = new five.Led({ board, pin: "B10" });
      const button = new five.Button({ board, pin: "C4" });
      let presses = 0;
      button.on("press", () => presses++);
      led.on();
      await until(
        () => emulated.read("B10") === 1,
        () => "B10 is on",
      );
      emulated.brownOut({ offMs: 20 });
      await until(
        () => emulated.read("B10") === 0,
        () => "B10 is off",
      );
      await until(
        () => emulated.read("B10") === 1,
        () => "B10 is on again",
        6000,
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      emulated.setInput("C4", 1);
      await until(
        () => presses > 0,
        () => "the button is heard",
      );
    });

    test("a program is told that its board is gone, and that it is back", async () => {
      const heard: string[] = [];
      (board as unknown as NodeJS.EventEmitter).on("disconnect", (reason: string) =>
        heard.push(`gone: ${reason}`),
      );
      io.on("connect", () => heard.push("back"));
      await ttys.unplug("a");
      await until(
        () => heard.length > 0,
        () => "the program is told",
      );
      await ttys.plug("a");
      await until(
        () => heard.length > 1,
        () => "it is told that the board is back",
        8000,
      );
      expect(heard).toEqual([expect.stringMatching(/^gone: ./), "back"]);
    });

    test("a port that is not there, or that nobody answers at, gives one error", async () => {
      const path = join(dir, "z");
      await expect(openEspruinoIO(path)).rejects.toThrow(/^[^\n]*\/z: [^\n]*$/);
    });
  },
);
