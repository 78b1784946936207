/** Boards with other ids that are found where a station of the ring is looked for. */
import type { RingStation } from "./ring-station.ts";

export interface StrangerReports {
  /** The ring has the id already. @param port of the board that is refused @param owner port of the one that has the id */
  refuse(id: number, port: string, owner: string): void;
  remark(text: string): void;
}

export class Strangers {
  readonly #stations: readonly RingStation[];
  readonly #reports: StrangerReports;
  /** Port and boot id of those that were told of. */
  readonly #met = new Set<string>();

  constructor(stations: readonly RingStation[], reports: StrangerReports) {
    this.#stations = stations;
    this.#reports = reports;
  }

  /** Each is told of once, however often it is found. @param away the station that is looked for */
  meet(away: RingStation, id: number, bootId: string, port: string): void {
    const key = `${port} ${bootId}`;
    if (this.#met.has(key)) return;
    this.#met.add(key);
    const owner = this.#stations.find((station) => station.id === id);
    if (owner) this.#reports.refuse(id, port, owner.where);
    else
      this.#reports.remark(
        `station ${id} is on ${port}, where station ${away.id} is looked for: it is left alone`,
      );
  }
}
