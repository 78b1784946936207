/**
 * A space-time diagram as lecturers draw it: stations as lines, time to the right, hops as arrows from send to arrival,
 * critical sections as bars, a lost frame cut with a cross. Each mark has its record's words as a tooltip.
 *
 * Time is drawn to scale; where nothing happens for long, the gap is shortened and marked. The diagram ends after so
 * many frames with a note that says so.
 */
import type { RecordColumns } from "../columns.ts";
import type { RunSource } from "../file/source.ts";
import { formatRecord, formatTime } from "../format.ts";
import { type FrameRecord, isFrameRecord, type RunRecord, type StationRecord } from "../records.ts";
import { Lanes } from "../summary/lanes.ts";
import type { Exporter } from "./exporter.ts";
import { TimeScale } from "./time-scale.ts";

const MOST_FRAMES = 500;
const MOST_EVENTS = 2000;
const MOST_STATIONS = 250;

const LEFT = 90;
const RIGHT = 60;
const TOP = 40;
const ROW = 64;
const BOTTOM = 50;
const TICK_DISTANCE = 110;

const STYLE = `
text { font: 12px sans-serif; fill: #222; }
.title { font-size: 14px; }
.tick { fill: #666; font-size: 11px; }
.station { stroke: #888; stroke-width: 1.5; }
.dead { stroke: #fff; stroke-width: 3; stroke-dasharray: 4 4; }
.inside { fill: #2a9d4a; stroke: #1c6b32; }
.duty { stroke: #d9a400; stroke-width: 5; opacity: .55; }
.hop { stroke: #555; stroke-width: 1.2; fill: none; marker-end: url(#tip); }
.token { stroke: #1f6fd0; stroke-width: 2; }
.election { stroke: #8a3fb5; }
.lost { stroke: #c92a2a; marker-end: none; }
.cross { stroke: #c92a2a; stroke-width: 2; fill: none; }
.mark { fill: #c92a2a; }
.event { fill: #444; }
.gap { stroke: #bbb; stroke-dasharray: 2 3; }
.label { font-size: 10px; fill: #444; }`;

const ELECTION = new Set(["ELN", "CRD", "BEL", "BOK", "BCO", "CHE", "CHD"]);

/** Events with a mark of their own on their station's line. */
const MARKS = new Set([
  "crash",
  "restart",
  "bypass",
  "insert",
  "lost",
  "regenerated",
  "stale",
  "beacon",
  "coordinator",
]);
const TROUBLE = new Set(["crash", "bypass", "lost", "stale", "beacon"]);

interface Span {
  station: number;
  from: number;
  to: number;
}

/** What is drawn, gathered up to the limits. */
class Drawing {
  readonly frames: FrameRecord[] = [];
  readonly events: StationRecord[] = [];
  readonly inside: Span[] = [];
  readonly duty: Span[] = [];
  readonly dead: Span[] = [];
  last = 0;
  /** Records behind the last one drawn. */
  rest = 0;
  readonly #shown: ReadonlyMap<number, number>;
  readonly #since = new Map<string, number>();
  readonly #lanes = new Lanes((t, station, lane, up) => {
    if (lane === "inside") this.#edge("inside", t, station, up);
    if (lane === "coordinator") this.#edge("duty", t, station, up);
  });

  /** @param shown the stations that are drawn */
  constructor(shown: ReadonlyMap<number, number>) {
    this.#shown = shown;
  }

  write(columns: RecordColumns): void {
    for (let i = 0; i < columns.length; i++) {
      if (this.frames.length >= MOST_FRAMES || this.events.length >= MOST_EVENTS) this.rest++;
      else {
        this.#lanes.write(columns, i);
        this.#add(columns.get(i));
      }
    }
  }

  /** Ends what is still open at the last record. */
  end(): void {
    for (const [key, from] of this.#since) {
      const [kind, station] = key.split(" ") as ["inside" | "duty" | "dead", string];
      this[kind].push({ station: Number(station), from, to: this.last });
    }
  }

  #add(record: RunRecord): void {
    this.last = Math.max(this.last, record.t);
    if (isFrameRecord(record)) {
      if (!this.#shown.has(record.from) || !this.#shown.has(record.to)) return;
      if (record.event !== "delayed" && record.event !== "duplicated") this.frames.push(record);
      return;
    }
    if (!this.#shown.has(record.station)) return;
    if (MARKS.has(record.event)) this.events.push(record);
    if (record.event === "crash") this.#edge("dead", record.t, record.station, true);
    if (record.event === "restart") this.#edge("dead", record.t, record.station, false);
  }

  #edge(kind: "inside" | "duty" | "dead", t: number, station: number, up: boolean): void {
    const key = `${kind} ${station}`;
    const since = this.#since.get(key);
    if (up) {
      if (since === undefined) this.#since.set(key, t);
    } else if (since !== undefined) {
      this.#since.delete(key);
      this[kind].push({ station, from: since, to: t });
    }
  }

  /** All times at which something is drawn. */
  times(): number[] {
    const times = this.frames.flatMap(({ t, took }) => [t - took, t]);
    times.push(...this.events.map(({ t }) => t));
    times.push(...[...this.inside, ...this.dead].flatMap(({ from, to }) => [from, to]));
    return times;
  }
}

