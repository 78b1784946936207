/**
 * Where stations and links of a ring are drawn: round a MAU with two lines to each station (hub), on a line with a wire back
 * (wired), on a circle where a line has no room, or in rows where nothing else has.
 */
export interface Point {
  x: number;
  y: number;
}

export type Segment =
  | { kind: "line"; from: Point; to: Point }
  | { kind: "arc"; centre: Point; radius: number; from: number; to: number };

export type RingShape = "hub" | "line" | "circle" | "rows";

export interface RingGeometry {
  shape: RingShape;
  /** Radius of a station. */
  radius: number;
  stations: Point[];
  centre: Point;
  /** Radius of the MAU's own ring; 0 where there is none. */
  inner: number;
  /** The way of a frame from one position to another. */
  way(from: number, to: number): Segment[];
  /** The two lines between a station and the MAU; empty where there is none. */
  lobe(position: number): Segment[];
  /** Where a station's words stand, and which way they run from there. */
  label(position: number): Point & { anchor: "start" | "middle" | "end" };
}

/** Beyond this the stations of a ring are drawn in rows. */
export const MOST_ROUND = 64;

const FULL = 2 * Math.PI;
/** Room of words beside a station, pixels. */
const SIDE_WORDS = 110;
const TOP = -Math.PI / 2;

export interface Room {
  width: number;
  height: number;
}

/** @param size number of stations @returns the shape that fits the wiring and the room */
export function shapeFor(size: number, wiring: string, room: Room): RingShape {
  if (size > MOST_ROUND) return "rows";
  if (wiring !== "wired") return "hub";
  return room.width / (size + 0.5) >= 66 ? "line" : "circle";
}

export function ringGeometry(size: number, shape: RingShape, room: Room): RingGeometry {
  if (shape === "rows") return rows(size, room);
  return shape === "line" ? line(size, room) : round(size, shape, room);
}

function round(size: number, shape: "hub" | "circle", room: Room): RingGeometry {
  const centre = { x: room.width / 2, y: room.height / 2 };
  const half = Math.min(room.width, room.height) / 2;
  const share = Math.sin(Math.PI / Math.max(size, 3));
  // Words stand outside the stations.
  const margin = half > 150 ? 30 : 22;
  const radius = Math.max(5, Math.min(46, half * 0.2, ((half - margin) * share * 0.66) / (1 + share * 0.66)));
  const outer = half - margin - radius;
  const inner = shape === "hub" ? outer * 0.42 : 0;
  const angle = (i: number) => TOP + (FULL * i) / size;
  const at = (r: number, a: number) => ({ x: centre.x + r * Math.cos(a), y: centre.y + r * Math.sin(a) });
  const stations = Array.from({ length: size }, (_, i) => at(outer, angle(i)));
  const lane = Math.min(7, radius * 0.4, (inner || outer) * share * 0.4);
  const turn = (r: number) => Math.asin(Math.min(1, lane / Math.max(r, 1)));
  const edge = outer - Math.sqrt(Math.max(0, radius ** 2 - lane ** 2));
  const spoke = (i: number, side: 1 | -1, out: boolean): Segment => {
    const far = at(edge, angle(i) + side * turn(edge));
    const near = at(inner, angle(i) + side * turn(inner));
    return { kind: "line", from: out ? far : near, to: out ? near : far };
  };
  const ahead = (from: number, to: number) => {
    const steps = (to - from + size) % size || size;
    return angle(from) + (FULL * steps) / size;
  };
  const way = (from: number, to: number): Segment[] => {
    if (shape === "circle") {
      const gap = 2 * Math.asin(Math.min(1, radius / (2 * outer)));
      return [
        {
          kind: "arc",
          centre,
          radius: outer,
          from: angle(from) + gap,
          to: Math.max(ahead(from, to) - gap, angle(from) + gap),
        },
      ];
    }
    const bend = turn(inner);
    const arc: Segment = {
      kind: "arc",
      centre,
      radius: inner,
      from: angle(from) + bend,
      to: ahead(from, to) - bend,
    };
    return [spoke(from, 1, true), arc, spoke(to, -1, false)];
  };
  return {
    shape,
    radius,
    stations,
    centre,
    inner,
    way,
    lobe: (i) => (shape === "hub" ? [spoke(i, 1, true), spoke(i, -1, false)] : []),
    label: (i) => {
      const place = at(outer + radius + 14, angle(i));
      const side = Math.cos(angle(i));
      const below = Math.sin(angle(i));
      // Where there is no room beside the ring, words stand above and below the stations.
      if (room.width < 2 * (outer + radius) + 2 * SIDE_WORDS && Math.abs(side) >= 0.35) {
        const { x, y } = stations[i] as Point;
        return { x, y: below < -0.2 ? y - radius - 12 : y + radius + 22, anchor: "middle" };
      }
      const anchor = Math.abs(side) < 0.35 ? "middle" : side > 0 ? "start" : "end";
      return { x: place.x, y: place.y + 4 + below * 7, anchor };
    },
  };
}

