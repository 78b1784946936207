/**
 * What is drawn of a run, gathered in two readings: the first finds its time and how much there is, the second keeps
 * what can be told apart at the resolution of the picture. Memory: stations and pixels, not records.
 */
import type { RecordColumns } from "../columns.ts";
import type { RunSource } from "../file/source.ts";
import { EVENT_CODE, EVENT_NAMES, type FrameRecord, type StationRecord } from "../records.ts";
import { type Outage, TokenWatch } from "../summary/token-times.ts";
import { type Condition, Conditions } from "./conditions.ts";

/** More frames than this cannot be told apart on a page. */
export const MOST_FRAMES = 300;
/** Arrows of messages, and crosses of lost frames, at most. */
const MOST_ARROWS = 2000;

/** Events with a mark of their own on their station's line. */
const MARKS = new Set<string>([
  "crash",
  "unplug",
  "restart",
  "bypass",
  "insert",
  "lost",
  "regenerated",
  "stale",
  "beacon",
  "coordinator",
  "stepdown",
  "duplicate",
  "refused",
  "deadlock",
  "fault",
  "elect",
]);

export interface Extent {
  from: number;
  to: number;
  records: number;
  /** Frames on links, whatever became of them. */
  frames: number;
}

export interface Span {
  station: number;
  condition: Condition;
  from: number;
  to: number;
}

export interface Message {
  t: number;
  from: number;
  to: number;
  name: string;
}

/** While a token goes round, or is in use. */
export interface Band {
  from: number;
  to: number;
}

export interface Gathered {
  extent: Extent;
  /** All frames, where there are not too many. */
  frames: FrameRecord[];
  /** Of frames that are too many: those that did not arrive. */
  lost: FrameRecord[];
  messages: Message[];
  /** Messages and lost frames that had no place in the lists. */
  notDrawn: number;
  spans: Span[];
  marks: StationRecord[];
  around: Band[];
  outages: Outage[];
}

/** @returns what there is, between the first and the last record, or in the window that was asked for */
export function* extentOf(source: RunSource): Generator<string, Extent, void> {
  let [from, to, records, frames] = [Infinity, -Infinity, 0, 0];
  for (const columns of source.blocks()) {
    for (let i = 0; i < columns.length; i++) {
      const t = columns.t[i] as number;
      if (t < from) from = t;
      if (t > to) to = t;
      if ((columns.event[i] as number) <= EVENT_CODE.corrupted) frames++;
    }
    records += columns.length;
    yield "";
  }
  const { window } = source;
  // A frame is drawn from its start on, which may lie before the first record.
  if (window && window.from > -Infinity) from = window.from;
  else from = records ? Math.min(from, 0) : 0;
  if (window && window.to < Infinity) to = window.to;
  if (!(to > from)) to = from + 1;
  return { from, to, records, frames };
}

/**
 * @param step microseconds of a pixel: what is closer together is one
 * @param shown the stations that are drawn
 * @param limit how long the token may be away, microseconds
 */
export function* gather(
  source: RunSource,
  extent: Extent,
  step: number,
  shown: ReadonlySet<number>,
  limit: number,
): Generator<string, Gathered, void> {
  const gatherer = new Gatherer(extent, step, shown, limit);
  for (const columns of source.prelude?.() ?? []) {
    gatherer.before(columns);
    yield "";
  }
  for (const columns of source.blocks()) {
    gatherer.write(columns);
    yield "";
  }
  return gatherer.result();
}

