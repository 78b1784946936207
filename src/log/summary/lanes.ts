/** What each station has and is, as lines that go up and down: the token, the critical section, the coordinator's duty. */
import type { RecordColumns } from "../columns.ts";
import { EVENT_CODE, HOST } from "../records.ts";

export const LANES = ["token", "inside", "coordinator"] as const;
export type Lane = (typeof LANES)[number];

/** Told of each change; the times may go back by as long as a token was on its way. */
export type LaneChange = (t: number, station: number, lane: Lane, up: boolean) => void;

interface HeldToken {
  since: number;
  epoch: number;
  /** -1 for one that was made here. */
  hop: number;
}

/**
 * Follows the records. A station has the token from its arrival, or from making it, until it starts to transmit it
 * or drops it as stale; a crash ends everything.
 */
export class Lanes {
  readonly #change: LaneChange;
  readonly #tokens = new Map<number, HeldToken[]>();
  readonly #inside = new Set<number>();
  readonly #coordinators = new Set<number>();

  constructor(change: LaneChange) {
    this.#change = change;
  }

  /** Takes record `i`. */
  write(columns: RecordColumns, i: number): void {
    const t = columns.t[i] as number;
    const station = columns.station[i] as number;
    switch (columns.event[i]) {
      case EVENT_CODE.hop:
        if (isToken(columns, i)) {
          this.#leaves(station, t - (columns.took[i] as number));
          const [epoch, hop] = [columns.arg(i, 0), columns.arg(i, 1)];
          this.#arrives(columns.peer[i] as number, { since: t, epoch, hop });
        }
        break;
      case EVENT_CODE.dropped:
        if (isToken(columns, i)) this.#leaves(station, t - (columns.took[i] as number));
        break;
      case EVENT_CODE.regenerated:
        this.#arrives(station, { since: t, epoch: columns.a[i] as number, hop: -1 });
        break;
      case EVENT_CODE.stale:
        this.#stale(station, t, columns.a[i] as number, Number(columns.value(i, 1)));
        break;
      case EVENT_CODE.enter:
        this.#set(this.#inside, "inside", station, t, true);
        break;
      case EVENT_CODE.exit:
        this.#set(this.#inside, "inside", station, t, false);
        break;
      case EVENT_CODE.coordinator:
        this.#set(this.#coordinators, "coordinator", station, t, columns.a[i] === station);
        break;
      case EVENT_CODE.stepdown:
        this.#set(this.#coordinators, "coordinator", station, t, false);
        break;
      case EVENT_CODE.crash:
      case EVENT_CODE.restart:
        this.#leaves(station, t);
        this.#set(this.#inside, "inside", station, t, false);
        this.#set(this.#coordinators, "coordinator", station, t, false);
        break;
    }
  }

  /** @returns what `restore` takes the records up from again */
  save() {
    return {
      tokens: [...this.#tokens].map(([id, held]): [number, HeldToken[]] => [id, [...held]]),
      inside: [...this.#inside],
      coordinators: [...this.#coordinators],
    };
  }

  restore(saved: ReturnType<Lanes["save"]>): void {
    const { tokens, inside, coordinators } = saved;
    this.#tokens.clear();
    for (const [id, held] of tokens) this.#tokens.set(id, [...held]);
    for (const [those, ids] of [
      [this.#inside, inside],
      [this.#coordinators, coordinators],
    ] as const) {
      those.clear();
      for (const id of ids) those.add(id);
    }
  }

  #arrives(station: number, token: HeldToken): void {
    if (station === HOST) return;
    const held = this.#tokens.get(station) ?? [];
    if (held.length === 0) {
      this.#tokens.set(station, held);
      this.#change(token.since, station, "token", true);
    }
    held.push(token);
  }

  /** All tokens that were here by then are gone. */
  #leaves(station: number, t: number): void {
    this.#keep(station, t, (token) => token.since > t);
  }

  #stale(station: number, t: number, epoch: number, hop: number): void {
    this.#keep(station, t, (token) => token.epoch !== epoch || (token.hop !== hop && token.hop !== -1));
  }

  #keep(station: number, t: number, kept: (token: HeldToken) => boolean): void {
    const held = this.#tokens.get(station);
    if (!held?.length) return;
    const left = held.filter(kept);
    this.#tokens.set(station, left);
    const [first] = left;
    if (!first) this.#change(t, station, "token", false);
    else if (first.since > t) {
      // Another token came while the one that leaves was on its way.
      this.#change(t, station, "token", false);
      this.#change(first.since, station, "token", true);
    }
  }

  #set(those: Set<number>, lane: Lane, station: number, t: number, up: boolean): void {
    if (station === HOST || those.has(station) === up) return;
    if (up) those.add(station);
    else those.delete(station);
    this.#change(t, station, lane, up);
  }
}

function isToken(columns: RecordColumns, i: number): boolean {
  return columns.frameTypes[columns.type[i] as number] === "TOK";
}
