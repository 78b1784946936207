/** Running totals of a run, for the table at its end. */
import type { RecordColumns } from "../columns.ts";
import type { RecordConsumer } from "../consumer.ts";
import { announcementOf, tokenEpoch } from "../frame-news.ts";
import { EVENT_CODE, EVENT_NAMES, FRAME_EVENTS } from "../records.ts";
import { Requests } from "./requests.ts";
import { TokenWatch } from "./token-times.ts";

export class Tally implements RecordConsumer {
  /** Number of records by event code. */
  readonly counts = new Float64Array(EVENT_NAMES.length);
  /** Messages in the textbook's sense, by name. */
  readonly messages: { [name: string]: number } = {};
  /** Hops by frame type. */
  readonly hopsByType: { [type: string]: number } = {};
  /** Writes to the guarded resource, by what it said. */
  readonly writes = { accepted: 0, refused: 0 };
  /** -1: nobody has said yet. */
  coordinator = -1;
  /** The highest that was seen. */
  epoch = 0;
  records = 0;
  readonly requests = new Requests();
  /** How long the token may be away, microseconds; known when the run begins. */
  tokenLimit = Infinity;
  readonly token = new TokenWatch(() => this.tokenLimit);

  count(event: keyof typeof EVENT_CODE): number {
    return this.counts[EVENT_CODE[event]] as number;
  }

  /** @returns the number of records by the name of the event, where there are any */
  byEvent(): { [event: string]: number } {
    return Object.fromEntries(
      EVENT_NAMES.map((name, code) => [name, this.counts[code]]).filter(([, n]) => n),
    );
  }

  write(columns: RecordColumns, from: number, to: number): void {
    this.records += to - from;
    const types = new Float64Array(columns.frameTypes.length);
    const token = columns.frameTypes.indexOf("TOK");
    const announcement = columns.frameTypes.indexOf("AMP");
    for (let i = from; i < to; i++) {
      const code = columns.event[i] as number;
      this.counts[code] = (this.counts[code] as number) + 1;
      if (code === EVENT_CODE.hop) {
        const type = columns.type[i] as number;
        types[type] = (types[type] as number) + 1;
        // A host that comes to a running ring has missed the records of the election.
        if (type === token) {
          this.epoch = Math.max(this.epoch, tokenEpoch(columns, i));
          this.token.arrives(columns.t[i] as number, columns.peer[i] as number);
        } else if (type === announcement) this.#announcement(columns, i);
      } else if (code < FRAME_EVENTS.length) {
        if (columns.type[i] === token && (code === EVENT_CODE.dropped || code === EVENT_CODE.corrupted)) {
          const how = EVENT_NAMES[code] as string;
          this.token.dropped(columns.station[i] as number, columns.peer[i] as number, how);
        }
      } else this.#event(columns, i, code);
    }
    types.forEach((n, type) => {
      const name = columns.frameTypes[type] as string;
      if (n) this.hopsByType[name] = (this.hopsByType[name] ?? 0) + n;
    });
  }

  #event(columns: RecordColumns, i: number, code: number): void {
    const t = columns.t[i] as number;
    const station = columns.station[i] as number;
    this.token.write(columns, i);
    switch (code) {
      case EVENT_CODE.sent: {
        const name = String(columns.value(i, 0));
        this.messages[name] = (this.messages[name] ?? 0) + 1;
        break;
      }
      case EVENT_CODE.coordinator:
        this.coordinator = columns.a[i] as number;
        break;
      case EVENT_CODE.regenerated:
        this.epoch = Math.max(this.epoch, columns.a[i] as number);
        break;
      case EVENT_CODE.request:
        this.requests.ask(station, t);
        break;
      case EVENT_CODE.enter:
        this.requests.enter(station, t);
        break;
      case EVENT_CODE.crash:
      case EVENT_CODE.restart:
        this.requests.end(station);
        break;
      case EVENT_CODE.write: {
        const verdict = columns.value(i, 2);
        if (verdict === "accepted" || verdict === "refused") this.writes[verdict]++;
        break;
      }
    }
  }

  /** A monitor that announces an older epoch is about to step down. */
  #announcement(columns: RecordColumns, i: number): void {
    const { coordinator, epoch } = announcementOf(columns, i);
    if (epoch < this.epoch) return;
    this.epoch = epoch;
    this.coordinator = coordinator;
  }
}
