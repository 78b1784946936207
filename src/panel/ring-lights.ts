/** What a panel shows of a ring, worked out from its records. */
import type { RecordColumns } from "../log/columns.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { EVENT_CODE } from "../log/records.ts";

/** Inside the critical section, holds the token, coordinator, none of these. */
export type Light = "blink" | "on" | "dim" | "off";

const NOBODY = -1;

export class RingLights implements RecordConsumer {
  #holder = NOBODY;
  #coordinator = NOBODY;
  readonly #inside = new Set<number>();
  /** Of the token that was seen last. */
  #epoch = -1;
  #hop = -1;

  /** @param id of a station */
  light(id: number): Light {
    if (this.#inside.has(id)) return "blink";
    if (id === this.#holder) return "on";
    return id === this.#coordinator ? "dim" : "off";
  }

  write(columns: RecordColumns, from: number, to: number): void {
    for (let i = from; i < to; i++) this.#take(columns, i);
  }

  #take(columns: RecordColumns, i: number): void {
    const station = columns.station[i] as number;
    switch (columns.event[i]) {
      case EVENT_CODE.hop:
        this.#hopped(columns, i);
        break;
      case EVENT_CODE.dropped:
        if (isToken(columns, i)) this.#holder = NOBODY;
        break;
      case EVENT_CODE.enter:
        this.#inside.add(station);
        this.#holder = station;
        break;
      case EVENT_CODE.exit:
        this.#inside.delete(station);
        break;
      case EVENT_CODE.coordinator:
        this.#coordinator = columns.a[i] as number;
        break;
      case EVENT_CODE.lost:
        this.#holder = NOBODY;
        break;
      case EVENT_CODE.regenerated:
        this.#holder = station;
        this.#epoch = columns.a[i] as number;
        this.#hop = -1;
        break;
      case EVENT_CODE.crash:
      case EVENT_CODE.bypass:
      case EVENT_CODE.restart:
        this.#gone(station);
    }
  }

  #hopped(columns: RecordColumns, i: number): void {
    if (!isToken(columns, i)) return;
    const [epoch = 0, hop = 0] = columns.frame(i).args.map(Number);
    // Records of two boards can come the wrong way round.
    if (epoch < this.#epoch || (epoch === this.#epoch && hop <= this.#hop)) return;
    this.#epoch = epoch;
    this.#hop = hop;
    this.#holder = columns.peer[i] as number;
  }

  #gone(station: number): void {
    this.#inside.delete(station);
    if (this.#holder === station) this.#holder = NOBODY;
    if (this.#coordinator === station) this.#coordinator = NOBODY;
  }
}

function isToken(columns: RecordColumns, i: number): boolean {
  return columns.frameTypes[columns.type[i] as number] === "TOK";
}
