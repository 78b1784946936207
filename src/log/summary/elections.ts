/** The elections of a run, each with the messages that were sent for it. */
import { messagesOf } from "../../protocols/frames.ts";
import { electionNames, mutexNames } from "../../protocols/registry.ts";
import type { RecordColumns } from "../columns.ts";
import { EVENT_CODE } from "../records.ts";
import { Counts } from "./counts.ts";

/** From the first station that starts until one is coordinator, with all that others start meanwhile. */
export interface ElectionSummary {
  /** Microseconds. */
  at: number;
  /** From the start to the coordinator's own record of it; absent where there was none. */
  took?: number;
  starters: number[];
  causes: string[];
  /** Messages in the textbook's sense, by name. */
  messages: { [name: string]: number };
  total: number;
  /** Repetitions of messages, not counted above. */
  retries: number;
  coordinator?: number;
  abandoned: number;
}

/** So many elections are listed; the others are only counted. */
const LISTED = 1000;
/** So many starters of one election are listed. */
const STARTERS = 64;
/** Election numbers that are remembered. */
const NUMBERS = 4096;

interface Election extends Omit<ElectionSummary, "messages"> {
  counts: Counts;
}

/** Starts that belong to an election that is there already. */
const FOLLOWING = new Set(["received", "retry"]);

export class Elections {
  count = 0;
  readonly #listed: Election[] = [];
  #last: Election | undefined;
  #open = false;
  /** Elections by their numbers: messages that are late still find theirs. */
  readonly #byNumber = new Map<number, Election>();
  /** Names of messages that belong to elections, and of those that belong to mutual exclusions. */
  readonly #messages: ReadonlySet<unknown> = new Set(electionNames().flatMap(messagesOf));
  readonly #others: ReadonlySet<unknown> = new Set(mutexNames().flatMap(messagesOf));

  /** Takes record `i`, which must be an event of a station. */
  add(columns: RecordColumns, i: number): void {
    switch (columns.event[i]) {
      case EVENT_CODE.elect:
        this.#start(columns, i);
        break;
      case EVENT_CODE.sent:
      case EVENT_CODE.retry:
        if (this.#messages.has(columns.value(i, 0))) this.#message(columns, i);
        break;
      case EVENT_CODE.coordinator:
        this.#end(columns, i);
        break;
      case EVENT_CODE.abandoned: {
        const election = this.#of(columns.value(i, 0));
        if (election) election.abandoned++;
        if (election === this.#last) this.#open = false;
        break;
      }
    }
  }

  /** The first thousand of them. */
  list(): ElectionSummary[] {
    return this.#listed.map(({ counts, ...rest }) => ({ ...rest, messages: counts.toObject() }));
  }

  #of(number: unknown): Election | undefined {
    return typeof number === "number" ? (this.#byNumber.get(number) ?? this.#last) : this.#last;
  }

  #start(columns: RecordColumns, i: number): void {
    const number = columns.value(i, 0);
    const cause = String(columns.value(i, 1) ?? "");
    let election = this.#last;
    if (!election || (!this.#open && !FOLLOWING.has(cause))) {
      const at = columns.t[i] as number;
      election = { at, starters: [], causes: [], counts: new Counts(), total: 0, retries: 0, abandoned: 0 };
      this.count++;
      if (this.#listed.length < LISTED) this.#listed.push(election);
      this.#last = election;
      this.#open = true;
    }
    const station = columns.station[i] as number;
    if (
      !FOLLOWING.has(cause) &&
      election.starters.length < STARTERS &&
      !election.starters.includes(station)
    ) {
      election.starters.push(station);
      if (!election.causes.includes(cause)) election.causes.push(cause);
    }
    if (typeof number === "number") {
      if (this.#byNumber.size >= NUMBERS) this.#byNumber.clear();
      this.#byNumber.set(number, election);
    }
  }

  #message(columns: RecordColumns, i: number): void {
    const number = columns.value(i, 2);
    const election = this.#of(number);
    if (!election) return;
    // A mutual exclusion may call a message of its own by the same name: it has no number of an election.
    if (this.#others.has(columns.value(i, 0)) && !this.#byNumber.has(number as number)) return;
    if (columns.event[i] === EVENT_CODE.retry) {
      election.retries++;
      return;
    }
    election.total++;
    election.counts.add(columns.value(i, 0));
  }

  #end(columns: RecordColumns, i: number): void {
    const coordinator = columns.value(i, 0);
    // Only the winner's own record ends an election; others may have the result from an announcement.
    if (coordinator !== columns.station[i]) return;
    const election = this.#of(columns.value(i, 1));
    if (!election) return;
    election.coordinator = coordinator as number;
    election.took = (columns.t[i] as number) - election.at;
    if (election === this.#last) this.#open = false;
  }
}
