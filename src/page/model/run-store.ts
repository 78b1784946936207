/** The records of one run in memory, and the ring at any moment of it. */
import { RecordColumns } from "../../log/columns.ts";
import { FRAME_EVENTS, type FrameRecord, HOST, type RunHeader } from "../../log/records.ts";
import { Moment, type SavedMoment, type StationMoment } from "./moment.ts";

/** A moment is kept after so many records: so many at the most are read again to go back. */
const KEPT_EVERY = 2048;
/** Frames that are looked at behind a moment for those under way in it. */
const LOOK_AHEAD = 4096;
const FRAME_EVENT_COUNT = FRAME_EVENTS.length;

/** The ring at one moment. */
export interface RingAt {
  /** Microseconds. */
  t: number;
  /** Records up to this moment. */
  count: number;
  stations: StationMoment[];
  /** Frames on their way; `done` is the part of it that lies behind them, 0 to 1. */
  flights: Flight[];
  /** `1,2/3,4,5` while the ring is partitioned, else "". */
  groups: string;
}

export interface Flight {
  record: FrameRecord;
  done: number;
}

export class RunStore {
  readonly header: RunHeader;
  readonly columns = new RecordColumns(4096);
  /** How far the run is known, µs: its last record, or its end. */
  end = 0;
  /** No more records will come. */
  ended = false;
  /** What a person should know of where the records come from. */
  warnings: string[] = [];
  /** Records of the beginning that are not kept any more. */
  thinned = 0;
  #longest = 0;
  readonly #saved: SavedMoment[] = [];
  readonly #front: Moment;
  #moment: Moment;

  constructor(header: RunHeader) {
    this.header = header;
    this.#front = new Moment(header, this.columns);
    this.#moment = new Moment(header, this.columns);
    this.#saved.push(this.#moment.save());
  }

  /** Adds a batch of records, which come in the order of time. */
  add(batch: RecordColumns, from = 0): void {
    const { columns } = this;
    for (let i = from; i < batch.length; i++) {
      columns.copy(batch, i);
      const took = batch.took[i] as number;
      if (took > this.#longest && (batch.event[i] as number) < FRAME_EVENT_COUNT) this.#longest = took;
    }
    if (columns.length) this.end = Math.max(this.end, columns.t[columns.length - 1] as number);
    for (;;) {
      const next = (this.#saved.at(-1) as SavedMoment).read + KEPT_EVERY;
      if (next > columns.length) break;
      this.#front.readTo(next);
      this.#saved.push(this.#front.save());
    }
  }

  /** Goes on where another store is at its record `first`, without what lies before. */
  startFrom(other: RunStore, first: number): void {
    const before = new Moment(other.header, other.columns);
    before.readTo(first);
    const saved = { ...before.save(), read: 0 };
    this.#saved[0] = saved;
    this.#front.restore(saved);
    this.#moment.restore(saved);
    this.add(other.columns, first);
  }

  /** @returns how many records lie at `t` or before it */
  countAt(t: number): number {
    const times = this.columns.t;
    let [low, high] = [0, this.columns.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as number) <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @returns the ring at `t`, with all that has happened by then */
  at(t: number): RingAt {
    const count = this.countAt(t);
    const kept = this.#saved[Math.floor(count / KEPT_EVERY)] ?? (this.#saved.at(-1) as SavedMoment);
    if (this.#moment.read > count || this.#moment.read < kept.read) this.#moment.restore(kept);
    this.#moment.readTo(count);
    const flights = this.#flights(t, count);
    const stations = this.#moment.stations();
    for (const { record } of flights) {
      const from = record.type === "TOK" && stations.find((s) => s.id === record.from);
      if (from) from.token = false;
    }
    return { t, count, stations, flights, groups: this.#moment.groups };
  }

  #flights(t: number, count: number): Flight[] {
    const { columns } = this;
    const flights: Flight[] = [];
    const last = Math.min(columns.length, count + LOOK_AHEAD);
    for (let i = count; i < last; i++) {
      const arrival = columns.t[i] as number;
      if (arrival - this.#longest > t) break;
      // Arrived, or lost at the very end of its way: both were on it.
      if ((columns.event[i] as number) > 1) continue;
      const took = columns.took[i] as number;
      if (arrival - took > t || took === 0) continue;
      const record = columns.get(i) as FrameRecord;
      if (record.from !== HOST) flights.push({ record, done: 1 - (arrival - t) / took });
    }
    return flights;
  }
}
