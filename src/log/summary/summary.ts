/** What happened in a run, gathered record by record: its memory grows with stations and links, not with records. */
import type { RecordColumns } from "../columns.ts";
import type { RecordConsumer } from "../consumer.ts";
import { announcementOf, tokenEpoch } from "../frame-news.ts";
import { EVENT_CODE, EVENT_NAMES, FRAME_EVENTS, HOST, type RunHeader } from "../records.ts";
import { Counts } from "./counts.ts";
import { type ElectionSummary, Elections } from "./elections.ts";
import { Histogram } from "./histogram.ts";
import { type RequestCounts, Requests } from "./requests.ts";
import { tokenLimit } from "./token-limit.ts";
import { type TokenTimes, TokenWatch } from "./token-times.ts";

const FRAME_EVENT_COUNT = FRAME_EVENTS.length;

/** Events that say that something went wrong, or was put right, in the order in which they are shown. */
const FAULTS = [
  "crash",
  "unplug",
  "plug",
  "restart",
  "bypass",
  "insert",
  "dropped",
  "corrupted",
  "duplicated",
  "delayed",
  "stale",
  "orphan",
  "beacon",
  "closed",
  "stepdown",
  "abandoned",
] as const;

/** Times in microseconds. */
export interface Spread {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

export interface StationSummary {
  id: number;
  requests: number;
  entries: number;
  /** From request to entry, microseconds. */
  waitMean: number;
  waitMax: number;
  /** Sum of the times inside, microseconds. */
  inside: number;
}

export interface LinkSummary {
  from: number;
  to: number;
  hops: number;
  dropped: number;
  corrupted: number;
}

export interface RunSummary {
  records: number;
  /** Time of the first and the last record, microseconds. */
  first: number;
  last: number;
  hops: number;
  hopsByType: { [type: string]: number };
  /** Full rounds of the token. */
  rotations: number;
  /** Between two arrivals of one token at one station that was in the ring all the time. */
  rotation: Spread;
  token: TokenTimes;
  requests: RequestCounts;
  entries: number;
  wait: Spread;
  stations: StationSummary[];
  links: LinkSummary[];
  faults: { [event: string]: number };
  /** Injected faults, by kind. */
  injected: { [kind: string]: number };
  /** Refused frames, by cause. */
  refused: { [cause: string]: number };
  elections: number;
  /** The first thousand of them. */
  electionList: ElectionSummary[];
  coordinator: number | null;
  epoch: number;
}

interface StationState {
  enteredAt: number;
  tokenAt: number;
  tokenEpoch: number;
  rotations: number;
  requests: number;
  entries: number;
  waits: number;
  waitSum: number;
  waitMax: number;
  inside: number;
}

export class Summary implements RecordConsumer {
  #records = 0;
  #first = 0;
  #last = 0;
  #coordinator: number | null = null;
  #epoch = 0;
  readonly #counts = new Float64Array(EVENT_NAMES.length);
  readonly #types = new Map<string, number>();
  readonly #rotation = new Histogram();
  readonly #wait = new Histogram();
  readonly #stations = new Map<number, StationState>();
  readonly #links = new Map<number, Map<number, LinkSummary>>();
  readonly #injected = new Counts();
  readonly #refused = new Counts();
  readonly #elections = new Elections();
  readonly #requests = new Requests();
  readonly #token: TokenWatch;

  /** @param header of the run, for the ring's own limit for its token */
  constructor(header?: RunHeader) {
    this.#token = new TokenWatch(tokenLimit(header, this.#rotation));
  }

