/** A hub ring of emulated boards whose console lines a test can damage, line by line, in both directions. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Board } from "../../src/emulator/board.ts";
import type { ConsolePort } from "../../src/emulator/hardware/ports.ts";
import { emulatedBoard, emulatedFirmware, flashed } from "../../src/host/bench/emulated-board.ts";
import { BoardStation } from "../../src/host/ring/board-station.ts";
import { Ring } from "../../src/host/ring/ring.ts";
import { watchOf } from "../../src/host/ring/run-watch-of.ts";
import type { Link } from "../../src/link/link.ts";
import { type Delivery, memoryPair } from "../../src/link/memory.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { isFrameRecord, type RunRecord, type StationRecord } from "../../src/log/records.ts";
import { DEFAULT_PLAN, settingsOf } from "../../src/simulation/plan.ts";

/** What arrives of a line, its newline included; the line itself where nothing is done to it. */
export type Damage = (line: string) => string;

const whole: Damage = (line) => line;

export interface Wire {
  toBoard: Damage;
  toHost: Damage;
  /** All that has arrived at the board. */
  heard: string;
}

export interface DamagedRing {
  ring: Ring;
  stations: BoardStation[];
  boards: Board[];
  /** By place in the ring. */
  wires: Wire[];
  records: RunRecord[];
  events(name: string, station?: number): StationRecord[];
  hops(type: string): number;
  violation(): string | null;
  /** Waits until something holds. @throws with the events so far when that takes longer than `limitMs` */
  until(what: string, holds: () => boolean, limitMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Cuts a stream into lines and lets a damage loose on each. */
function lineByLine(damage: () => Damage, arrived: (text: string) => void) {
  let rest = "";
  return (bytes: Buffer): Delivery[] => {
    const lines = (rest + bytes.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    const text = lines.map((line) => damage()(`${line}\n`)).join("");
    arrived(text);
    return text === "" ? [] : [{ bytes: Buffer.from(text, "latin1") }];
  };
}

/** A console port whose lines go through damages, and the host's link to it. */
export function damagedWire(path: string): { wire: Wire; link: Link; console: ConsolePort } {
  const wire: Wire = { toBoard: whole, toHost: whole, heard: "" };
  const lanes = {
    a: lineByLine(
      () => wire.toBoard,
      (text) => {
        wire.heard += text;
      },
    ),
    b: lineByLine(
      () => wire.toHost,
      () => {},
    ),
  };
  const { a, b } = memoryPair({
    paths: { a: path, b: `${path} (board)` },
    capacity: 65_536,
    lineLimit: 2048,
    fault: (bytes, from) => lanes[from](bytes),
  });
  const console: ConsolePort = {
    write: (bytes) => {
      b.write(Buffer.from(bytes).toString("latin1"));
    },
    onData: (listener) => {
      b.listener = { onBytes: (bytes) => listener(bytes) };
      void b.open();
    },
  };
  return { wire, link: a, console };
}

/** One board behind a wire, with our firmware. */
export async function boardBehindWire(index: number, id = index + 1) {
  const { wire, link, console } = damagedWire(`board ${id}`);
  const board = emulatedBoard({ index, seed: 1, console, storage: flashed(await emulatedFirmware()) });
  return { wire, board, station: new BoardStation(id, `board ${id}`, () => link) };
}

export async function damagedRing(
  count: number,
  changes: Partial<typeof DEFAULT_PLAN> = {},
): Promise<DamagedRing> {
  const made = await Promise.all(Array.from({ length: count }, (_, i) => boardBehindWire(i)));
  const ids = made.map(({ station }) => station.id);
  const plan = { ...DEFAULT_PLAN, ids, hostMicros: 10_000, ...changes };
  const settings = settingsOf(plan);
  // Boards print fewer digits than this program.
  for (const [name, ms] of Object.entries(settings.limits))
    (settings.limits as unknown as { [name: string]: number })[name] = Math.ceil(ms as number);
  const columns = new RecordColumns();
  const records: RunRecord[] = [];
  const watch = watchOf(plan, false);
  const stations = made.map(({ station }) => station);
  for (const station of stations) {
    const problem = await station.connect();
    if (problem !== null) throw new Error(problem);
  }
  const ring = new Ring(stations, {
    wiring: "hub",
    baud: plan.baud,
    settings,
    records: columns,
    configOf: () => ({}),
    onRecords() {
      watch.write(columns);
      for (let i = 0; i < columns.length; i++) records.push(columns.get(i));
      columns.clear();
    },
  });
  const events = (name: string, station?: number) =>
    records.filter(
      (record): record is StationRecord =>
        !isFrameRecord(record) &&
        record.event === name &&
        (station === undefined || record.station === station),
    );
  return {
    ring,
    stations,
    boards: made.map(({ board }) => board),
    wires: made.map(({ wire }) => wire),
    records,
    events,
    hops: (type) => records.filter((record) => record.event === "hop" && record.type === type).length,
    violation: () => watch.violation?.text ?? null,
    async until(what, holds, limitMs = 15_000) {
      for (const deadline = performance.now() + limitMs; !holds(); await sleep(5)) {
        if (performance.now() < deadline) continue;
        const last = records.filter((record) => !isFrameRecord(record)).slice(-25);
        throw new Error(
          `not within ${limitMs} ms: ${what}\n${last.map((r) => JSON.stringify(r)).join("\n")}`,
        );
      }
    },
    async stop() {
      await ring.stop();
      for (const { board } of made) board.stop();
    },
  };
}

/** Takes one character out of the next line that matches. @param at index in the match, from its end where negative */
export function loseOne(pattern: RegExp, at: number): { damage: Damage; done(): boolean } {
  let done = false;
  return {
    damage: (line) => {
      const match = done ? null : pattern.exec(line);
      if (!match) return line;
      done = true;
      const place = match.index + (at < 0 ? match[0].length + at : at);
      return line.slice(0, place) + line.slice(place + 1);
    },
    done: () => done,
  };
}
