/** The lines of one Mermaid sequence diagram, up to a limit. */
import { formatRecord, formatTime } from "../format.ts";
import { type FrameRecord, HOST, isFrameRecord, type RunRecord, type StationRecord } from "../records.ts";

/** Messages and notes in one diagram. */
const MOST_LINES = 200;
/** Participants in one diagram; rings wider than this show those that come first. */
const MOST_STATIONS = 40;
const LONGEST_TEXT = 80;
/** So many token hops with nothing between them are shown; of more, only the first, and a note for the others. */
const IDLE = 3;

/** How much is told, the most first. */
export const DETAILS = ["hops", "messages", "events", "changes"] as const;
export type Detail = (typeof DETAILS)[number];

const LEFT_OUT: { readonly [detail in Detail]: string } = {
  hops: "",
  messages: "Messages without their hops",
  events: "Without messages and hops",
  changes: "Without messages, hops and entries",
};

/** What changes the ring. Of coordinators, only that a station is one itself. */
const CHANGES = [
  "coordinator",
  "stepdown",
  "lost",
  "regenerated",
  "beacon",
  "closed",
  "restart",
  "crash",
  "unplug",
  "plug",
  "bypass",
  "insert",
  "verdict",
];

/** What is shown as a note over its station. */
const NOTES = [...CHANGES, "elect", "abandoned", "stale", "orphan", "bad", "data", "write", "enter", "exit"];

const SHOWN: { readonly [detail in Detail]: ReadonlySet<string> } = {
  hops: new Set(NOTES),
  messages: new Set([...NOTES, "sent"]),
  events: new Set(NOTES),
  changes: new Set(CHANGES),
};

export class Diagram {
  readonly detail: Detail;
  /** Records for which there was no room. */
  rest = 0;
  readonly #lines: string[] = [];
  #shown = 0;
  #endsAt = 0;
  readonly #ids: readonly number[];
  readonly #stations: ReadonlySet<number>;
  readonly #active = new Set<number>();
  /** Token hops with nothing between them: the first few, the last, how many. */
  #idle: FrameRecord[] = [];
  #lastIdle: FrameRecord | undefined;
  #idleCount = 0;

  /** @param ids of the stations in ring order */
  constructor(ids: readonly number[], detail: Detail) {
    this.detail = detail;
    this.#ids = ids.slice(0, MOST_STATIONS);
    this.#stations = new Set(this.#ids);
  }

  /** A note over a station, of what it was before the first record. */
  before(station: number, note: string, inside: boolean): void {
    if (!this.#stations.has(station)) return;
    this.#put(`Note over S${station}: ${text(note)}`);
    if (inside) this.#activate(station);
  }

  add(record: RunRecord): void {
    if (this.rest > 0) {
      this.rest++;
      return;
    }
    if (this.detail === "hops" && record.event === "hop" && record.type === "TOK") {
      if (!this.#stations.has(record.from) || !this.#stations.has(record.to)) return;
      if (this.#idle.length < IDLE) this.#idle.push(record);
      this.#lastIdle = record;
      this.#idleCount++;
    } else if (this.#isShown(record)) {
      this.flush();
      if (this.#shown >= MOST_LINES) this.rest++;
      else {
        this.#endsAt = record.t;
        if (isFrameRecord(record)) this.#frame(record);
        else if (record.event === "sent") this.#message(record);
        else this.#event(record);
      }
    }
  }

  /** Writes the token's hops that are held back. */
  flush(): void {
    const idle = this.#idle;
    const count = this.#idleCount;
    const last = this.#lastIdle;
    this.#idle = [];
    this.#idleCount = 0;
    if (count <= IDLE || !last) {
      for (const record of idle) this.#frame(record);
      return;
    }
    this.#frame(idle[0] as FrameRecord);
    const words = `token goes on to ${last.to}, ${count - 1} hops, ${formatTime(last.t)} s`;
    this.#put(`Note over ${this.#span()}: ${words}`);
  }

  close(): string {
    const lines = ["sequenceDiagram", ...this.#ids.map((id) => `  participant S${id} as ${id}`)];
    const note = (words: string) => lines.push(`  Note over ${this.#span()}: ${words}`);
    const left = LEFT_OUT[this.detail];
    const end = `ends at ${formatTime(this.#endsAt)} s with ${this.rest} more records`;
    if (this.#ids.length > 0 && (left || this.rest > 0)) {
      const parts = [...(left ? [left] : []), ...(this.rest > 0 ? [end] : [])];
      note(`${parts.join(", ")}, so that it fits - --from and --until show a part with all`);
    }
    lines.push(...this.#lines);
    for (const id of this.#active) lines.push(`  deactivate S${id}`);
    if (this.rest > 0 && this.#ids.length > 0) note(end);
    return `${lines.join("\n")}\n`;
  }

  #isShown(record: RunRecord): boolean {
    if (isFrameRecord(record)) {
      if (!this.#stations.has(record.from) || !this.#stations.has(record.to)) return false;
      if (record.event === "hop") return this.detail === "hops";
      const lost = record.event === "dropped" || record.event === "corrupted";
      return lost && (this.detail === "hops" || this.detail === "messages");
    }
    const { station, event, fields } = record;
    if (station === HOST || !this.#stations.has(station)) return false;
    // What others take a station for is a detail.
    if (event === "coordinator" && fields.coordinator !== station) return this.detail === "hops";
    return SHOWN[this.detail].has(event);
  }

  #frame(record: FrameRecord): void {
    const arrow = record.event === "hop" ? "->>" : "-x";
    this.#put(`S${record.from}${arrow}S${record.to}: ${text(formatRecord(record).what)}`);
  }

  #message(record: StationRecord): void {
    const { to, message } = record.fields;
    if (typeof to === "number" && this.#stations.has(to)) {
      this.#put(`S${record.station}->>S${to}: ${text(String(message))}`);
    } else this.#put(`Note over S${record.station}: ${text(formatRecord(record).what)}`);
  }

  #event(record: StationRecord): void {
    const { station, event } = record;
    const note = `Note over S${station}: ${text(`${formatRecord(record).what}, ${formatTime(record.t)} s`)}`;
    if (event === "exit" || event === "crash" || event === "restart") this.#deactivate(station);
    this.#put(note);
    if (event === "enter" && !this.#active.has(station)) this.#activate(station);
  }

  #activate(station: number): void {
    this.#active.add(station);
    this.#lines.push(`  activate S${station}`);
  }

  #deactivate(station: number): void {
    if (this.#active.delete(station)) this.#lines.push(`  deactivate S${station}`);
  }

  #put(line: string): void {
    this.#lines.push(`  ${line}`);
    this.#shown++;
  }

  #span(): string {
    const [first] = this.#ids;
    const last = this.#ids.at(-1);
    return first === last ? `S${first}` : `S${first},S${last}`;
  }
}

/** Text that is no Mermaid syntax: its own characters are written as entities. */
function text(words: string): string {
  const clipped = words.length > LONGEST_TEXT ? `${words.slice(0, LONGEST_TEXT)}...` : words;
  return clipped.replace(/[#;<>%{}:"\\]|[^\x20-\x7e]/gu, (char) => `#${char.codePointAt(0)};`);
}