function* draw(source: RunSource): Generator<string, void, void> {
  const { header } = source;
  const rows = new Map(header.stations.slice(0, MOST_STATIONS).map((id, row) => [id, row]));
  const drawing = new Drawing(rows);
  for (const columns of source.blocks()) {
    drawing.write(columns);
    yield "";
  }
  drawing.end();
  const scale = new TimeScale(
    drawing.times(),
    drawing.frames.map(({ took }) => took),
  );
  const x = (t: number) => fixed(LEFT + scale.at(t));
  const y = (station: number) => TOP + 20 + (rows.get(station) as number) * ROW;
  const width = Math.ceil(LEFT + scale.width + RIGHT);
  const height = TOP + rows.size * ROW + BOTTOM;
  const end = fixed(LEFT + scale.width + 20);

  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n`;
  yield `<style>${STYLE}\n</style>\n`;
  yield '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto">';
  yield '<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>\n';
  yield `<rect width="${width}" height="${height}" fill="#fff"/>\n`;
  const title = `Ring of ${header.stations.length}, ${header.wiring}, election ${header.election}`;
  const cut = drawing.rest ? ` - ends at ${formatTime(drawing.last)} s, ${drawing.rest} more records` : "";
  yield `<text class="title" x="12" y="22">${xml(title + cut)}</text>\n`;

  for (const gap of scale.gaps) {
    const middle = fixed(LEFT + gap.x);
    yield `<line class="gap" x1="${middle}" y1="${TOP}" x2="${middle}" y2="${height - BOTTOM}"/>`;
    yield `<text class="tick" text-anchor="middle" x="${middle}" y="${height - 8}">... ${xml(formatTime(gap.micros))} s</text>\n`;
  }
  let tick = Number.NEGATIVE_INFINITY;
  for (const { t, x: place } of scale.points) {
    if (place - tick < TICK_DISTANCE) continue;
    tick = place;
    yield `<text class="tick" text-anchor="middle" x="${fixed(LEFT + place)}" y="${height - 26}">${formatTime(t)} s</text>\n`;
  }
  for (const id of rows.keys()) {
    yield `<text x="12" y="${y(id) + 4}">station ${id}</text>`;
    yield `<line class="station" x1="${LEFT - 10}" y1="${y(id)}" x2="${end}" y2="${y(id)}"/>\n`;
  }
  for (const { station, from, to } of drawing.duty) {
    yield `<line class="duty" x1="${x(from)}" y1="${y(station)}" x2="${x(to)}" y2="${y(station)}"><title>${station} is the coordinator</title></line>\n`;
  }
  for (const { station, from, to } of drawing.dead) {
    yield `<line class="dead" x1="${x(from)}" y1="${y(station)}" x2="${x(to)}" y2="${y(station)}"><title>${station} is dead</title></line>\n`;
  }
  for (const { station, from, to } of drawing.inside) {
    const length = fixed(Math.max(2, scale.at(to) - scale.at(from)));
    yield `<rect class="inside" x="${x(from)}" y="${y(station) - 7}" width="${length}" height="14"><title>${station} is inside</title></rect>\n`;
  }
  for (const record of drawing.frames) yield arrow(record, scale, y);
  for (const record of drawing.events) {
    const { time, who, what } = formatRecord(record);
    const kind = TROUBLE.has(record.event) ? "mark" : "event";
    yield `<circle class="${kind}" cx="${x(record.t)}" cy="${y(record.station)}" r="4"><title>${xml(`${time} ${who} ${what}`)}</title></circle>\n`;
  }
  yield "</svg>\n";
}

function arrow(record: FrameRecord, scale: TimeScale, y: (station: number) => number): string {
  const { t, took, from, to, type } = record;
  const [x1, x2] = [LEFT + scale.at(t - took), LEFT + scale.at(t)];
  const [y1, y2] = [y(from), y(to)];
  const { time, who, what } = formatRecord(record);
  const title = `<title>${xml(`${time} ${who} ${what}`)}</title>`;
  const kind = type === "TOK" ? "token" : ELECTION.has(type) ? "election" : "";
  const label = type === "TOK" ? "" : labelAt((x1 + x2) / 2, (y1 + y2) / 2, type);
  if (record.event === "hop") {
    return `<line class="hop ${kind}" x1="${fixed(x1)}" y1="${y1}" x2="${fixed(x2)}" y2="${y2}">${title}</line>${label}\n`;
  }
  // Cut half way; a frame that took no time is drawn as if it had taken a little.
  const [mx, my] = [took ? (x1 + x2) / 2 : x1 + 12, (y1 + y2) / 2];
  const cross = `M${fixed(mx - 5)},${my - 5} l10,10 m0,-10 l-10,10`;
  return (
    `<line class="hop lost" x1="${fixed(x1)}" y1="${y1}" x2="${fixed(mx)}" y2="${my}">${title}</line>` +
    `<path class="cross" d="${cross}">${title}</path>${label}\n`
  );
}

function labelAt(x: number, y: number, type: string): string {
  return `<text class="label" x="${fixed(x + 4)}" y="${fixed(y)}">${xml(type)}</text>`;
}

function fixed(n: number): number {
  return Math.round(n * 10) / 10;
}

function xml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

export const svg: Exporter = {
  name: "svg",
  ending: ".svg",
  about: "a space-time diagram for browsers and documents",
  pieces: draw,
};