  write(columns: RecordColumns, from = 0, to = columns.length): void {
    const byType = new Float64Array(columns.frameTypes.length + 1);
    const token = columns.frameTypes.indexOf("TOK");
    const announcement = columns.frameTypes.indexOf("AMP");
    for (let i = from; i < to; i++) {
      const code = columns.event[i] as number;
      this.#counts[code] = (this.#counts[code] as number) + 1;
      const t = columns.t[i] as number;
      if (this.#records++ === 0) this.#first = t;
      this.#last = t;
      if (code < FRAME_EVENT_COUNT) {
        this.#frame(columns, i, code);
        const type = columns.type[i] as number;
        if (type === token && (code === EVENT_CODE.dropped || code === EVENT_CODE.corrupted)) {
          const how = EVENT_NAMES[code] as string;
          this.#token.dropped(columns.station[i] as number, columns.peer[i] as number, how);
        }
        if (code !== 0) continue;
        byType[type] = (byType[type] as number) + 1;
        if (type === token) this.#tokenArrives(columns, i, t);
        else if (type === announcement) this.#announcement(columns, i);
      } else this.#event(columns, i, code, t);
    }
    byType.forEach((n, type) => {
      const name = columns.frameTypes[type];
      if (n && name !== undefined) this.#types.set(name, (this.#types.get(name) ?? 0) + n);
    });
  }

  result(): RunSummary {
    const ids = [...this.#stations.keys()].sort((a, b) => a - b);
    let rotations = 0;
    const stations: StationSummary[] = [];
    for (const id of ids) {
      const s = this.#stations.get(id) as StationState;
      rotations = Math.max(rotations, s.rotations);
      const { requests, entries, waitMax, inside } = s;
      stations.push({ id, requests, entries, waitMean: s.waits ? s.waitSum / s.waits : 0, waitMax, inside });
    }
    const links = [...this.#links.values()].flatMap((byTo) => [...byTo.values()]);
    links.sort((a, b) => a.from - b.from || a.to - b.to);
    const faults: { [event: string]: number } = {};
    for (const name of FAULTS) {
      const n = this.#count(name);
      if (n) faults[name] = n;
    }
    return {
      records: this.#records,
      first: this.#first,
      last: this.#last,
      hops: this.#count("hop"),
      hopsByType: Object.fromEntries(this.#types),
      rotations,
      rotation: spread(this.#rotation),
      token: this.#token.result(this.#last),
      requests: this.#requests.counts(),
      entries: this.#count("enter"),
      wait: spread(this.#wait),
      stations,
      links,
      faults,
      injected: this.#injected.toObject(),
      refused: this.#refused.toObject(),
      elections: this.#elections.count,
      electionList: this.#elections.list(),
      coordinator: this.#coordinator,
      epoch: this.#epoch,
    };
  }

  #count(name: keyof typeof EVENT_CODE): number {
    return this.#counts[EVENT_CODE[name]] as number;
  }

  #frame(columns: RecordColumns, i: number, code: number): void {
    const link = this.#link(columns.station[i] as number, columns.peer[i] as number);
    if (code === EVENT_CODE.hop) link.hops++;
    else if (code === EVENT_CODE.dropped) link.dropped++;
    else if (code === EVENT_CODE.corrupted) link.corrupted++;
  }

  /** A token arrives: the time since this station last had the same token is one rotation. */
  #tokenArrives(columns: RecordColumns, i: number, t: number): void {
    const id = columns.peer[i] as number;
    this.#token.arrives(t, id);
    const s = this.#station(id);
    const epoch = tokenEpoch(columns, i);
    if (s.tokenEpoch === epoch) {
      this.#rotation.add(t - s.tokenAt);
      s.rotations++;
    }
    s.tokenEpoch = epoch;
    s.tokenAt = t;
    if (epoch > this.#epoch) this.#epoch = epoch;
  }

  /** A host that comes to a running ring has missed the records of the election. */
  #announcement(columns: RecordColumns, i: number): void {
    const { coordinator, epoch } = announcementOf(columns, i);
    if (epoch < this.#epoch) return;
    this.#epoch = epoch;
    this.#coordinator = coordinator;
  }

  #event(columns: RecordColumns, i: number, code: number, t: number): void {
    const id = columns.station[i] as number;
    this.#token.write(columns, i);
    switch (code) {
      case EVENT_CODE.request:
        this.#station(id).requests++;
        this.#requests.ask(id, t);
        break;
      case EVENT_CODE.enter: {
        const s = this.#station(id);
        s.entries++;
        s.enteredAt = t;
        const wait = this.#requests.enter(id, t);
        if (wait !== undefined) {
          this.#wait.add(wait);
          s.waits++;
          s.waitSum += wait;
          s.waitMax = Math.max(s.waitMax, wait);
        }
        break;
      }
      case EVENT_CODE.exit: {
        const s = this.#station(id);
        if (s.enteredAt >= 0) s.inside += Math.max(0, t - s.enteredAt);
        s.enteredAt = -1;
        break;
      }
      case EVENT_CODE.crash:
      case EVENT_CODE.restart:
        this.#station(id).enteredAt = -1;
        this.#requests.end(id);
        this.#missesTokens(id);
        break;
      case EVENT_CODE.bypass:
      case EVENT_CODE.insert:
        this.#missesTokens(id);
        break;
      case EVENT_CODE.bad:
        this.#bad(columns.value(i, 0), columns.value(i, 1));
        break;
      case EVENT_CODE.fault:
        this.#injected.add(columns.value(i, 0));
        this.#missesTokens(id);
        break;
      case EVENT_CODE.regenerated:
        this.#epoch = Math.max(this.#epoch, columns.a[i] as number);
        break;
      case EVENT_CODE.coordinator:
        this.#coordinator = columns.a[i] as number;
        this.#elections.add(columns, i);
        break;
      default:
        this.#elections.add(columns, i);
    }
  }

  /** A station that is dead, deaf or out of the ring sees no token go round: what comes later is no rotation. */
  #missesTokens(id: number): void {
    if (id !== HOST) this.#station(id).tokenEpoch = -1;
  }

  /** @param count how many frames were refused; 1 where it is absent or makes no sense */
  #bad(cause: unknown, count: unknown): void {
    this.#refused.add(cause, Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : 1);
  }

  #station(id: number): StationState {
    let s = this.#stations.get(id);
    if (!s) {
      s = {
        enteredAt: -1,
        tokenAt: 0,
        tokenEpoch: -1,
        rotations: 0,
        requests: 0,
        entries: 0,
        waits: 0,
        waitSum: 0,
        waitMax: 0,
        inside: 0,
      };
      if (id !== HOST) this.#stations.set(id, s);
    }
    return s;
  }

  #link(from: number, to: number): LinkSummary {
    let byTo = this.#links.get(from);
    if (!byTo) {
      byTo = new Map();
      this.#links.set(from, byTo);
    }
    let link = byTo.get(to);
    if (!link) {
      link = { from, to, hops: 0, dropped: 0, corrupted: 0 };
      byTo.set(to, link);
    }
    return link;
  }
}

function spread(times: Histogram): Spread {
  const { count, max } = times;
  return { count, p50: times.percentile(0.5), p99: times.percentile(0.99), max };
}
