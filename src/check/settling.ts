/** When a ring was last seen to be still recovering: after that, nothing happened but tokens, entries and announcements. */
import { EVENT_CODE, type EventName } from "../log/records.ts";
import type { RingView } from "./ring-view.ts";

const UNSETTLED: readonly EventName[] = [
  "lost",
  "regenerated",
  "stale",
  "elect",
  "stepdown",
  "abandoned",
  "joined",
  "beacon",
  "closed",
  "bypass",
  "insert",
];

export class Settling {
  /** Time of the last sign of recovery, microseconds. */
  unsettledAt = 0;
  readonly #codes = new Set(UNSETTLED.map((event) => EVENT_CODE[event]));
  readonly #coordinator = new Map<number, number>();

  /** Takes notice of record `i`. */
  see(i: number, view: RingView): void {
    const { records } = view;
    const event = records.event[i] as number;
    if (event === EVENT_CODE.coordinator) {
      const station = records.station[i] as number;
      const coordinator = records.a[i] as number;
      if (this.#coordinator.get(station) === coordinator) return;
      this.#coordinator.set(station, coordinator);
    } else if (!this.#codes.has(event)) return;
    this.unsettledAt = records.t[i] as number;
  }
}
