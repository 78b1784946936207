/** Emulated boards on ttys. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMULATED_UART } from "../../src/host/bench/emulated-board.ts";
import { emulateTtys } from "../../src/host/bench/emulated-ttys.ts";
import { type Boards, onBoards } from "./on-boards.ts";
import type { Platform, Setup } from "./platform.ts";

export async function onEmulated(setup: Setup): Promise<Platform> {
  return onBoards(setup, await emulatedBoards(setup));
}

export async function emulatedBoards(setup: Setup): Promise<Boards> {
  const dir = mkdtempSync(join(tmpdir(), "ringlab-conformance-"));
  const ttys = await emulateTtys({ stations: setup.ids.length, dir, wired: setup.wiring === "wired" });
  const name = (place: number) => ttys.names[place] as string;
  return {
    paths: ttys.paths,
    uart: () => ({ uart: EMULATED_UART, baud: 115_200, options: {} }),
    off: (place) => ttys.unplug(name(place)),
    on: (place) => ttys.plug(name(place)),
    dark: (place) => ttys.board(name(place))?.powerOff(),
    light: (place) => ttys.board(name(place))?.powerOn(),
    async stop() {
      await ttys.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
