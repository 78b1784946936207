/**
 * Lamport and vector timestamps of every event of a run, computed on the host from the records: they cost the boards
 * nothing. A hop is one send at `from`, at `t - took`, and one receive at `to`, at `t`; a frame that was dropped or
 * corrupted is a send that nobody receives. The host and the medium have no clock: what they do (faults, copies,
 * delays) is no event here.
 *
 * Sources: L. Lamport, "Time, clocks, and the ordering of events in a distributed system", CACM 21(7), 1978;
 * F. Mattern, "Virtual time and global states of distributed systems", 1989 (a -> b exactly when V(a) < V(b)).
 */
import { UsageError } from "../../errors.ts";
import type { RecordColumns } from "../columns.ts";
import type { RunSource } from "../file/source.ts";
import { EVENT_CODE, type FrameRecord, HOST, type RunRecord } from "../records.ts";

export type EventKind = "local" | "send" | "receive";

export interface Stamp {
  /** Id of the station whose event it is. */
  station: number;
  lamport: number;
  /** By place in `ids`; an entry that is 0 or absent says that nothing of that station is known. */
  vector: readonly number[];
  /** The stations of the run's header, then others in the order in which they came. */
  ids: readonly number[];
}

export interface StampedEvent extends Stamp {
  kind: EventKind;
  /** Of a send, the record of the frame, which may come later in the run. */
  record: RunRecord;
}

/** A record with the stamps of its events. */
export interface StampedRecord {
  record: RunRecord;
  /** Of the event itself, of the receive for a hop; absent for what host or medium did. */
  stamp?: Stamp;
  /** Of the send, for a frame. */
  send?: Stamp;
}

/** A vector has as many numbers, and each frame under way has a vector. */
const MOST_STATIONS = 1000;
/** Events of a station that are remembered until it sends again. */
const REMEMBERED = 1024;

const SENDS = [EVENT_CODE.hop, EVENT_CODE.dropped, EVENT_CODE.corrupted];

/**
 * Sends that come before an event which stands before them in the run: while a frame was under way, its transmitter
 * had events of its own. By the sequence number of the first of these.
 */
export type EarlySends = ReadonlyMap<number, readonly FrameRecord[]>;

/**
 * The place of each send among the events of its station: behind all that the station had done when it started to
 * transmit. The order of a station's own events is that of `seq`, whatever the clocks say, and its sends are first in,
 * first out. Memory: sends that are early, and some events of each station.
 */
export class EarlySendFinder {
  readonly found = new Map<number, FrameRecord[]>();
  /** Per station the events since its last send: sequence numbers and times, in turn. */
  readonly #since = new Map<number, number[]>();

  write(columns: RecordColumns): void {
    for (let i = 0; i < columns.length; i++) {
      const code = columns.event[i] as number;
      const station = columns.station[i] as number;
      if (SENDS.includes(code)) this.#send(columns, i, this.#since.get(station));
      if (code === EVENT_CODE.hop) this.#remember(columns.peer[i] as number, columns, i);
      else if (code > EVENT_CODE.delayed && station !== HOST) this.#remember(station, columns, i);
    }
  }

  #send(columns: RecordColumns, i: number, events: number[] | undefined): void {
    if (!events?.length) return;
    const start = (columns.t[i] as number) - (columns.took[i] as number);
    let first = events.length;
    while (first > 0 && (events[first - 1] as number) > start) first -= 2;
    if (first < events.length) {
      const before = events[first] as number;
      const record = columns.get(i) as FrameRecord;
      const list = this.found.get(before);
      if (list) list.push(record);
      else this.found.set(before, [record]);
    }
    events.splice(0, first);
  }

  #remember(station: number, columns: RecordColumns, i: number): void {
    const seq = columns.firstSeq + i;
    const t = columns.t[i] as number;
    const events = this.#since.get(station);
    if (events === undefined) {
      // Whoever goes on to the clocks is told that there are too many stations.
      if (this.#since.size <= MOST_STATIONS) this.#since.set(station, [seq, t]);
    } else {
      if (events.length >= 2 * REMEMBERED) events.splice(0, REMEMBERED);
      events.push(seq, t);
    }
  }
}

