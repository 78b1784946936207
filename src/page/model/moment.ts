/** A ring at one moment: a function of its records up to there, and of nothing else. */
import { RingView, type StationView } from "../../check/ring-view.ts";
import type { RecordColumns } from "../../log/columns.ts";
import { announcementOf } from "../../log/frame-news.ts";
import { EVENT_CODE, HOST, type RunHeader } from "../../log/records.ts";
import { Lanes } from "../../log/summary/lanes.ts";

/** A station as the records tell of it. */
export interface StationMoment extends StationView {
  /** Nothing of it reaches its successor. */
  cut: boolean;
  /** Nothing reaches it. */
  deaf: boolean;
  /** It has the token, from its arrival until it starts to transmit it. */
  token: boolean;
  /** It hears nothing of its predecessor. */
  beaconing: boolean;
}

interface Extra {
  cut: boolean;
  deaf: boolean;
  token: boolean;
  beaconing: boolean;
}

/** What a moment can be taken up from again. */
export interface SavedMoment {
  read: number;
  stations: StationView[];
  extras: [number, Extra][];
  groups: string;
  lanes: ReturnType<Lanes["save"]>;
}

export class Moment {
  /** Records that it knows of. */
  read = 0;
  /** `1,2/3,4,5` while the ring is partitioned, else "". */
  groups = "";
  readonly #view: RingView;
  readonly #extras = new Map<number, Extra>();
  readonly #lanes: Lanes;
  readonly #columns: RecordColumns;

  constructor(header: RunHeader, columns: RecordColumns) {
    this.#columns = columns;
    const ring = {
      ids: header.stations,
      wiring: header.wiring,
      election: header.election,
      mutex: "",
      step: 256,
      leaseMs: 0,
    };
    this.#view = new RingView(ring, columns);
    for (const id of header.stations) this.#extras.set(id, freshExtra());
    this.#lanes = new Lanes((_, id, lane, up) => {
      const extra = this.#extras.get(id);
      if (extra && lane === "token") extra.token = up;
    });
  }

  /** Reads on to record `to` (exclusive). */
  readTo(to: number): void {
    for (; this.read < to; this.read++) this.#see(this.read);
  }

  stations(): StationMoment[] {
    return this.#view.stations.map((s) => ({ ...s, ...(this.#extras.get(s.id) as Extra) }));
  }

  save(): SavedMoment {
    return {
      read: this.read,
      stations: this.#view.stations.map((s) => ({ ...s })),
      extras: [...this.#extras].map(([id, extra]) => [id, { ...extra }]),
      groups: this.groups,
      lanes: this.#lanes.save(),
    };
  }

  restore(saved: SavedMoment): void {
    this.read = saved.read;
    this.groups = saved.groups;
    for (const [i, s] of saved.stations.entries()) Object.assign(this.#view.stations[i] as StationView, s);
    for (const [id, extra] of saved.extras) this.#extras.set(id, { ...extra });
    this.#lanes.restore(saved.lanes);
  }

  #see(i: number): void {
    const columns = this.#columns;
    this.#view.see(i);
    this.#lanes.write(columns, i);
    const id = columns.station[i] as number;
    const extra = this.#extras.get(id);
    switch (columns.event[i]) {
      case EVENT_CODE.hop:
        if (columns.frameTypes[columns.type[i] as number] === "AMP") this.#announced(i);
        break;
      case EVENT_CODE.fault:
        this.#fault(i, id, extra);
        break;
      case EVENT_CODE.crash:
      case EVENT_CODE.restart:
        if (extra) Object.assign(extra, { ...freshExtra(), cut: extra.cut, deaf: extra.deaf });
        break;
      case EVENT_CODE.beacon:
        if (extra) extra.beaconing = true;
        break;
      case EVENT_CODE.closed:
        if (extra) extra.beaconing = false;
        break;
    }
  }

  /** Who comes to a running ring has missed the records of its election. */
  #announced(i: number): void {
    const { coordinator } = announcementOf(this.#columns, i);
    const s = this.#view.station(coordinator);
    if (s && !s.duty && !this.#view.stations.some((other) => other.duty)) s.duty = true;
  }

  #fault(i: number, id: number, extra: Extra | undefined): void {
    const kind = this.#columns.value(i, 0);
    if (kind === "partition") this.groups = String(this.#columns.value(i, 1) ?? "");
    else if (kind === "heal" || kind === "calm") this.groups = "";
    if (kind === "calm" && id === HOST)
      for (const each of this.#extras.values()) Object.assign(each, { cut: false, deaf: false });
    if (!extra) return;
    if (kind === "cut") extra.cut = true;
    else if (kind === "deafen") extra.deaf = true;
    else if (kind === "mend") Object.assign(extra, { cut: false, deaf: false });
  }
}

function freshExtra(): Extra {
  return { cut: false, deaf: false, token: false, beaconing: false };
}
