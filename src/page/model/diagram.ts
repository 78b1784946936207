/** The space-time diagram of a part of a run, as shapes: the page paints them on a canvas, and saves them as SVG. */
import { EVERY } from "../../../firmware/frame.js";
import type { RecordColumns } from "../../log/columns.ts";
import { formatRecord } from "../../log/format.ts";
import { type Condition, Conditions } from "../../log/picture/conditions.ts";
import { LabelPlaces } from "../../log/picture/labels.ts";
import type { Look, Shape } from "../../log/picture/scene.ts";
import { EVENT_CODE, EVENT_NAMES, type RunHeader } from "../../log/records.ts";
import type { Arrow } from "./arrows.ts";
import type { Fold } from "./fold.ts";

export interface Span {
  station: number;
  condition: Condition;
  from: number;
  to: number;
}

export interface Mark {
  t: number;
  station: number;
  text: string;
  trouble: boolean;
}

/** Parts of a run that are drawn: gathered once, drawn for every window. */
export interface Gathered {
  header: RunHeader;
  spans: Span[];
  marks: Mark[];
  fold: Fold;
}

const MARKS: { [event: string]: string } = {
  crash: "crash",
  restart: "restart",
  lost: "token lost",
  regenerated: "new token",
  stale: "stale token",
  elect: "election",
  stepdown: "steps down",
};
const TROUBLE = new Set(["crash", "lost", "stale"]);

/** @returns what stations are over time, and what happens to them */
export function gatherSpans(columns: RecordColumns, end: number): { spans: Span[]; marks: Mark[] } {
  const spans: Span[] = [];
  const marks: Mark[] = [];
  const since = new Map<string, number>();
  const conditions = new Conditions((t, station, condition, on) => {
    const key = `${condition} ${station}`;
    if (on) {
      since.set(key, t);
      return;
    }
    spans.push({ station, condition, from: since.get(key) ?? 0, to: t });
    since.delete(key);
  });
  for (let i = 0; i < columns.length; i++) {
    if ((columns.event[i] as number) === EVENT_CODE.hop) continue;
    conditions.write(columns, i);
    const event = EVENT_NAMES[columns.event[i] as number] as string;
    const text = MARKS[event];
    if (!text) continue;
    // Of many stations that follow in an election the one that it began with has the mark.
    if (event === "elect" && (columns.value(i, 1) === "received" || columns.value(i, 1) === "retry"))
      continue;
    marks.push({
      t: columns.t[i] as number,
      station: columns.station[i] as number,
      text,
      trouble: TROUBLE.has(event),
    });
  }
  for (const [key, from] of since) {
    const [condition = "", station] = key.split(" ");
    spans.push({ station: Number(station), condition: condition as Condition, from, to: end });
  }
  return { spans, marks };
}

/** What is seen of it, and where. */
export interface View {
  width: number;
  height: number;
  /** Folded time at the left and the right edge, µs. */
  from: number;
  to: number;
}

export const LEFT = 52;
const TOP = 18;
const BOTTOM = 30;
const TICK = 110;