/** Reads the whole run for the sends that are early. */
export function findEarlySends(source: RunSource): EarlySends {
  const finder = new EarlySendFinder();
  for (const columns of source.blocks()) finder.write(columns);
  return finder.found;
}

/**
 * All events with their stamps, in an order that keeps every station's own order and has each send before its receive.
 * @param early what findEarlySends found in the same run
 */
export function* stampedEvents(source: RunSource, early: EarlySends): Generator<StampedEvent, void, void> {
  const clocks = new Clocks(source.header.stations);
  /** Stamps of sends that are not received yet, by the sequence number of the frame's record. */
  const underway = new Map<number, Stamp>();
  const sendNow = (record: FrameRecord): StampedEvent => {
    const stamp = clocks.tick(record.from);
    if (record.event === "hop" && record.to !== HOST) underway.set(record.seq, stamp);
    return { ...stamp, kind: "send", record };
  };
  const done = new Set<number>();
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) {
      const code = columns.event[i] as number;
      const seq = columns.firstSeq + i;
      const list = early.get(seq);
      for (const record of list ?? []) {
        done.add(record.seq);
        yield sendNow(record);
      }
      if (code > EVENT_CODE.delayed) {
        if (columns.station[i] === HOST) continue;
        yield { ...clocks.tick(columns.station[i] as number), kind: "local", record: columns.get(i) };
      } else if (SENDS.includes(code)) {
        const record = columns.get(i) as FrameRecord;
        if (record.from !== HOST && !done.delete(seq)) yield sendNow(record);
        if (code !== EVENT_CODE.hop || record.to === HOST) continue;
        const stamp = clocks.tick(record.to, underway.get(seq));
        underway.delete(seq);
        yield { ...stamp, kind: "receive", record };
      }
    }
  }
}

/** The records that pass, in order, each with the stamps of its events. */
export function* stampedRecords(
  source: RunSource,
  passes: (columns: RecordColumns, i: number) => boolean = () => true,
): Generator<StampedRecord, void, void> {
  const sends = new Map<number, Stamp>();
  const events = stampedEvents(source, findEarlySends(source));
  let next = events.next();
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) {
      const seq = columns.firstSeq + i;
      let stamp: Stamp | undefined;
      while (!next.done) {
        const event = next.value;
        if (event.kind === "send") sends.set(event.record.seq, event);
        else if (event.record.seq === seq) stamp = event;
        else break;
        next = events.next();
      }
      const send = sends.get(seq);
      sends.delete(seq);
      if (passes(columns, i))
        yield { record: columns.get(i), ...(stamp && { stamp }), ...(send && { send }) };
    }
  }
}

/** One vector clock and one Lamport clock per station. */
class Clocks {
  readonly #ids: number[] = [];
  readonly #places = new Map<number, number>();
  readonly #vectors: number[][] = [];
  readonly #lamport: number[] = [];

  constructor(stations: readonly number[]) {
    for (const id of stations) this.#place(id);
  }

  /** Counts one event of a station; `from` is the stamp of the send when it is a receive. */
  tick(station: number, from?: Stamp): Stamp {
    const place = this.#place(station);
    const vector = this.#vectors[place] as number[];
    let lamport = this.#lamport[place] as number;
    if (from) {
      lamport = Math.max(lamport, from.lamport);
      from.vector.forEach((count, k) => {
        if (count > (vector[k] ?? 0)) {
          while (vector.length <= k) vector.push(0);
          vector[k] = count;
        }
      });
    }
    while (vector.length <= place) vector.push(0);
    vector[place] = (vector[place] as number) + 1;
    this.#lamport[place] = lamport + 1;
    return { station, lamport: lamport + 1, vector: vector.slice(), ids: this.#ids };
  }

  #place(id: number): number {
    let place = this.#places.get(id);
    if (place === undefined) {
      if (this.#vectors.length >= MOST_STATIONS) {
        throw new UsageError(
          `vector clocks are for runs of at most ${MOST_STATIONS} stations: each event has a number for each of them`,
        );
      }
      place = this.#vectors.push([]) - 1;
      this.#places.set(id, place);
      this.#ids.push(id);
      this.#lamport.push(0);
    }
    return place;
  }
}
