/**
 * A space-time diagram as lecturers draw it, on one page: stations as lines, time to the right and to scale, what a
 * station is as a bar on its line. Where they can be told apart, every frame is an arrow from its start to its arrival;
 * where there are too many, messages are arrows from sender to receiver, and a band shows where the token goes round.
 */
import { formatRecord, formatTime } from "../format.ts";
import type { RunHeader, StationRecord } from "../records.ts";
import { arrowShapes } from "./arrows.ts";
import type { Gathered } from "./gather.ts";
import { LabelPlaces } from "./labels.ts";
import { legend } from "./legend.ts";
import type { Look, Scene, Shape } from "./scene.ts";
import { TimeAxis } from "./time-axis.ts";

export const PAGE = { width: 1280, height: 720 };

const LEFT = 100;
const RIGHT = 28;
const TOP = 72;
const BOTTOM = 76;
const LEAST_ROW = 14;
const MOST_ROW = 120;
const TICK_DISTANCE = 96;

const TROUBLE = new Set([
  "crash",
  "unplug",
  "bypass",
  "lost",
  "stale",
  "beacon",
  "refused",
  "duplicate",
  "deadlock",
]);
/** The most important first: they get their place before the others. */
const ORDER = [
  "crash",
  "unplug",
  "restart",
  "coordinator",
  "lost",
  "regenerated",
  "stepdown",
  "bypass",
  "insert",
];

/** What a bar says when it is pointed at. */
const BAR_WORDS = {
  dead: "is dead",
  stopped: "stands still",
  out: "is out of the ring",
  duty: "is the coordinator",
  inside: "is inside",
} as const;

/** Sizes of a page. */
export interface Page {
  width: number;
  height: number;
  rows: ReadonlyMap<number, number>;
  top: number;
  bottom: number;
  row: number;
  left: number;
  right: number;
}

/** @param stations in the order of their rows @returns where everything goes; a wide ring makes the page higher */
export function pageOf(stations: readonly number[], size = PAGE): Page {
  const room = size.height - TOP - BOTTOM;
  const row = Math.min(MOST_ROW, Math.max(LEAST_ROW, room / Math.max(1, stations.length)));
  const height = Math.max(size.height, Math.ceil(TOP + BOTTOM + row * stations.length));
  const top = TOP + Math.max(0, (height - TOP - BOTTOM - row * stations.length) / 2);
  const rows = new Map(stations.map((id, k) => [id, top + (k + 0.5) * row]));
  return {
    width: size.width,
    height,
    rows,
    top: TOP,
    bottom: height - BOTTOM,
    row,
    left: LEFT,
    right: size.width - RIGHT,
  };
}

export function drawScene(header: RunHeader, run: Gathered, page: Page): Scene {
  const { extent } = run;
  const axis = new TimeAxis(extent.from, extent.to, page.left, page.right);
  // Words about stations have their places before those about frames.
  const places = new LabelPlaces();
  const marks = markShapes(run, axis, page, places);
  const arrows = arrowShapes(run, axis, page, places);
  const shapes: Shape[] = [
    { kind: "rect", look: "paper", x: 0, y: 0, width: page.width, height: page.height },
    ...background(run, axis, page),
    ...grid(axis, page),
    ...rows(page),
    ...bars(run, axis, page),
    ...arrows,
    ...marks,
    ...titles(header, run, page),
    ...legend(run, page),
  ];
  return { width: page.width, height: page.height, shapes };
}

function background({ around, outages }: Gathered, axis: TimeAxis, page: Page): Shape[] {
  const band = (look: Look, from: number, to: number, about: string): Shape => {
    const x = axis.x(from);
    const { top: y, bottom } = page;
    return { kind: "rect", look, x, y, width: Math.max(1, axis.x(to) - x), height: bottom - y, about };
  };
  return [
    ...around.map(({ from, to }) => band("around", from, to, "the token goes round")),
    ...outages.map(({ from, to, took, cause }) =>
      band("missing", from, to, `no token for ${seconds(took)}: ${cause}`),
    ),
  ];
}

function grid(axis: TimeAxis, page: Page): Shape[] {
  return axis.ticks(TICK_DISTANCE).flatMap(({ t, text }): Shape[] => {
    const x = axis.x(t);
    return [
      { kind: "line", look: "grid", x1: x, y1: page.top, x2: x, y2: page.bottom },
      { kind: "text", look: "tick", x, y: page.bottom + 16, text, anchor: "middle" },
    ];
  });
}

function rows(page: Page): Shape[] {
  return [...page.rows].flatMap(([id, y]): Shape[] => [
    { kind: "text", look: "name", x: page.left - 12, y: y + 4, text: `station ${id}`, anchor: "end" },
    { kind: "line", look: "station", x1: page.left, y1: y, x2: page.right, y2: y },
  ]);
}

