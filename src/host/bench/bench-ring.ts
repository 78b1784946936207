/** Builds the ring that a bench file describes: boards behind ports, emulated boards, simulated stations. */

import type { BenchStation } from "../../bench-file/bench-checks.ts";
import type { Bench } from "../../bench-file/load-bench.ts";
import type { BoardProfile } from "../../bench-file/profile-schema.ts";
import { profileNamed, shippedProfiles } from "../../bench-file/profiles.ts";
import type { Board } from "../../emulator/board.ts";
import { type RingWires, ringWires } from "../../emulator/hardware/ports.ts";
import { UsageError } from "../../errors.ts";
import { linkTo } from "../../link/open.ts";
import type { ReconnectOptions } from "../../link/reconnect.ts";
import type { RecordColumns } from "../../log/columns.ts";
import { isAdded, loadableNames } from "../../protocols/registry.ts";
import { DEFAULT_PLAN, defaultPreemptMs, type Plan, settingsOf } from "../../simulation/plan.ts";
import { BoardStation } from "../ring/board-station.ts";
import { Ring } from "../ring/ring.ts";
import type { RingStation } from "../ring/ring-station.ts";
import { SimulatedStation } from "../ring/simulated-station.ts";
import { consolePair, EMULATED_UART, emulatedBoard, emulatedFirmware, flashed } from "./emulated-board.ts";
import { speedsOf } from "./line-speed.ts";

/** Lines of lists and of JSON from a board may be longer than a frame's. */
const CONSOLE_LINE = 2048;

const HOST_MICROS = 10_000;

/** @param id of the station @param open true: bypassed */
export type Relay = (id: number, open: boolean) => boolean;

export interface BenchRing {
  ring: Ring;
  plan: Plan;
  /** Emulated boards in ring order; undefined where the station is something else. */
  boards: (Board | undefined)[];
  /** The wires of an emulated wired ring, in ring order. */
  wires: RingWires | null;
  /** Boards that had another id until now, in words: paths that were swapped show here. */
  renamed: string[];
  stop(): Promise<void>;
}

/**
 * @param mutex name of the mutual exclusion protocol
 * @returns the plan whose limits fit a bench
 * @throws UsageError for a limit that is too low
 */
export function planOfBench(bench: Bench, seed: number, mutex = DEFAULT_PLAN.mutex): Plan {
  const slowest = Math.max(
    ...bench.stations.map((station) =>
      station.profile ? station.profile.boardMicros : DEFAULT_PLAN.boardMicros,
    ),
  );
  const { holdMs, criticalMs, leaseMs, preemptMs } = bench.options ?? {};
  const { ring, consoleMicros } = speedsOf(bench);
  const hub = bench.wiring === "hub";
  return {
    ...DEFAULT_PLAN,
    ids: bench.stations.map(({ id }) => id),
    wiring: bench.wiring,
    baud: ring,
    // A board of a wired ring tells the host of each frame before it takes the next.
    boardMicros: slowest + (hub ? 0 : consoleMicros),
    // A hub of real ports takes its time: scheduling of this process, USB frames, the board's console.
    hostMicros: HOST_MICROS + (hub ? consoleMicros : 0),
    election: bench.election,
    mutex,
    holdMs: holdMs ?? 0,
    criticalMs: criticalMs ?? DEFAULT_PLAN.criticalMs,
    leaseMs: leaseMs ?? 0,
    preemptMs: preemptMs ?? defaultPreemptMs(bench.election),
    limits: Object.fromEntries(Object.entries(bench.limits ?? {}).filter(([, ms]) => ms !== undefined)),
    seed,
  };
}

/**
 * Opens every port, finds the stations and makes the ring; nothing has started yet.
 * @param options.idsGiven false: boards that have ids of their own keep them
 * @throws the reason of `signal` when that came first; UsageError naming each port that does not answer, or two boards with one id
 */