class Gatherer {
  readonly #step: number;
  readonly #shown: ReadonlySet<number>;
  readonly #token: TokenWatch;
  readonly #out: Gathered;
  readonly #since = new Map<string, number>();
  /** The last span, mark and arrow of each kind: what lies on it is not drawn again. */
  readonly #spans = new Map<string, Span>();
  readonly #seen = new Map<string, number>();
  /** When the first token was seen to go from station to station. */
  #firstToken = Number.POSITIVE_INFINITY;
  readonly #conditions = new Conditions((t, station, condition, on) =>
    this.#changes(t, station, condition, on),
  );

  constructor(extent: Extent, step: number, shown: ReadonlySet<number>, limit: number) {
    this.#step = step;
    this.#shown = shown;
    this.#token = new TokenWatch(() => limit);
    this.#out = {
      extent,
      frames: [],
      lost: [],
      messages: [],
      notDrawn: 0,
      spans: [],
      marks: [],
      around: [],
      outages: [],
    };
  }

  /** Records before the picture: what they leave behind is drawn from its left edge on. */
  before(columns: RecordColumns): void {
    for (let i = 0; i < columns.length; i++) {
      this.#conditions.write(columns, i);
      this.#follow(columns, i);
    }
  }

  write(columns: RecordColumns): void {
    for (let i = 0; i < columns.length; i++) {
      this.#conditions.write(columns, i);
      this.#follow(columns, i);
      const code = columns.event[i] as number;
      if (code <= EVENT_CODE.corrupted) this.#frame(columns, i, code);
      else if (code === EVENT_CODE.sent) this.#message(columns, i);
      else if (MARKS.has(EVENT_NAMES[code] as string)) this.#mark(columns.get(i) as StationRecord);
    }
  }

  result(): Gathered {
    const { extent } = this.#out;
    for (const [key, from] of [...this.#since]) {
      const [condition, station] = key.split(" ") as [Condition, string];
      this.#span(condition, Number(station), from, extent.to);
    }
    const { outageList } = this.#token.result(extent.to);
    this.#out.outages = outageList.filter(({ to }) => to >= extent.from);
    let from = Math.max(extent.from, this.#firstToken);
    for (const outage of this.#out.outages) {
      if (outage.from > from) this.#out.around.push({ from, to: outage.from });
      from = Math.max(from, outage.to);
    }
    if (from < extent.to) this.#out.around.push({ from, to: extent.to });
    return this.#out;
  }

  #follow(columns: RecordColumns, i: number): void {
    const code = columns.event[i] as number;
    const token = columns.frameTypes[columns.type[i] as number] === "TOK";
    if (code === EVENT_CODE.hop) {
      if (token) {
        const t = columns.t[i] as number;
        this.#token.arrives(t, columns.peer[i] as number);
        if (t < this.#firstToken) this.#firstToken = t;
      }
    } else if (code <= EVENT_CODE.corrupted) {
      if (token) {
        const how = EVENT_NAMES[code] as string;
        this.#token.dropped(columns.station[i] as number, columns.peer[i] as number, how);
      }
    } else if (code > EVENT_CODE.transmitted) this.#token.write(columns, i);
  }

  #changes(t: number, station: number, condition: Condition, on: boolean): void {
    const key = `${condition} ${station}`;
    const since = this.#since.get(key);
    if (on) {
      this.#since.set(key, t);
    } else if (since !== undefined) {
      this.#since.delete(key);
      this.#span(condition, station, since, t);
    }
  }

  #span(condition: Condition, station: number, from: number, to: number): void {
    if (!this.#shown.has(station) || to < this.#out.extent.from) return;
    const key = `${condition} ${station}`;
    const last = this.#spans.get(key);
    if (last && from - last.to < this.#step / 2 && last.to - last.from < this.#step) {
      last.to = Math.max(last.to, to);
      return;
    }
    const span = { station, condition, from: Math.max(from, this.#out.extent.from), to };
    this.#spans.set(key, span);
    this.#out.spans.push(span);
  }

  #frame(columns: RecordColumns, i: number, code: number): void {
    const [from, to] = [columns.station[i] as number, columns.peer[i] as number];
    const t = columns.t[i] as number;
    if (!this.#shown.has(from) || !this.#shown.has(to)) return;
    if (this.#out.extent.frames <= MOST_FRAMES) this.#out.frames.push(columns.get(i) as FrameRecord);
    else if (code !== EVENT_CODE.hop && this.#isNew(`lost ${from} ${to}`, t, this.#out.lost.length)) {
      this.#out.lost.push(columns.get(i) as FrameRecord);
    }
  }

  #message(columns: RecordColumns, i: number): void {
    const [from, to, t] = [columns.station[i] as number, columns.value(i, 1), columns.t[i] as number];
    if (typeof to !== "number" || !this.#shown.has(from) || !this.#shown.has(to)) return;
    if (!this.#isNew(`message ${from} ${to}`, t, this.#out.messages.length)) return;
    this.#out.messages.push({ t, from, to, name: String(columns.value(i, 0) ?? "") });
  }

  #mark(record: StationRecord): void {
    const { station, event, t, fields } = record;
    if (!this.#shown.has(station)) return;
    // Of many stations that take one for coordinator, or follow in an election, the one that it began with has the mark.
    if (event === "coordinator" && fields.coordinator !== station) return;
    if (event === "elect" && (fields.cause === "received" || fields.cause === "retry")) return;
    // The first token of a ring was not lost, and a command that is refused changes nothing.
    if ((event === "lost" && fields.epoch === 0) || (event === "refused" && fields.by === undefined)) return;
    if (!this.#isNew(`${event} ${station}`, t, 0)) return;
    this.#out.marks.push(record);
  }

  /** @returns whether what happens at `t` is a pixel away from the last of its kind, and there is room for it */
  #isNew(key: string, t: number, length: number): boolean {
    const before = this.#seen.get(key);
    if (before !== undefined && Math.abs(t - before) < this.#step) return false;
    if (length >= MOST_ARROWS) {
      this.#out.notDrawn++;
      return false;
    }
    this.#seen.set(key, t);
    return true;
  }
}
