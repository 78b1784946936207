/**
 * What a run looks like while it goes: one readable line per event. Hops come in a quiet form, one line for all
 * between two events; on a terminal that line is rewritten in place.
 */
import picocolors from "picocolors";
import type { RecordColumns } from "../log/columns.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { type Fence, formatGuarded, formatRecord, type RecordText } from "../log/format.ts";
import { EVENT_CODE, isFrameRecord, type RunRecord } from "../log/records.ts";

/** Refreshes of the quiet line per second, at most. */
const REFRESH_MS = 100;

type Colors = ReturnType<typeof picocolors.createColors>;

const COLOR: { [event: string]: keyof Colors } = {
  enter: "green",
  exit: "green",
  coordinator: "cyan",
  elect: "cyan",
  crash: "red",
  bypass: "red",
  lost: "yellow",
  regenerated: "yellow",
  stale: "yellow",
  beacon: "red",
  restart: "magenta",
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
      this.#text(formatRecord(record), "dim");
      return;
    }
    const { event, fields } = record;
    const refused = event === "write" && fields.verdict === "refused";
    if (event === "write" && !refused) {
      this.#seen = { epoch: fields.epoch ?? "?", grant: fields.grant ?? "?" };
    }
    this.#text(formatGuarded(record, this.#seen), refused ? "red" : (COLOR[event] ?? "reset"));
  }

  #text({ time, who, what }: RecordText, color: keyof Colors): void {
    const paint = this.#colors[color] as (text: string) => string;
    this.#out.write(`${paint(`${time.padStart(12)}  ${who.padEnd(9)}  ${what}`)}\n`);
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
    this.#out.write(`\r\x1b[K${this.#colors.dim(this.#quietText())}`);
    this.#pending = true;
  }

  #flushQuiet(least: number): void {
    if (this.#pending) this.#out.write("\r\x1b[K");
    this.#pending = false;
    if (this.#hops < least) return;
    this.#out.write(`${this.#colors.dim(this.#quietText())}\n`);
    this.#hops = 0;
    this.#byType.clear();
  }
}