export async function openBench(
  bench: Bench,
  options: {
    plan: Plan;
    idsGiven: boolean;
    records: RecordColumns;
    onRecords: () => void;
    /** Opens or closes the relay of a station of a wired ring. @returns false when it has none */
    relay?: Relay;
    /** Ends the opening, which can take some seconds where a port does not answer. */
    signal?: AbortSignal;
    /** How lost boards are looked for. */
    reconnect?: Partial<ReconnectOptions>;
  },
): Promise<BenchRing> {
  const { idsGiven, records, onRecords } = options;
  const boards: (Board | undefined)[] = [];
  const emulated = bench.stations.some(({ port }) => port === "emulated");
  const code = emulated ? await firmwareFor(options.plan) : "";
  const wires = bench.wiring === "wired" && emulated ? ringWires(bench.stations.length) : null;
  const speeds = speedsOf(bench);
  const stations = bench.stations.map((station, index): RingStation => {
    if (station.port === "simulated") return new SimulatedStation(station.id, options.plan.seed);
    if (station.port !== "emulated") {
      const baudRate = speeds.consoles[index] as number;
      const connect = (path: string) => linkTo(path, { baudRate, lineLimit: CONSOLE_LINE });
      return new BoardStation(station.id, station.port, connect, options.reconnect);
    }
    const { port, link } = consolePair(`emulated ${station.id}`);
    const wire = wires?.ports[index];
    boards[index] = emulatedBoard({
      index,
      seed: options.plan.seed,
      console: port,
      ...(wire ? { uart: { name: EMULATED_UART, port: wire } } : {}),
      storage: flashed(code),
    });
    return new BoardStation(station.id, `emulated ${station.id}`, () => link);
  });
  const stop = async () => {
    await Promise.all(stations.map((station) => station.stop()));
    for (const board of boards) board?.stop();
  };
  const onAbort = () => void stop();
  options.signal?.addEventListener("abort", onAbort);
  try {
    await connectAll(stations);
    options.signal?.throwIfAborted();
    if (!idsGiven) adoptIds(stations.filter((station) => station instanceof BoardStation));
  } catch (error) {
    await stop();
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
  }
  const renamed = stations.flatMap((station) => {
    const was = station instanceof BoardStation ? station.info?.id : undefined;
    if (was === undefined || was === station.id) return [];
    return [`the board on ${station.where} was station ${was} until now, and is station ${station.id} here`];
  });
  const plan = { ...options.plan, ids: stations.map(({ id }) => id) };
  const ring = new Ring(stations, {
    wiring: bench.wiring,
    baud: plan.baud,
    settings: rounded(settingsOf(plan)),
    records,
    seed: plan.seed,
    configOf: (station) => configOf(plan, profileOf(station, bench.stations[stations.indexOf(station)])),
    onRecords,
    relay: (position, open) => {
      if (!options.relay?.((stations[position] as RingStation).id, open)) return false;
      wires?.bypass(position, open);
      return true;
    },
  });
  return { ring, plan, boards, wires, renamed, stop };
}

/** Every election of ours, or the one of the plan beside its mutual exclusion: a board's memory holds no more. */
function firmwareFor({ election, mutex }: Plan): Promise<string> {
  if (mutex === DEFAULT_PLAN.mutex && !isAdded(election)) return emulatedFirmware();
  const loadable = loadableNames();
  return emulatedFirmware([election, mutex].filter((name) => loadable.includes(name)));
}

async function connectAll(stations: readonly RingStation[]): Promise<void> {
  const problems = await Promise.all(
    stations.map(async (station) => {
      if (!(station instanceof BoardStation)) return null;
      try {
        const problem = await station.connect();
        return problem && `${station.where}: ${problem}`;
      } catch (error) {
        if (error instanceof UsageError) return error.message;
        throw error;
      }
    }),
  );
  const bad = problems.filter((problem) => problem !== null);
  if (bad.length) throw new UsageError(bad.join("; "));
}

/**
 * Where the ids were not given, a board keeps the id that it has; the others take what is free.
 * @throws UsageError naming both ports of an id that is there twice
 */
function adoptIds(stations: readonly BoardStation[]): void {
  const owners = new Map<number, string>();
  for (const station of stations) {
    const own = station.info?.id;
    if (own === undefined) continue;
    const other = owners.get(own);
    if (other !== undefined) {
      throw new UsageError(
        `two boards have the id ${own}: ${other} and ${station.where}; name the ids with --ids`,
      );
    }
    owners.set(own, station.where);
    station.id = own;
  }
  let free = 1;
  for (const station of stations) {
    if (station.info?.id !== undefined) continue;
    while (owners.has(free)) free++;
    owners.set(free, station.where);
    station.id = free;
  }
}

/** Ports of the command line come without a type of board: there, and where it differs, the board says what it is. */
function profileOf(station: RingStation, entry: BenchStation | undefined): BoardProfile {
  const name = station instanceof BoardStation ? station.info?.board : undefined;
  const said = [...shippedProfiles().values()].find(({ espruinoBoards }) =>
    espruinoBoards.includes(name ?? ""),
  );
  return said ?? entry?.profile ?? profileNamed("emulated");
}

/** What a board of this type needs to know of its own pins. */
function configOf(plan: Plan, profile: BoardProfile): { [key: string]: unknown } {
  const leds = profile.leds ?? [];
  const button = profile.buttons?.[0];
  const config: { [key: string]: unknown } = {};
  if (leds.length) {
    config.leds = leds.map(({ name }) => name);
    config.ledOn = leds[0]?.active ?? 1;
  }
  if (button) {
    config.button = button.name;
    config.buttonDown = button.active;
  }
  if (plan.wiring === "wired") {
    if (!profile.link) {
      const why = profile.hubOnly ?? "it has no second UART";
      throw new UsageError(`${profile.title} cannot be in a wired ring: ${why}; use a hub (--wiring hub)`);
    }
    config.uart = profile.link.uart;
    config.baud = plan.baud;
    config.options = { rx: profile.link.rx, tx: profile.link.tx };
  }
  return config;
}

/** Whole milliseconds: boards print numbers with fewer digits than this program. */
function rounded(settings: ReturnType<typeof settingsOf>): ReturnType<typeof settingsOf> {
  const limits = Object.fromEntries(
    Object.entries(settings.limits).map(([name, ms]) => [name, Math.ceil(ms)]),
  );
  return { ...settings, limits: limits as unknown as typeof settings.limits };
}
