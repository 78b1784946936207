/** What each station is over time: inside, coordinator, dead, out of the ring, standing still. */
import type { RecordColumns } from "../columns.ts";
import { EVENT_CODE, HOST } from "../records.ts";

export const CONDITIONS = ["dead", "stopped", "out", "duty", "inside"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Told of each change. */
export type ConditionChange = (t: number, station: number, condition: Condition, on: boolean) => void;

/** Faults after which a station stands still. */
const STOPS = new Set<unknown>(["hang", "pause"]);

export class Conditions {
  readonly #change: ConditionChange;
  readonly #on = new Map<number, Set<Condition>>();

  constructor(change: ConditionChange) {
    this.#change = change;
  }

  /** @returns what the station is now */
  of(station: number): ReadonlySet<Condition> {
    return this.#on.get(station) ?? new Set();
  }

  /** Takes record `i`. */
  write(columns: RecordColumns, i: number): void {
    const t = columns.t[i] as number;
    const station = columns.station[i] as number;
    if (station === HOST) return;
    const set = (condition: Condition, on: boolean) => this.#set(t, station, condition, on);
    switch (columns.event[i]) {
      case EVENT_CODE.enter:
        set("inside", true);
        break;
      case EVENT_CODE.exit:
        set("inside", false);
        break;
      case EVENT_CODE.coordinator:
        set("duty", columns.a[i] === station);
        break;
      case EVENT_CODE.stepdown:
        set("duty", false);
        break;
      case EVENT_CODE.bypass:
        set("out", true);
        break;
      case EVENT_CODE.insert:
        set("out", false);
        break;
      case EVENT_CODE.crash:
        for (const condition of ["inside", "duty", "stopped"] as const) set(condition, false);
        set("dead", true);
        break;
      case EVENT_CODE.restart:
        for (const condition of ["inside", "duty", "stopped", "dead"] as const) set(condition, false);
        break;
      case EVENT_CODE.fault: {
        const kind = columns.value(i, 0);
        if (STOPS.has(kind)) set("stopped", true);
        else if (kind === "resume") set("stopped", false);
        break;
      }
    }
  }

  #set(t: number, station: number, condition: Condition, on: boolean): void {
    let those = this.#on.get(station);
    if (!those) {
      if (!on) return;
      those = new Set();
      this.#on.set(station, those);
    }
    if (those.has(condition) === on) return;
    if (on) those.add(condition);
    else those.delete(condition);
    this.#change(t, station, condition, on);
  }
}
