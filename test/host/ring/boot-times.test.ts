/**
 * Boards of a wired ring that get their power at different times, and no host: the ring forms by itself, with one token.
 * In order of time, (epoch, hop) of the tokens on all lines only grows: a second token would fall behind.
 */
import { expect, test } from "vitest";
import { crc32 } from "../../../firmware/crc32.js";
import { installAll } from "../../../firmware/protocols.js";
import { createReader, feed } from "../../../firmware/reader.js";
import { frameTypes } from "../../../firmware/registry.js";
import { createBoard } from "../../../src/emulator/board.ts";
import { ringWires, type UartPort } from "../../../src/emulator/hardware/ports.ts";
import {
  EMULATED_PROFILE,
  EMULATED_UART,
  emulatedFirmware,
  flashed,
} from "../../../src/host/bench/emulated-board.ts";
import { DEFAULT_PLAN, settingsOf } from "../../../src/simulation/plan.ts";
import { TestConsole, VirtualClock } from "../../emulator/bench.ts";

installAll();

interface Token {
  at: number;
  epoch: number;
  hop: number;
}

/** What a board transmits, heard on its line. */
function tapped(port: UartPort, clock: VirtualClock, tokens: Token[]): UartPort {
  const reader = createReader(512);
  return {
    timed: true,
    write(bytes, burst) {
      for (const frame of feed(reader, Buffer.from(bytes).toString("latin1"), crc32, frameTypes)) {
        if (frame.type === "TOK")
          tokens.push({ at: clock.now(), epoch: frame.args[0] as number, hop: frame.args[1] as number });
      }
      port.write(bytes, burst);
    },
    onData: (listener) => port.onData(listener),
  };
}

test.each([[[0, 0, 0]], [[0, 800, 3000]], [[5000, 0, 2000]], [[0, 12_000, 0]]])(
  "power after %j ms: one token only",
  async (delays) => {
    const clock = new VirtualClock();
    const code = await emulatedFirmware();
    const plan = { ...DEFAULT_PLAN, ids: [1, 2, 3], wiring: "wired" as const };
    const { ports } = ringWires(3);
    const tokens: Token[] = [];
    const boards = delays.map((bootDelayMs, i) =>
      createBoard({
        profile: EMULATED_PROFILE,
        clock,
        console: new TestConsole(),
        uarts: { [EMULATED_UART]: tapped(ports[i] as UartPort, clock, tokens) },
        storage: flashed(code, {
          id: i + 1,
          wiring: "wired",
          uart: EMULATED_UART,
          baud: 115_200,
          options: {},
          settings: settingsOf(plan),
        }),
        seed: i + 1,
        bootDelayMs,
      }),
    );
    clock.run(Math.max(...delays) + 15_000);
    for (const board of boards) board.stop();
    const late = tokens.filter(({ at }) => at > (Math.max(...delays) + 10_000) * 1000);
    expect(late.length).toBeGreaterThan(100);
    for (const [i, token] of late.entries()) {
      const before = late[i - 1];
      if (before) expect([token.epoch, token.hop]).toEqual([before.epoch, before.hop + 1]);
    }
  },
);
