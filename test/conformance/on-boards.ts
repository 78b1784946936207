/** Boards behind real ttys, through serialport: whose, is for the caller to say. */
import { setTimeout as sleep } from "node:timers/promises";
import { boardAction } from "../../src/host/ring/board-actions.ts";
import { BoardStation } from "../../src/host/ring/board-station.ts";
import { Ring } from "../../src/host/ring/ring.ts";
import { watchOf } from "../../src/host/ring/run-watch-of.ts";
import { linkTo } from "../../src/link/open.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { formatRecord } from "../../src/log/format.ts";
import type { RunRecord } from "../../src/log/records.ts";
import { settingsOf } from "../../src/simulation/plan.ts";
import { parseAction } from "../../src/simulation/script/script.ts";
import { events, type Platform, planOf, type Setup } from "./platform.ts";

/** Power and wires of boards that somebody has made. */
export interface Boards {
  /** Paths of the consoles, in ring order. */
  paths: readonly string[];
  /** What the board at a place needs to know of its UART on a wired ring. */
  uart(place: number): { [key: string]: unknown };
  off(place: number): Promise<void>;
  on(place: number): Promise<void>;
  /** Power goes and returns while the port stays open. */
  dark(place: number): void;
  light(place: number): void;
  stop(): Promise<void>;
}

export async function onBoards(setup: Setup, boards: Boards): Promise<Platform> {
  const columns = new RecordColumns();
  const records: RunRecord[] = [];
  const watch = watchOf(planOf(setup), false);
  const { limits, ...settings } = settingsOf(planOf(setup));
  // As the host sends them: whole milliseconds.
  const whole = Object.fromEntries(Object.entries(limits).map(([name, ms]) => [name, Math.ceil(ms)]));
  const connect = (path: string) => linkTo(path, { lineLimit: 2048 });
  const stations = setup.ids.map(
    (id, place) =>
      new BoardStation(id, boards.paths[place] as string, connect, { intervalMs: 100, maxIntervalMs: 200 }),
  );
  const ring = new Ring(stations, {
    wiring: setup.wiring,
    baud: planOf(setup).baud,
    settings: { ...settings, limits: whole as unknown as typeof limits },
    records: columns,
    configOf: (station) => (setup.wiring === "wired" ? boards.uart(setup.ids.indexOf(station.id)) : {}),
    onRecords() {
      watch.write(columns);
      for (let i = 0; i < columns.length; i++) records.push(columns.get(i));
      columns.clear();
    },
  });
  const stop = async () => {
    await ring.stop();
    await boards.stop();
  };
  try {
    const problems = await Promise.all(stations.map((station) => station.connect()));
    const bad = problems.filter((problem) => problem !== null);
    if (bad.length) throw new Error(bad.join("; "));
    const failed = await ring.start();
    if (failed.length) throw new Error(`did not start: ${failed}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    records,
    request: (id) => void stations[setup.ids.indexOf(id)]?.command("request"),
    fault: (action) =>
      boardAction(
        { ring, plan: planOf(setup), boards: [], wires: null, renamed: [], stop },
        parseAction(`0s ${action}`),
      )(),
    off: (id) => boards.off(setup.ids.indexOf(id)),
    on: (id) => boards.on(setup.ids.indexOf(id)),
    dark: (id) => boards.dark(setup.ids.indexOf(id)),
    light: (id) => boards.light(setup.ids.indexOf(id)),
    violation: () => watch.violation?.text ?? null,
    async until(what, holds, limitMs = 20_000) {
      for (const end = performance.now() + limitMs; !holds(); await sleep(5)) {
        if (performance.now() < end) continue;
        const last = events(records).slice(-25).map(formatRecord);
        const text = last.map((line) => `${line.time} ${line.who} ${line.what}`).join("\n");
        throw new Error(`boards: not within ${limitMs} ms: ${what}\n${text}`);
      }
    },
    stop,
  };
}
