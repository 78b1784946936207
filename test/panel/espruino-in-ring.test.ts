/** Johnny-Five beside a ring that runs, on the same consoles. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import five from "johnny-five";
import { expect } from "vitest";
import { makeBench } from "../../src/bench-file/load-bench.ts";
import { openBench, planOfBench } from "../../src/host/bench/bench-ring.ts";
import { emulateTtys } from "../../src/host/bench/emulated-ttys.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import type { RunRecord } from "../../src/log/records.ts";
import { openEspruinoIO } from "../../src/panel/open-espruino-io.ts";
import { toolTest } from "../tools.ts";
import { readyBoard, until } from "./five.ts";

toolTest(["socat"])(
  "an Led that is written all the time and a Button leave the ring as it is",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "five-ring-"));
    const ttys = await emulateTtys({ stations: 3, dir });
    const bench = makeBench(
      {
        title: "three boards on terminals",
        stations: ttys.paths.map((port, i) => ({ id: i + 1, port, board: "emulated" })),
      },
      dir,
      () => "test",
    );
    const seen: RunRecord[] = [];
    const records = new RecordColumns();
    const opened = await openBench(bench, {
      plan: planOfBench(bench, 1),
      idsGiven: true,
      records,
      onRecords: () => {
        for (let i = 0; i < records.length; i++) seen.push(records.get(i));
        records.clear();
      },
    });
    if (!opened) throw new Error("not opened");
    let from = 0;
    const count = (event: string) => seen.slice(from).filter((record) => record.event === event).length;
    try {
      await opened.ring.start();
      await opened.ring.stations[2]?.command("elect");
      await until(
        () => seen.some((record) => "type" in record && record.type === "TOK"),
        () => "a token",
        10_000,
      );
      const io = await openEspruinoIO(opened.ring.stations[0] as never);
      const board = await readyBoard(io);
      const led = new five.Led({ board, pin: "B5" });
      const button = new five.Button({ board, pin: "C3" });
      let presses = 0;
      button.on("press", () => presses++);
      const emulated = ttys.board("a");
      let changes = 0;
      emulated?.onPin((pin) => {
        if (pin === "B5") changes++;
      });
      // The ring's first token follows a "lost" of its own.
      from = seen.length;
      let writes = 0;
      const storm = setInterval(() => {
        for (let k = 0; k < 50; k++, writes++) led.toggle();
        led.toggle();
      }, 2);
      await new Promise((resolve) => setTimeout(resolve, 800));
      emulated?.setInput("C3", 1);
      await new Promise((resolve) => setTimeout(resolve, 500));
      clearInterval(storm);
      await until(
        () => presses === 1,
        () => `${presses} presses`,
      );
      expect(writes).toBeGreaterThan(5000);
      expect(changes).toBeGreaterThan(10);
      expect(count("hop")).toBeGreaterThan(50);
      for (const event of ["lost", "dropped", "bad", "beacon", "bypass", "console", "stale"])
        expect({ event, count: count(event) }).toEqual({ event, count: 0 });
      await io.close();
    } finally {
      await opened.ring.stop();
      await opened.stop();
      await ttys.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
  30_000,
);