function bars({ spans }: Gathered, axis: TimeAxis, page: Page): Shape[] {
  const size = Math.min(14, page.row * 0.5);
  const heights = { dead: size * 0.6, stopped: size * 0.6, out: size * 0.3, duty: size * 0.4, inside: size };
  const order = ["duty", "out", "dead", "stopped", "inside"];
  return [...spans]
    .sort((a, b) => order.indexOf(a.condition) - order.indexOf(b.condition))
    .map(({ station, condition, from, to }): Shape => {
      const height = heights[condition];
      const x = axis.x(from);
      const width = Math.max(condition === "inside" ? 3 : 1, axis.x(to) - x);
      const y = (page.rows.get(station) as number) - height / 2;
      const about = `${station} ${BAR_WORDS[condition]}, ${formatTime(from)} to ${formatTime(to)} s`;
      return { kind: "rect", look: condition, x, y, width, height, about };
    });
}

/** Marks of one station that lie on each other are one mark with all their words. */
function markShapes({ marks, outages }: Gathered, axis: TimeAxis, page: Page, places: LabelPlaces): Shape[] {
  const shapes: Shape[] = [];
  const groups: { x: number; y: number; records: StationRecord[] }[] = [];
  for (const record of marks) {
    const [x, y] = [axis.x(record.t), page.rows.get(record.station) as number];
    const last = groups.findLast((group) => group.y === y);
    if (last && Math.abs(x - last.x) < 6) last.records.push(record);
    else groups.push({ x, y, records: [record] });
  }
  for (const { x, y } of groups) places.take(x - 5, y - 5, x + 5, y + 5);
  const limits = [page.left, page.right] as const;
  for (const { from, to, took } of outages) {
    const text = `no token ${seconds(took)}`;
    const middle = axis.x((from + to) / 2);
    const place = places.place(text, middle - (text.length * 3 + 4), [page.top + 12], limits);
    if (place) shapes.push({ kind: "text", look: "trouble-label", ...place, text });
  }
  const rank = (record: StationRecord) =>
    (ORDER.indexOf(record.event) + ORDER.length + 1) % (ORDER.length + 1);
  const first = (records: StationRecord[]) => Math.min(...records.map(rank));
  const labels: Shape[] = [];
  for (const { x, y, records } of groups.sort((a, b) => first(a.records) - first(b.records))) {
    const trouble = records.some(({ event }) => TROUBLE.has(event));
    const about = records.map((record) => words(record)).join("\n");
    shapes.push({ kind: "dot", look: trouble ? "trouble" : "event", x, y, about });
    const names = [...new Set(records.map(nameOf).filter((name) => name !== undefined))];
    const text = names.length > 3 ? `${names.slice(0, 3).join(", ")}, ...` : names.join(", ");
    if (text === "") continue;
    const place = places.place(text, x, page.row < 24 ? [y - 8] : [y - 11, y + 20, y - 24, y + 33], limits);
    if (place) labels.push({ kind: "text", look: trouble ? "trouble-label" : "label", ...place, text });
  }
  return [...shapes, ...labels];
}

/** Events in one or two words. */
const NAMES: { readonly [event: string]: string } = {
  bypass: "out",
  insert: "back in",
  lost: "token lost",
  regenerated: "new token",
  stepdown: "steps down",
  elect: "election",
  stale: "stale token",
};

/** @returns undefined for a fault that has a record of its own */
function nameOf({ event, fields }: StationRecord): string | undefined {
  if (event !== "fault") return NAMES[event] ?? event;
  const kind = String(fields.kind ?? "fault");
  return OWN_RECORDS.has(kind) ? undefined : kind;
}

const OWN_RECORDS = new Set(["crash", "restart", "bypass", "insert"]);

function words(record: StationRecord): string {
  const { time, who, what } = formatRecord(record);
  return `${time} ${who} ${what}`;
}

function titles(header: RunHeader, run: Gathered, page: Page): Shape[] {
  const { stations, wiring, election } = header;
  const { extent, frames } = run;
  const ring = `Ring of ${stations.length}${wiring ? `, ${wiring}` : ""}${election ? `, election ${election}` : ""}`;
  const time = `${formatTime(extent.from)} to ${formatTime(extent.to)} s`;
  const left = [`${time}, ${extent.records} records`];
  if (extent.frames > frames.length && extent.frames > 0) {
    left.push(
      `${extent.frames} frames, too many for arrows: a part of the time (--from, --until) shows them`,
    );
  }
  const hidden = stations.length - page.rows.size;
  if (hidden > 0) left.push(`${hidden} stations are left out`);
  if (run.notDrawn > 0) left.push(`${run.notDrawn} messages are left out`);
  return [
    { kind: "text", look: "title", x: 16, y: 28, text: ring },
    { kind: "text", look: "words", x: 16, y: 50, text: left.join(" · ") },
  ];
}

function seconds(micros: number): string {
  return micros < 1e6 ? `${Math.round(micros / 1000)} ms` : `${(micros / 1e6).toFixed(2)} s`;
}
