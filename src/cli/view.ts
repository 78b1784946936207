/**
 * What a run looks like while it goes: one readable line per event. Hops come in a quiet form, one line for all
 * between two events; on a terminal that line is rewritten in place.
 */
import picocolors from "picocolors";
import type { RecordColumns } from "../log/columns.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { type Fence, formatGuarded, formatRecord, type RecordText } from "../log/format.ts";
import { EVENT_CODE, isFrameRecord, type RunRecord } from "../log/records.ts";
import { Floods } from "./floods.ts";
import { draw, isBehind, print, printable } from "./terminal.ts";

/** Refreshes of the quiet line per second, at most. */
const REFRESH_MS = 100;

type Colors = ReturnType<typeof picocolors.createColors>;

const COLOR: { [event: string]: keyof Colors } = {
  enter: "green",
  exit: "green",
  coordinator: "cyan",
  elect: "cyan",
  crash: "red",
  unplug: "red",
  bypass: "red",
  lost: "yellow",
  regenerated: "yellow",
  stale: "yellow",
  beacon: "red",
  restart: "magenta",
  plug: "magenta",
  insert: "magenta",
};

export class LiveView implements RecordConsumer {
  readonly #out: NodeJS.WriteStream;
  readonly #everyHop: boolean;
  readonly #leastHops: number;
  readonly #colors: Colors;
  #hops = 0;
  #byType = new Map<string, number>();
  #where = "";
  #at = 0;
  #shownAt = 0;
  #pending = false;
  readonly #floods = new Floods();
  #missed = 0;
  /** The highest fence that the guarded resource has let pass. */
  #seen: Fence | undefined;

  /**
   * @param everyHop one line for every hop, instead of the quiet form
   * @param stations fewer hops than two rotations wait for a later quiet line
   */
  constructor(out: NodeJS.WriteStream, everyHop: boolean, stations: number) {
    this.#out = out;
    this.#leastHops = 2 * stations;
    this.#everyHop = everyHop;
    this.#colors = picocolors.createColors(out.isTTY === true && !process.env.NO_COLOR);
  }

  write(columns: RecordColumns, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (columns.event[i] === EVENT_CODE.hop && !this.#everyHop) this.#quiet(columns, i);
      else this.#line(columns.get(i));
    }
    if (this.#out.isTTY && this.#hops) this.#refresh();
  }

  /** Writes what is still held back. */
  end(): void {
    this.#flushQuiet(1);
    this.#tellMissed();
    for (const words of this.#floods.leftOut()) print(`${" ".repeat(14)}${words}\n`, this.#out);
  }

  #quiet(columns: RecordColumns, i: number): void {
    const type = columns.frameTypes[columns.type[i] as number] as string;
    this.#hops++;
    this.#byType.set(type, (this.#byType.get(type) ?? 0) + 1);
    this.#at = columns.t[i] as number;
    this.#where = `${columns.station[i]}→${columns.peer[i]}`;
  }

  #line(record: RunRecord): void {
    this.#flushQuiet(this.#leastHops);
    if (isFrameRecord(record)) {
      this.#text(formatRecord(record), "dim", record.event);
      return;
    }
    const { event, fields } = record;
    const refused = event === "write" && fields.verdict === "refused";
    if (event === "write" && !refused) {
      this.#seen = { epoch: fields.epoch ?? "?", grant: fields.grant ?? "?" };
    }
    this.#text(formatGuarded(record, this.#seen), refused ? "red" : (COLOR[event] ?? "reset"), event);
  }

  #text({ time, who, what }: RecordText, color: keyof Colors, event: string): void {
    const more = this.#everyHop ? "" : this.#floods.take(event, who);
    if (more === null) return;
    if (isBehind(this.#out)) {
      this.#missed++;
      return;
    }
    this.#tellMissed();
    const paint = this.#colors[color] as (text: string) => string;
    draw(`${paint(printable(`${time.padStart(12)}  ${who.padEnd(9)}  ${what}${more}`))}\n`, this.#out);
  }

  /** Lines for which the reader was too far behind: boards do not wait for it. */
  #tellMissed(): void {
    if (this.#missed > 0)
      print(`${" ".repeat(14)}${this.#missed} lines left out: they are read too slowly\n`, this.#out);
    this.#missed = 0;
  }

  #quietText(): string {
    const types = [...this.#byType].map(([type, n]) => `${type} ${n}`).join(", ");
    const time = (this.#at / 1e6).toFixed(6).padStart(12);
    const where = this.#hops === 1 ? this.#where : "ring";
    return `${time}  ${where.padEnd(9)}  · ${this.#hops} ${this.#hops === 1 ? "hop" : "hops"}: ${types}`;
  }

  #refresh(): void {
    const now = performance.now();
    if (now - this.#shownAt < REFRESH_MS) return;
    this.#shownAt = now;
    draw(`\r\x1b[K${this.#colors.dim(this.#quietText())}`, this.#out);
    this.#pending = true;
  }

  #flushQuiet(least: number): void {
    if (this.#pending) draw("\r\x1b[K", this.#out);
    this.#pending = false;
    if (this.#hops < least) return;
    draw(`${this.#colors.dim(printable(this.#quietText()))}\n`, this.#out);
    this.#hops = 0;
    this.#byType.clear();
  }
}