function line(size: number, room: Room): RingGeometry {
  const gap = room.width / (size + 0.5);
  const radius = Math.min(46, gap * 0.3, room.height * 0.16);
  const y = room.height * 0.42;
  const left = (room.width - gap * (size - 1)) / 2;
  const stations = Array.from({ length: size }, (_, i) => ({ x: left + i * gap, y }));
  const low = y + radius + Math.min(90, room.height * 0.22);
  const out = radius + Math.min(24, gap * 0.2);
  const first = stations[0] as Point;
  const last = stations[size - 1] as Point;
  const straight = (points: Point[]): Segment[] =>
    points.slice(1).map((to, i) => ({ kind: "line", from: points[i] as Point, to }));
  const back = [
    { x: last.x + radius, y },
    { x: last.x + out, y },
    { x: last.x + out, y: low },
    { x: first.x - out, y: low },
    { x: first.x - out, y },
    { x: first.x - radius, y },
  ];
  return {
    shape: "line",
    radius,
    stations,
    centre: { x: room.width / 2, y: low },
    inner: 0,
    lobe: () => [],
    way: (from, to) => {
      const a = stations[from] as Point;
      const b = stations[to] as Point;
      if (to === from + 1)
        return straight([
          { x: a.x + radius, y },
          { x: b.x - radius, y },
        ]);
      if (from === size - 1 && to === 0) return straight(back);
      // Past stations that are taken out: above or below them.
      const turn = to > from ? y - radius - 14 : low;
      return straight([
        { x: a.x + radius, y },
        { x: a.x + out, y: turn },
        { x: b.x - out, y: turn },
        { x: b.x - radius, y },
      ]);
    },
    label: (i) => ({ x: (stations[i] as Point).x, y: y + radius + 20, anchor: "middle" }),
  };
}

function rows(size: number, room: Room): RingGeometry {
  const cell = Math.max(6, Math.min(40, Math.sqrt((room.width * room.height * 0.8) / size)));
  const across = Math.max(1, Math.floor((room.width - 20) / cell));
  const stations = Array.from({ length: size }, (_, i) => ({
    x: 10 + ((i % across) + 0.5) * cell,
    y: 30 + (Math.floor(i / across) + 0.5) * cell,
  }));
  return {
    shape: "rows",
    radius: cell * 0.4,
    stations,
    centre: { x: room.width / 2, y: 16 },
    inner: 0,
    lobe: () => [],
    way: (from, to) => [{ kind: "line", from: stations[from] as Point, to: stations[to] as Point }],
    label: (i) => ({ ...(stations[i] as Point), anchor: "middle" }),
  };
}

function lengthOf(segment: Segment): number {
  if (segment.kind === "arc") return Math.abs(segment.to - segment.from) * segment.radius;
  return Math.hypot(segment.to.x - segment.from.x, segment.to.y - segment.from.y);
}

/** @param part of the way, 0 to 1 */
export function pointOn(way: readonly Segment[], part: number): Point {
  let left = part * way.reduce((sum, segment) => sum + lengthOf(segment), 0);
  for (const [i, segment] of way.entries()) {
    const length = lengthOf(segment);
    if (left > length && i < way.length - 1) {
      left -= length;
      continue;
    }
    const share = length ? Math.min(1, left / length) : 0;
    if (segment.kind === "line") {
      const { from, to } = segment;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    }
    const { centre, radius, from, to } = segment;
    const angle = from + (to - from) * share;
    return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
  }
  return { x: 0, y: 0 };
}

/** @returns the way as the `d` of an SVG path */
export function pathOf(way: readonly Segment[]): string {
  return way
    .map((segment, i) => {
      if (segment.kind === "line") return `${i ? "L" : "M"}${xy(segment.from)}L${xy(segment.to)}`;
      const { centre, radius, from, to } = segment;
      const end = (angle: number) => ({
        x: centre.x + radius * Math.cos(angle),
        y: centre.y + radius * Math.sin(angle),
      });
      const r = fixed(radius);
      // Two halves: an arc from a point to itself would be none.
      const middle = (from + to) / 2;
      return `${i ? "L" : "M"}${xy(end(from))}A${r},${r} 0 0 1 ${xy(end(middle))}A${r},${r} 0 0 1 ${xy(end(to))}`;
    })
    .join("");
}

function xy({ x, y }: Point): string {
  return `${fixed(x)},${fixed(y)}`;
}

function fixed(n: number): number {
  return Math.round(n * 10) / 10;
}