/** An arrow as it lies in the picture. */
export interface Placed {
  arrow: Arrow;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface Picture {
  shapes: Shape[];
  arrows: Placed[];
  rows: ReadonlyMap<number, number>;
  /** Place of a moment. */
  x(t: number): number;
}

const HEIGHTS: { [condition in Condition]: number } = { duty: 5, out: 4, dead: 8, stopped: 8, inside: 15 };
const ELECTION = new Set([
  "ELECTION",
  "OK",
  "COORDINATOR",
  "ELECTED",
  "ELN",
  "CRD",
  "BEL",
  "BOK",
  "BCO",
  "CHE",
  "CHD",
]);

export function lookOf(name: string): Look {
  if (name === "TOK" || name === "TOKEN") return "token";
  return ELECTION.has(name) ? "election" : "frame";
}

/** @param arrows those of the window, in the order of time */
export function drawDiagram(
  { header, spans, marks, fold }: Gathered,
  arrows: readonly Arrow[],
  view: View,
): Picture {
  const { width, height } = view;
  const room = height - TOP - BOTTOM;
  const row = room / Math.max(1, header.stations.length);
  const rows = new Map(header.stations.map((id, k) => [id, TOP + (k + 0.5) * row]));
  const scale = (width - LEFT - 8) / Math.max(1, view.to - view.from);
  const x = (t: number) => LEFT + (fold.at(t) - view.from) * scale;
  const inView = (from: number, to: number) => x(to) >= LEFT - 40 && x(from) <= width + 40;
  const shapes: Shape[] = [];
  for (const s of fold.stretches) {
    if (!s.folded || !inView(s.from, s.to)) continue;
    const [left, right] = [Math.max(LEFT, x(s.from)), x(s.to)];
    if (right <= left) continue;
    shapes.push({ kind: "rect", look: "around", x: left, y: TOP, width: right - left, height: room });
    if (right - left > 34)
      shapes.push({
        kind: "text",
        look: "tick",
        x: (left + right) / 2,
        y: 12,
        anchor: "middle",
        text: seconds(s.to - s.from),
      });
  }
  shapes.push(...ticks(fold, view, x, height));
  // What lies before the window is covered.
  const names: Shape[] = [{ kind: "rect", look: "paper", x: 0, y: 0, width: LEFT, height }];
  for (const [id, y] of rows) {
    shapes.push({ kind: "line", look: "station", x1: LEFT, y1: y, x2: width, y2: y });
    if (row > 9)
      names.push({ kind: "text", look: "name", x: LEFT - 10, y: y + 5, anchor: "end", text: String(id) });
  }
  const order: Condition[] = ["duty", "out", "dead", "stopped", "inside"];
  for (const condition of order) {
    for (const span of spans) {
      const y = rows.get(span.station);
      if (span.condition !== condition || y === undefined || !inView(span.from, span.to)) continue;
      const left = Math.max(LEFT, x(span.from));
      const tall = Math.min(HEIGHTS[condition], row * 0.7);
      const wide = Math.max(condition === "inside" ? 3 : 1, Math.min(width, x(span.to)) - left);
      shapes.push({ kind: "rect", look: condition, x: left, y: y - tall / 2, width: wide, height: tall });
    }
  }
  const placed = place(arrows, rows, x).filter(({ x1, x2 }) => x2 >= LEFT - 20 && x1 <= width + 20);
  shapes.push(...arrowShapes(placed, rows, width));
  shapes.push(...markShapes(marks, rows, x, view));
  shapes.push(...names);
  return { shapes, arrows: placed, rows, x };
}

/** Words stand beside what happens to a station, where there is room for them. */
function markShapes(
  marks: readonly Mark[],
  rows: Picture["rows"],
  x: Picture["x"],
  { width }: View,
): Shape[] {
  const places = new LabelPlaces();
  const shapes: Shape[] = [];
  for (const { t, station, text, trouble } of marks) {
    const [place, y] = [x(t), rows.get(station)];
    if (y === undefined || place < LEFT || place > width) continue;
    shapes.push({ kind: "dot", look: trouble ? "trouble" : "event", x: place, y, about: text });
    const label = places.place(text, place, [y - 10, y + 19], [LEFT, width]);
    if (label) shapes.push({ kind: "text", look: trouble ? "trouble-label" : "label", ...label, text });
  }
  return shapes;
}

function place(arrows: readonly Arrow[], rows: Picture["rows"], x: Picture["x"]): Placed[] {
  return arrows.flatMap((arrow): Placed[] => {
    const y1 = rows.get(arrow.from);
    // A message to all is drawn once, to the row below the last.
    const y2 = rows.get(arrow.to) ?? (arrow.to === EVERY ? Math.max(...rows.values()) : undefined);
    if (y1 === undefined || y2 === undefined) return [];
    return [{ arrow, x1: x(arrow.start), y1, x2: x(arrow.end), y2 }];
  });
}

function arrowShapes(placed: readonly Placed[], rows: Picture["rows"], width: number): Shape[] {
  const places = new LabelPlaces();
  for (const y of rows.values()) places.take(LEFT, y - 3, width, y + 3);
  const lines: Shape[] = [];
  const labels: Shape[] = [];
  for (const { arrow, x1, y1, x2, y2 } of placed) {
    if (arrow.arrived) lines.push({ kind: "line", look: lookOf(arrow.name), x1, y1, x2, y2, arrow: true });
    else {
      // Cut before it arrives, with a cross.
      const [mx, my] = [x1 + (x2 - x1) * 0.8, y1 + (y2 - y1) * 0.8];
      lines.push({ kind: "line", look: "lost", x1, y1, x2: mx, y2: my });
      lines.push({ kind: "line", look: "cross", x1: mx - 5, y1: my - 5, x2: mx + 5, y2: my + 5 });
      lines.push({ kind: "line", look: "cross", x1: mx - 5, y1: my + 5, x2: mx + 5, y2: my - 5 });
    }
    if (arrow.name === "TOK" || placed.length > 400) continue;
    const at = (part: number) => y1 + (y2 - y1) * part + 4;
    const label = places.place(arrow.name, (x1 + x2) / 2, [at(0.5), at(0.38), at(0.62)], [LEFT, width]);
    if (label)
      labels.push({
        kind: "text",
        look: arrow.arrived ? "label" : "trouble-label",
        ...label,
        text: arrow.name,
      });
  }
  return [...lines, ...labels];
}

function ticks(fold: Fold, view: View, x: Picture["x"], height: number): Shape[] {
  const shapes: Shape[] = [];
  const step = (view.to - view.from) / Math.max(1, view.width - LEFT);
  const least = step * TICK;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const every = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? power * 10;
  const digits = Math.max(0, Math.min(6, 6 - Math.round(Math.log10(every) - 0.35)));
  let before = Number.NEGATIVE_INFINITY;
  for (const s of fold.stretches) {
    if (s.folded || s.end < view.from || s.at > view.to) continue;
    const from = fold.moment(Math.max(s.at, view.from));
    const to = fold.moment(Math.min(s.end, view.to));
    for (let k = Math.ceil(from / every); k * every <= to; k++) {
      const place = x(k * every);
      if (place < LEFT || place - before < TICK * 0.8) continue;
      before = place;
      const text = `${((k * every) / 1e6).toFixed(digits)} s`;
      shapes.push({ kind: "line", look: "grid", x1: place, y1: TOP, x2: place, y2: height - BOTTOM });
      shapes.push({ kind: "text", look: "tick", x: place, y: height - 10, anchor: "middle", text });
    }
  }
  return shapes;
}

function seconds(micros: number): string {
  return micros < 1e6 ? `${Math.round(micros / 1000)} ms` : `${(micros / 1e6).toFixed(1)} s`;
}

/** @returns the arrow nearest to a place, not farther than `reach` pixels */
export function arrowAt(arrows: readonly Placed[], px: number, py: number, reach = 9): Placed | undefined {
  let best: Placed | undefined;
  let least = reach;
  for (const one of arrows) {
    const distance = toSegment(one, px, py);
    if (distance > least) continue;
    least = distance;
    best = one;
  }
  return best;
}

function toSegment({ x1, y1, x2, y2 }: Placed, px: number, py: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const part = length ? Math.min(1, Math.max(0, ((px - x1) * dx + (py - y1) * dy) / length)) : 0;
  return Math.hypot(px - x1 - part * dx, py - y1 - part * dy);
}

/** @returns how many arrows of each name there are, in words */
export function countWords(arrows: readonly Arrow[]): string {
  const counts = new Map<string, number>();
  for (const { name, again } of arrows) {
    const key = again ? `${name} again` : name;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([name, n]) => `${n} ${name}`).join(", ");
}

/** @returns what the receiver of an arrow did with it: what is told of it at that very time */
export function consequences(columns: RecordColumns, { to, last }: Arrow): string[] {
  const words: string[] = [];
  const t = columns.t[last] as number;
  for (let i = Math.max(0, last); i < columns.length && columns.t[i] === t && words.length < 8; i++) {
    if (columns.station[i] === to && i !== last && (columns.event[i] as number) > EVENT_CODE.transmitted)
      words.push(formatRecord(columns.get(i)).what);
  }
  return words;
}
