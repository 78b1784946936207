/** What is wrong with the stations at a moment, as far as records tell it. Memory: one text for each station. */
import type { RecordColumns } from "../columns.ts";
import { EVENT_CODE, HOST } from "../records.ts";

/** Faults that a script names and that end something instead of starting it. */
const ENDS: { readonly [kind: string]: "station" | "links" | "all" } = {
  restart: "station",
  resume: "station",
  insert: "station",
  mend: "links",
  heal: "all",
  calm: "all",
};
/** Faults of a station that last until another action ends them. */
const LASTING = new Set(["crash", "hang", "pause", "bypass", "cut", "deafen", "late"]);

export class Troubles {
  /** The first that has come since `forget`. */
  first: string | undefined;
  readonly #lasting = new Map<number, string>();
  /** Of the whole ring: a partition. */
  #ring: string | undefined;

  /** Forgets the first: the ring works. What lasts is kept. */
  forget(): void {
    this.first = undefined;
  }

  /** @returns what is wrong with the station, or with the whole ring */
  of(station: number): string | undefined {
    return this.#lasting.get(station) ?? this.#ring;
  }

  /** Takes record `i`, an event of a station. */
  write(columns: RecordColumns, i: number): void {
    const station = columns.station[i] as number;
    switch (columns.event[i]) {
      case EVENT_CODE.fault:
        this.#fault(station, String(columns.value(i, 0) ?? ""), String(columns.value(i, 1) ?? ""));
        break;
      case EVENT_CODE.crash:
        this.#starts(station, `crash of ${station}`);
        break;
      case EVENT_CODE.bypass:
        this.#starts(station, `bypass of ${station}${cause(columns, i)}`);
        break;
      case EVENT_CODE.restart:
        this.#lasting.delete(station);
        this.first ??= `restart of ${station}`;
        break;
      case EVENT_CODE.insert:
        this.#lasting.delete(station);
        break;
      case EVENT_CODE.stale:
        this.first ??= `token dropped as stale by ${station}`;
        break;
      case EVENT_CODE.beacon:
        this.first ??= `nothing heard by ${station}`;
        break;
    }
  }

  /** A token was not received on a link. */
  lostOn(from: number, to: number, how: string): void {
    this.first ??= this.of(to) ?? this.of(from) ?? `token ${how} from ${from} to ${to}`;
  }

  #fault(station: number, kind: string, detail: string): void {
    const ends = ENDS[kind];
    if (ends === "all") {
      this.#ring = undefined;
      if (kind === "calm") this.#lasting.clear();
    } else if (ends) this.#lasting.delete(station);
    else if (station === HOST) {
      const text = detail ? `${kind} ${detail}` : kind;
      if (kind === "partition") this.#ring = text;
      this.first ??= text;
    } else if (LASTING.has(kind)) this.#starts(station, `${kind} of ${station}`);
    else this.first ??= `${kind} at ${station}`;
  }

  #starts(station: number, text: string): void {
    if (!this.#lasting.has(station)) this.#lasting.set(station, text);
    this.first ??= text;
  }
}

function cause(columns: RecordColumns, i: number): string {
  const text = columns.value(i, 0);
  return text === undefined || text === "" ? "" : ` (${text})`;
}
