/** Every mutual exclusion on three emulated boards: the same firmware, bundled for flash, on an Espruino's console. */
import { describe, expect, test } from "vitest";
import { CORE, MUTEXES } from "../../firmware/protocols.js";
import { readLine } from "../../src/host/console/console-line.ts";
import { bundleFirmware } from "../../src/host/firmware-bundle/bundle.ts";
import { DEFAULT_PLAN, settingsOf } from "../../src/simulation/plan.ts";
import { mutexNamed } from "../../src/textbook/algorithms.ts";
import { type Bench, bench, VirtualClock } from "../emulator/bench.ts";

const IDS = [1, 2, 3];

interface Line {
  station: number;
  event: string;
  args: string[];
}

/** Three boards and a hub that carries each frame to the next board. */
class BoardRing {
  readonly lines: Line[] = [];
  readonly #boards: Bench[];
  readonly #clock = new VirtualClock();
  #call = 100;

  constructor(code: string, algorithm: string) {
    this.#boards = IDS.map(() => bench({ code, clock: this.#clock }));
    const plan = { ...DEFAULT_PLAN, ids: IDS, mutex: algorithm, election: "bully", criticalMs: 30 };
    const settings = settingsOf(plan);
    IDS.forEach((id, p) => {
      this.#boards[p]?.ask("\x10echo(0)\n");
      const config = JSON.stringify({ id, wiring: "hub", settings });
      this.tell(id, "attach", "0");
      this.tell(id, "configure", JSON.stringify(config));
    });
    this.run(500);
  }

  tell(id: number, call: string, ...args: string[]): void {
    const board = this.#boards[IDS.indexOf(id)];
    this.#call++;
    board?.console.send(`\x10station.${call}(${[this.#call, ...args].join(",")})\n`);
  }

  /** Carries frames for some virtual milliseconds. */
  run(ms: number): void {
    for (let passed = 0; passed < ms; passed += 5) {
      if (passed % 1000 === 0) for (const id of IDS) this.tell(id, "attach", "0");
      this.#clock.run(5);
      this.#boards.forEach((board, p) => {
        for (const said of board.console.take().split("\n").flatMap(readLine)) {
          if (said.kind !== "record") continue;
          const { event, rest } = said;
          this.lines.push({ station: IDS[p] as number, event, args: rest.split(",") });
          const next = IDS[(p + 1) % IDS.length] as number;
          if (event === "tx") this.tell(next, "frame", JSON.stringify(rest));
        }
      });
    }
  }

  count(event: string, from = 0): number {
    return this.lines.slice(from).filter((line) => line.event === event).length;
  }
}

describe.each(MUTEXES.map(({ name }) => name))("three boards that run %s", (algorithm) => {
  test("enter one after the other, for what the textbook says", async () => {
    const carried = CORE.some(({ name }) => name === algorithm) ? ["bully"] : ["bully", algorithm];
    const ring = new BoardRing(await bundleFirmware(carried), algorithm);
    ring.tell(3, "elect");
    ring.run(2000);
    const from = ring.lines.length;
    for (const id of [1, 2]) ring.tell(id, "request");
    ring.run(4000);

    expect(ring.lines.filter(({ event }) => event === "bad")).toEqual([]);
    let inside = 0;
    for (const { event } of ring.lines.slice(from)) {
      if (event === "enter") inside++;
      if (event === "exit") inside--;
      expect(inside).toBeLessThanOrEqual(1);
    }
    expect([ring.count("enter", from), ring.count("exit", from)]).toEqual([2, 2]);
    if (algorithm === "token-ring") return;
    const theory = mutexNamed(algorithm).theory({ ids: IDS, contenders: [1, 2], coordinator: 3, holder: 3 });
    const sent = ring.count("sent", from);
    expect(sent).toBeGreaterThanOrEqual(theory.least);
    expect(sent).toBeLessThanOrEqual(theory.most);
  }, 60_000);
});
