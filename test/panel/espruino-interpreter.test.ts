/**
 * Johnny-Five on the real interpreter with our firmware. Its Linux build has no pins: the boot code puts a table in
 * their place, in which a wire joins D5 to D6.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import five from "johnny-five";
import { expect } from "vitest";
import { bundleFirmware } from "../../src/host/firmware-bundle/bundle.ts";
import { openEspruinoIO } from "../../src/panel/open-espruino-io.ts";
import { espruinoTest } from "../tools.ts";
import { readyBoard, until } from "./five.ts";

const TABLE = `
global.$levels={};global.$watches={};
global.pinMode=function(){};
global.setWatch=function(f,p){$watches[p.toString()]=f;return 1};
global.clearWatch=function(){};
global.digitalRead=function(p){return $levels[p.toString()]?1:0};
global.analogRead=function(p){return $levels[p.toString()]||0};
global.analogWrite=function(p,v){digitalWrite(p,v)};
global.digitalWrite=function(p,v){p=p.toString();$levels[p]=v;
  if(p=="D5"&&digitalRead("D6")!=(v?1:0)){$levels.D6=v;if($watches.D6)$watches.D6({state:v?1:0,time:getTime()})}};
`;

espruinoTest(
  "an Led and a Button that a wire joins: the button sees what the light does",
  async (binary) => {
    const dir = mkdtempSync(join(tmpdir(), "five-real-"));
    const tty = join(dir, "tty");
    writeFileSync(join(dir, "boot.js"), TABLE + (await bundleFirmware(["bully"])));
    writeFileSync(
      join(dir, "install.js"),
      'require("Storage").erase(".bootcde");E.setBootCode(require("fs").readFileSync("boot.js"));',
    );
    execFileSync(binary, ["install.js"], { cwd: dir, stdio: "ignore", timeout: 10_000 });
    // The interpreter does not mind SIGTERM: socat's end of file ends it, and this shell's kill what is left.
    const socat = spawn(
      "socat",
      [`pty,raw,echo=0,link=${tty}`, `exec:"timeout -s KILL 60 ${binary}",pipes`],
      { cwd: dir, stdio: "ignore" },
    );
    const ended = new Promise((resolve) => socat.once("close", resolve));
    try {
      for (let i = 0; i < 200 && !existsSync(tty); i++) await sleep(10);
      const io = await openEspruinoIO(tty);
      const board = await readyBoard(io);
      const led = new five.Led({ board, pin: "D5" });
      const button = new five.Button({ board, pin: "D6" });
      const sensor = new five.Sensor({ board, pin: "D5", freq: 20 });
      const heard: string[] = [];
      for (const event of ["press", "release"]) button.on(event as "press", () => heard.push(event));
      await sleep(500);
      led.on();
      await until(
        () => heard.length === 1,
        () => `heard ${heard}`,
        8000,
      );
      led.off();
      await until(
        () => heard.length === 2,
        () => `heard ${heard}`,
        8000,
      );
      expect(heard).toEqual(["press", "release"]);
      led.brightness(128);
      // 128 / 255 of 1023 steps.
      await until(
        () => sensor.value === 514,
        () => `it reads ${sensor.value}`,
        8000,
      );
      await io.close();
    } finally {
      socat.kill("SIGTERM");
      await ended;
      rmSync(dir, { recursive: true, force: true });
    }
  },
  60_000,
);
