/** How boards are wired: each says HEL on its UART, and who heard whom gives the order. */

import { aborted } from "../../aborted.ts";
import type { Bench } from "../../bench-file/load-bench.ts";
import { pause } from "../../link/time.ts";
import { RecordColumns } from "../../log/columns.ts";
import { isFrameRecord } from "../../log/records.ts";
import type { Plan } from "../../simulation/plan.ts";
import { openBench } from "../bench/bench-ring.ts";
import type { Ring } from "../ring/ring.ts";
import { type Heard, orderOf, type Wiring } from "../ring/wire-order.ts";

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
