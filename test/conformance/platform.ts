/** One ring, whatever it is made of: what a scenario can do to it, and wait for. */
import { isFrameRecord, type RunRecord, type StationRecord } from "../../src/log/records.ts";
import { DEFAULT_PLAN, type Plan } from "../../src/simulation/plan.ts";

export interface Platform {
  readonly records: readonly RunRecord[];
  request(id: number): void;
  /** Power fails. */
  off(id: number): Promise<void>;
  /** Power returns. */
  on(id: number): Promise<void>;
  /** Power fails while the port stays open, as that of a USB-serial adapter does; and it returns. */
  dark(id: number): void;
  light(id: number): void;
  /** What the observer of a run has found. @returns null while all invariants hold */
  violation(): string | null;
  /** Does what a line of a script says of a fault, the boards by themselves. */
  fault(action: string): void;
  /** Lets time pass until something holds. @throws after `limitMs` of the platform's own time */
  until(what: string, holds: () => boolean, limitMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Setup {
  ids: readonly number[];
  election: string;
  wiring: "hub" | "wired";
}

/** The same limits and times everywhere: those of the slowest, a hub of real ports. */
export function planOf({ ids, election, wiring }: Setup): Plan {
  return {
    ...DEFAULT_PLAN,
    ids: [...ids],
    election,
    wiring,
    hostMicros: 10_000,
    criticalMs: 600,
    // An idle token takes its time, so that several rings share a computer.
    holdMs: 5,
    preemptMs: election === "bully" ? 0 : -1,
  };
}

export function events(records: readonly RunRecord[], name?: string, station?: number): StationRecord[] {
  return records.filter(
    (record): record is StationRecord =>
      !isFrameRecord(record) &&
      (name === undefined || record.event === name) &&
      (station === undefined || record.station === station),
  );
}

export function hops(records: readonly RunRecord[], type: string): number {
  return records.filter((record) => isFrameRecord(record) && record.event === "hop" && record.type === type)
    .length;
}
