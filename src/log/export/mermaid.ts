/**
 * A Mermaid sequence diagram for a lab report. Renderers refuse more than 50,000 characters and get slow long before:
 * the diagram ends after so many messages with a note that says so. A token that only goes round is one note.
 */

import type { RunSource } from "../file/source.ts";
import { formatRecord, formatTime } from "../format.ts";
import { type FrameRecord, HOST, isFrameRecord, type RunRecord, type StationRecord } from "../records.ts";
import type { Exporter } from "./exporter.ts";

/** Messages and notes in one diagram. */
const MOST_LINES = 200;
/** Participants in one diagram; rings wider than this show those that come first. */
const MOST_STATIONS = 40;
const LONGEST_TEXT = 80;
/** So many token hops with nothing between them are shown; of more, only the first, and a note for the others. */
const IDLE = 3;

/** What is shown as a note over its station. */
const NOTES = new Set([
  "elect",
  "coordinator",
  "stepdown",
  "abandoned",
  "stale",
  "lost",
  "regenerated",
  "beacon",
  "closed",
  "orphan",
  "bad",
  "data",
  "restart",
  "crash",
  "bypass",
  "insert",
  "write",
  "verdict",
]);

class Diagram {
  readonly lines: string[] = ["sequenceDiagram"];
  shown = 0;
  readonly #stations: readonly number[];
  readonly #active = new Set<number>();
  /** Token hops with nothing between them: the first few, the last, how many. */
  #idle: FrameRecord[] = [];
  #lastIdle: FrameRecord | undefined;
  #idleCount = 0;

  constructor(stations: readonly number[]) {
    this.#stations = stations.slice(0, MOST_STATIONS);
    for (const id of this.#stations) this.lines.push(`  participant S${id} as ${id}`);
  }

  /** @returns false when there is no room for the record */
  add(record: RunRecord): boolean {
    if (isIdle(record)) {
      if (this.#idle.length < IDLE) this.#idle.push(record);
      this.#lastIdle = record;
      this.#idleCount++;
      return this.shown + this.#idle.length <= MOST_LINES;
    }
    if (!this.#isShown(record)) return true;
    this.flush();
    if (this.shown >= MOST_LINES) return false;
    if (isFrameRecord(record)) this.#frame(record);
    else this.#event(record);
    return true;
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

  close(rest: number, t: number): string {
    for (const id of this.#active) this.lines.push(`  deactivate S${id}`);
    if (rest > 0) {
      const words = `ends here, at ${formatTime(t)} s. ${rest} more records, use --from and --until`;
      this.lines.push(`  Note over ${this.#span()}: ${words}`);
    }
    return `${this.lines.join("\n")}\n`;
  }

  #isShown(record: RunRecord): boolean {
    if (isFrameRecord(record)) {
      const known = this.#stations.includes(record.from) && this.#stations.includes(record.to);
      return known && (record.event === "hop" || record.event === "dropped" || record.event === "corrupted");
    }
    if (record.station === HOST || !this.#stations.includes(record.station)) return false;
    return record.event === "enter" || record.event === "exit" || NOTES.has(record.event);
  }

  #frame(record: FrameRecord): void {
    const arrow = record.event === "hop" ? "->>" : "-x";
    this.#put(`S${record.from}${arrow}S${record.to}: ${text(formatRecord(record).what)}`);
  }

  #event(record: StationRecord): void {
    const { station, event } = record;
    const note = `Note over S${station}: ${text(formatRecord(record).what)}`;
    if (event === "exit" || event === "crash") this.#deactivate(station);
    this.#put(note);
    if (event !== "enter" || this.#active.has(station)) return;
    this.#active.add(station);
    this.lines.push(`  activate S${station}`);
  }

  #deactivate(station: number): void {
    if (this.#active.delete(station)) this.lines.push(`  deactivate S${station}`);
  }

  #put(line: string): void {
    this.lines.push(`  ${line}`);
    this.shown++;
  }

  #span(): string {
    const [first] = this.#stations;
    const last = this.#stations.at(-1);
    return first === last ? `S${first}` : `S${first},S${last}`;
  }
}

function isIdle(record: RunRecord): record is FrameRecord {
  return record.event === "hop" && record.type === "TOK";
}

/** Text that is no Mermaid syntax: its own characters are written as entities. */
function text(words: string): string {
  const clipped = words.length > LONGEST_TEXT ? `${words.slice(0, LONGEST_TEXT)}...` : words;
  return clipped.replace(/[#;<>%{}:"\\]|[^\x20-\x7e]/gu, (char) => `#${char.codePointAt(0)};`);
}

export const mermaid: Exporter = {
  name: "mermaid",
  ending: ".mmd",
  about: "a sequence diagram for a report, on GitHub or mermaid.live",
  *pieces(source: RunSource) {
    const diagram = new Diagram(source.header.stations);
    let full = false;
    let rest = 0;
    let t = 0;
    for (const columns of source.blocks()) {
      for (let i = 0; i < columns.length; i++) {
        if (!full) {
          full = !diagram.add(columns.get(i));
          if (!full) t = columns.t[i] as number;
        }
        if (full) rest++;
      }
      yield "";
    }
    if (!full) diagram.flush();
    yield diagram.close(rest, t);
  },
};
