/** What a board keeps, and what it leaves behind: epochs over a power cut, nothing of the configuration before. */
import { expect, test } from "vitest";
import { crc32 } from "../../../firmware/crc32.js";
import { encode } from "../../../firmware/frame.js";
import { createStorage } from "../../../src/emulator/hardware/storage.ts";
import { bundleFirmware } from "../../../src/host/firmware-bundle/bundle.ts";
import { DEFAULT_PLAN, type Plan, settingsOf } from "../../../src/simulation/plan.ts";
import { type Bench, bench } from "../../emulator/bench.ts";

const code = await bundleFirmware(["bully", "ring"]);

/** A board whose calls are numbered by themselves, and which hears the host all the time. */
class Board {
  readonly bench: Bench;
  #n = 0;

  constructor(options: Parameters<typeof bench>[0] = {}) {
    this.bench = bench({ code, ...options });
    this.bench.ask("\x10echo(0)\n");
  }

  call(name: string, ...args: (string | number)[]): string {
    const list = [++this.#n, ...args].map((arg) => JSON.stringify(arg)).join(",");
    return this.bench.ask(`\x10station.${name}(${list})\n`, 100);
  }

  configure(more: object, plan: Partial<Plan> = {}): string {
    const settings = settingsOf({ ...DEFAULT_PLAN, ids: [2, 3], ...plan });
    return this.call("configure", JSON.stringify({ id: 2, settings, ...more }));
  }

  frame(type: string, src: number, dst: number, ...args: number[]): string {
    return this.call("frame", encode({ type, src, dst, args, flags: 0 }, crc32).trimEnd());
  }

  /** What it says within a time, while the host is attached. */
  hear(ms: number): string {
    let said = "";
    for (let t = 0; t < ms; t += 1000) said += this.call("attach", 0) + this.bench.ask("", 900);
    return said;
  }

  powerCycle(): void {
    this.bench.board.powerOff();
    this.bench.board.powerOn();
    this.bench.clock.run(1100);
    this.bench.ask("\x10echo(0)\n");
  }

  info(name: "known" | "boot"): number {
    return Number(new RegExp(`"${name}":(\\d+)`).exec(this.call("info"))?.[1]);
  }
}

/** The board is in a ring with 3, which is its coordinator in an epoch, and enters so often. */
function enters(board: Board, epoch: number, times: number): void {
  // Its question whether its id is taken comes back.
  board.frame("DUP", 2, 2, board.info("boot"), 0);
  board.frame("AMP", 3, 255, epoch, epoch);
  for (let n = 0; n < times; n++) {
    board.call("request");
    expect(board.frame("TOK", 3, 253, epoch, 2 * n, n)).toContain(`enter,${epoch},${n + 1}`);
    board.bench.clock.run(100);
  }
}

test("an epoch in which it has entered outlives a power cut, for one write to flash however many the entries", () => {
  const storage = createStorage({ size: 48 * 1024 });
  const writes: string[] = [];
  const board = new Board({
    storage: {
      ...storage,
      write(name, data, offset, size) {
        if (name === "ring.epoch") writes.push(Buffer.from(data).toString());
        storage.write(name, data, offset, size);
      },
    },
  });
  board.call("attach", 0);
  board.configure({});
  enters(board, 259, 3);
  enters(board, 1027, 3);
  expect(writes).toEqual(["259", "1027"]);
  board.powerCycle();
  expect(board.info("known")).toBe(1027);
  // Elections begin in the round of the epoch that a station knows.
  const elections = board.hear(2000).matchAll(/ELECTION,3,(\d+)/g);
  expect(Math.min(...Array.from(elections, ([, number]) => Number(number)))).toBeGreaterThan(1027);
});

test("a station that has booted before the host was there begins at the epoch that the host knows", () => {
  const board = new Board();
  board.call("attach", 0);
  board.configure({});
  board.powerCycle();
  board.call("attach", 2051, 1);
  // The text of its configuration is the same, so that this changes nothing.
  board.configure({});
  expect(board.hear(5000)).toMatch(/elect,2306,/);
});

test("flash that is full does not stop an entry", () => {
  const storage = createStorage({ size: 48 * 1024 });
  const board = new Board({ storage });
  board.call("attach", 0);
  board.configure({});
  storage.write("rest", new Uint8Array(storage.free()));
  enters(board, 259, 2);
  expect(board.info("known")).toBe(259);
});

test("from wired to hub: nothing goes to the UART any more, nothing comes from it, and no beacon is sent", () => {
  const board = new Board({ wired: true });
  const { serial1 } = board.bench;
  board.call("attach", 0);
  board.configure({ wiring: "wired", uart: "Serial1", baud: 115_200, options: {} });
  expect(serial1.take()).toContain("$HEL,2,");
  expect(board.configure({ wiring: "hub" })).toContain("tx,$HEL,2,");
  serial1.take();
  serial1.send(encode({ type: "HEL", src: 3, dst: 253, args: [7], flags: 0 }, crc32));
  const said = board.hear(60_000);
  expect(serial1.take()).toBe("");
  expect(said).toContain("tx,$DUP,2,");
  expect(said).not.toMatch(/hello|rx,|beacon|BCN|BUFFER_FULL/);
});

test("from wired to wired with another speed: the UART has the new one, and each frame is heard once", () => {
  const board = new Board({ wired: true });
  const { serial1, clock } = board.bench;
  board.call("attach", 0);
  board.configure({ wiring: "wired", uart: "Serial1", baud: 115_200, options: {} });
  board.configure({ wiring: "wired", uart: "Serial1", baud: 9600, options: {} });
  clock.run(1000);
  serial1.take();
  const from = clock.now();
  board.call("hello");
  clock.run(1000);
  const out = (serial1.pieces.at(-1)?.atUs ?? 0) - from;
  // Twenty characters take 17 ms at 9600 baud, and less than 2 at 115200.
  expect(out).toBeGreaterThan(15_000);
  serial1.send(encode({ type: "HEL", src: 3, dst: 253, args: [7], flags: 0 }, crc32));
  expect(board.hear(2000).match(/rx,\$HEL/g)).toHaveLength(1);
});

test("another election: frames of the one before are unknown", () => {
  const board = new Board();
  board.call("attach", 0);
  board.configure({});
  expect(board.frame("BEL", 3, 2, 259)).not.toContain("bad,unknown-type");
  board.configure({}, { election: "ring" });
  expect(board.frame("BEL", 3, 2, 259)).toContain("bad,unknown-type");
  board.configure({});
  expect(board.frame("BEL", 3, 2, 259)).not.toContain("bad");
});

test("other LEDs: those of the configuration before go out", () => {
  const board = new Board();
  const { bench } = board;
  board.call("attach", 0);
  board.configure({ leds: ["LED1", "LED2"] }, { criticalMs: -1 });
  enters(board, 259, 1);
  expect([bench.board.read("LED1"), bench.board.read("LED2")]).toEqual([1, 1]);
  board.configure({ leds: ["LED1"] });
  expect([bench.board.read("LED1"), bench.board.read("LED2")]).toEqual([0, 0]);
});

test("the button works from the first configuration on, once a press, and goes with the next", () => {
  const board = new Board();
  const press = () => {
    board.bench.console.take();
    board.bench.board.press("BTN1", 100);
    board.bench.clock.run(500);
    return board.bench.console.take().match(/request/g)?.length ?? 0;
  };
  board.call("attach", 0);
  expect(press()).toBe(0);
  board.configure({ button: "BTN1", buttonDown: 1 });
  expect(press()).toBe(1);
  board.configure({ button: "BTN1", buttonDown: 1, line: 500 });
  expect(press()).toBe(1);
  board.configure({});
  expect(press()).toBe(0);
});
