/** How boards are wired: each says HEL on its UART, and who heard whom gives the order. */
import type { Bench } from "../../bench-file/load-bench.ts";
import { hostTimers } from "../../link/time.ts";
import { RecordColumns } from "../../log/columns.ts";
import { isFrameRecord } from "../../log/records.ts";
import type { Plan } from "../../simulation/plan.ts";
import { openBench } from "../bench/bench-ring.ts";
import type { Ring } from "../ring/ring.ts";

/** What one station heard on its UART. */
export interface Heard {
  id: number;
  /** Ids whose HEL it heard. */
  hears: readonly number[];
  /** Bytes came that were no frame. */
  junk: boolean;
}

export interface Wiring {
  /** Ids in ring order, from the lowest; null where they do not form one ring. */
  order: number[] | null;
  /** What is wrong, one line each, with what to try. */
  problems: string[];
}

/** @returns the order of a ring, or what keeps the stations from being one */
export function orderOf(heard: readonly Heard[]): Wiring {
  const problems = heard.flatMap((station) => receiverProblems(station, heard));
  const known = new Set(heard.map(({ id }) => id));
  for (const { id } of heard) {
    const by = heard.filter(({ hears }) => hears.includes(id)).map((station) => station.id);
    if (by.length > 1)
      problems.push(`station ${id} is heard by ${list(by)}: lead its TX to the RX of one of them only`);
  }
  for (const { id, hears } of heard) {
    for (const stranger of hears.filter((from) => !known.has(from)))
      problems.push(
        `station ${id} hears station ${stranger}, which is none of the ports given: add its port`,
      );
  }
  if (problems.length > 0) return { order: null, problems };
  const rings = ringsOf(heard);
  if (rings.length <= 1) return { order: rings[0] ?? [], problems };
  return { order: null, problems: ringProblems(rings) };
}

/** What is wrong at one RX. */
function receiverProblems({ id, hears, junk }: Heard, all: readonly Heard[]): string[] {
  if (hears.length > 1) return [`station ${id} hears ${list(hears)}: only one TX may lead to its RX`];
  if (hears[0] === id && all.length > 1)
    return [`station ${id} hears itself: its TX leads to its own RX, lead it to the next station's`];
  if (hears.length === 1) return [];
  const unheard = all
    .filter((other) => other.id !== id && !all.some(({ hears }) => hears.includes(other.id)))
    .map((other) => other.id);
  if (junk) {
    const whom = unheard.length === 1 ? `station ${unheard[0]}` : "its predecessor";
    return [
      `station ${id} hears bytes but no frame: has ${whom} the same baud rate, and is ground joined to ground?`,
    ];
  }
  if (unheard.length === 0) return [`station ${id} hears nobody: does a TX lead to its RX?`];
  const whose = unheard.length === 1 ? unheard[0] : `one of ${list(unheard)}`;
  return [`station ${id} hears nobody: is TX of ${whose} on its RX?`];
}

/** Every station has one predecessor here and is heard by one, so the stations form rings. */
function ringsOf(heard: readonly Heard[]): number[][] {
  const next = new Map(heard.map(({ id, hears }) => [hears[0] as number, id]));
  const rings: number[][] = [];
  const seen = new Set<number>();
  for (const id of [...next.keys()].sort((a, b) => a - b)) {
    const ring: number[] = [];
    for (let at = id; !seen.has(at); at = next.get(at) as number) {
      seen.add(at);
      ring.push(at);
    }
    if (ring.length) rings.push(ring);
  }
  return rings;
}

function ringProblems(rings: readonly number[][]): string[] {
  const crossed = rings.filter((ring) => ring.length === 2).map(([a, b]) => `${a} and ${b}`);
  const pairs = crossed.map((pair) => `stations ${pair} hear only each other: a crossed pair`);
  const shown = rings.map((ring) => `${ring.join(" → ")} →`).join(" and ");
  const ends = rings.slice(0, 2).map((ring) => ring[0]);
  return [
    ...pairs,
    `${rings.length} rings: ${shown}: swap the wires at the RX of ${list(ends as number[])} to join them`,
  ];
}

function list(ids: readonly number[]): string {
  return ids.length < 2 ? ids.join("") : `${ids.slice(0, -1).join(", ")} and ${ids[ids.length - 1]}`;
}

/** Each station says HEL so often: a byte can be lost while a UART is opened. */
const ROUNDS = 2;
/** After a HEL the next waits so long: a frame at 9600 baud and the board's time for it, ms. */
const GAP_MS = 150;
/** A board that has just been configured opens its UART within this, ms. */
const SETTLE_MS = 300;

export interface Discovery extends Wiring {
  heard: Heard[];
  /** Ports by station id. */
  ports: Map<number, string>;
  /** It was ended early: what was heard until then says nothing of the rest. */
  partial: boolean;
}

/**
 * Opens the boards of a wired bench, in any order, and finds how they are wired. The stations start anew.
 * @param signal ends it early: with what was heard until then
 * @throws UsageError naming each port that does not answer, or two boards with one id
 */
export async function discover(bench: Bench, plan: Plan, signal: AbortSignal): Promise<Discovery> {
  const records = new RecordColumns(256);
  const heard = new Map<number, { hears: Set<number>; junk: boolean }>();
  const onRecords = () => {
    for (let i = 0; i < records.length; i++) {
      const record = records.get(i);
      const station = isFrameRecord(record) ? undefined : heard.get(record.station);
      if (!station || isFrameRecord(record)) continue;
      if (record.event === "hello") station.hears.add(Number(record.fields.from));
      else if (record.event === "bad") station.junk = true;
    }
    records.clear();
  };
  const opening = openBench(bench, { plan, idsGiven: false, records, onRecords, signal });
  const opened = await opening.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (!opened) return { order: null, problems: [], heard: [], ports: new Map(), partial: true };
  const { stations } = opened.ring;
  try {
    for (const { id } of stations) heard.set(id, { hears: new Set(), junk: false });
    await Promise.race([aborted(signal), sayHello(opened.ring, signal)]);
    onRecords();
  } finally {
    await opened.ring.stop();
    await opened.stop();
  }
  const result = [...heard].map(([id, { hears, junk }]) => ({ id, hears: [...hears], junk }));
  const ports = new Map(stations.map(({ id, where }) => [id, where]));
  const wiring = signal.aborted ? { order: null, problems: [] } : orderOf(result);
  return { ...wiring, heard: result, ports, partial: signal.aborted };
}

/** Lets every station say hello on its UART, one after the other. */
async function sayHello(ring: Ring, signal: AbortSignal): Promise<void> {
  await ring.start();
  await pause(SETTLE_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const station of ring.stations) {
      if (signal.aborted) return;
      await station.command("hello");
      await pause(GAP_MS);
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    hostTimers.after(ms, resolve);
  });
}
