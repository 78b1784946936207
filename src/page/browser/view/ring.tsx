/** The ring: stations, links and what travels on them. */

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { frameTypes } from "../../../../firmware/registry.js";
import { formatRecord } from "../../../log/format.ts";
import { electionFrames, tokenFrames } from "../../../protocols/frames.ts";
import type { StationMoment } from "../../model/moment.ts";
import {
  type Point,
  pathOf,
  pointOn,
  type RingGeometry,
  ringGeometry,
  shapeFor,
} from "../../model/ring-geometry.ts";
import type { Flight } from "../../model/run-store.ts";
import { kindOf, sentenceOf, wordsOf } from "../../model/station-words.ts";
import { reduced, skipping } from "../state/player.ts";
import { act, header, ring } from "../state/run.ts";
import { selected } from "../state/selection.ts";
import { StationMark } from "./station-mark.tsx";

const room = signal({ width: 600, height: 500 });
/** A line that is being drawn through the ring, to partition it. */
const knife = signal<{ from: Point; to: Point } | null>(null);

const geometry = computed<RingGeometry | null>(() => {
  const known = header.value;
  if (!known) return null;
  const size = known.stations.length;
  return ringGeometry(size, shapeFor(size, known.wiring, room.value), room.value);
});

/** The stations change far less often than time. */
const stationsKey = computed(() => JSON.stringify(ring.value?.stations ?? []));
const stations = computed(() => JSON.parse(stationsKey.value) as StationMoment[]);
const groups = computed(() => ring.value?.groups ?? "");

export const TOKENS: ReadonlySet<string> = new Set(tokenFrames());

export function Ring() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current as HTMLDivElement;
    const watcher = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width && height) room.value = { width, height };
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const { width, height } = room.value;
  return (
    <div class="ring" ref={box}>
      {geometry.value ? (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label="The ring"
          onPointerDown={startKnife}
          onPointerMove={moveKnife}
          onPointerUp={endKnife}
        >
          <Links shape={geometry.value} />
          {!skipping.value && <Flights shape={geometry.value} />}
          <Stations shape={geometry.value} />
          <Centre shape={geometry.value} />
          {knife.value && (
            <line
              class="knife"
              x1={knife.value.from.x}
              y1={knife.value.from.y}
              x2={knife.value.to.x}
              y2={knife.value.to.y}
            />
          )}
        </svg>
      ) : null}
    </div>
  );
}

function Links({ shape }: { shape: RingGeometry }) {
  const all = stations.value;
  const inserted = all.flatMap((s, i) => (s.inserted ? [i] : []));
  const side = sidesOf(groups.value, all);
  const next = (from: number) => {
    const mine = inserted.filter((i) => side(i) === side(from));
    return mine.find((i) => i > from) ?? mine[0];
  };
  return (
    <g aria-hidden="true" class={skipping.value ? "sweeping" : ""}>
      {shape.inner > 0 && (
        <circle
          class="mau"
          cx={shape.centre.x}
          cy={shape.centre.y}
          r={shape.inner - 8 > 4 ? shape.inner : 4}
        />
      )}
      {shape.shape !== "rows" &&
        inserted.map((i) => {
          const to = next(i);
          const s = all[i] as StationMoment;
          if (to === undefined) return null;
          const broken = s.cut || s.power !== 0;
          return <path key={i} class={`link${broken ? " broken" : ""}`} d={pathOf(shape.way(i, to))} />;
        })}
      {all.map((s, i) =>
        s.inserted ? null : (
          <path
            key={s.id}
            class="link out"
            d={shape
              .lobe(i)
              .map((one) => pathOf([one]))
              .join("")}
          />
        ),
      )}
    </g>
  );
}

/** @returns which part of a partitioned ring a position belongs to */
function sidesOf(text: string, all: readonly StationMoment[]): (position: number) => number {
  if (!text) return () => 0;
  const parts = text.split("/").map((part) => new Set(part.split(",").map(Number)));
  return (position) => parts.findIndex((part) => part.has((all[position] as StationMoment).id));
}

function Stations({ shape }: { shape: RingGeometry }) {
  const all = stations.value;
  return (
    <g>
      {all.map((s, i) => (
        <StationMark
          key={s.id}
          station={s}
          kind={kindOf(s)}
          words={wordsOf(s)}
          sentence={sentenceOf(s)}
          place={shape.stations[i] as Point}
          radius={shape.radius}
          label={shape.shape === "rows" ? null : shape.label(i)}
          chosen={selected.value === s.id}
          onPick={() => {
            selected.value = s.id;
          }}
        />
      ))}
    </g>
  );
}

function positionOf(id: number): number {
  return header.value?.stations.indexOf(id) ?? -1;
}

function Flights({ shape }: { shape: RingGeometry }) {
  const flights = ring.value?.flights ?? [];
  return (
    <g aria-hidden="true">
      {flights.map((flight) => (
        <FlightMark key={flight.record.seq} flight={flight} shape={shape} />
      ))}
    </g>
  );
}

function FlightMark({ flight, shape }: { flight: Flight; shape: RingGeometry }) {
  const { record, done } = flight;
  const [from, to] = [positionOf(record.from), positionOf(record.to)];
  if (from < 0 || to < 0) return null;
  const lost = record.event !== "hop";
  const { x, y } = pointOn(shape.way(from, to), reduced.matches ? 0.5 : done);
  const size = Math.max(6, Math.min(17, shape.radius * 0.42));
  if (TOKENS.has(record.type))
    return (
      <g class={`token${lost ? " lost" : ""}`} transform={`translate(${x} ${y})`}>
        <circle r={size} />
        {size > 9 && (
          <text dy="0.36em" font-size={size * 1.15}>
            T
          </text>
        )}
      </g>
    );
  const name = frameTypes[record.type]?.message ?? record.type;
  const wide = name.length * 8.1 + 14;
  if (shape.radius < 14) return <circle class={`frame dot ${family(record.type)}`} cx={x} cy={y} r={4} />;
  return (
    <g class={`frame ${family(record.type)}${lost ? " lost" : ""}`} transform={`translate(${x} ${y})`}>
      <title>{formatRecord(record).what}</title>
      <rect x={-wide / 2} y={-10} width={wide} height={20} rx={10} />
      <text dy="0.35em">{name}</text>
    </g>
  );
}

const ELECTION: ReadonlySet<string> = new Set(electionFrames());

/** Of which kind a frame is: it decides its colour. */
export function family(type: string): "token" | "election" | "mutex" | "monitor" {
  if (TOKENS.has(type)) return "token";
  if (ELECTION.has(type)) return "election";
  return frameTypes[type]?.message ? "mutex" : "monitor";
}

function Centre({ shape }: { shape: RingGeometry }) {
  const at = ring.value;
  if (!at || skipping.value) return null;
  const ways = at.flights
    .filter(({ record }) => TOKENS.has(record.type))
    .map(({ record }) => `${record.from} → ${record.to}`);
  const holders = at.stations.filter((s) => s.token);
  const { x, y } = shape.centre;
  if (shape.shape === "rows" || (shape.inner > 0 && shape.inner < 38)) return null;
  const [only] = holders;
  const big =
    holders.length === 1 && ways.length === 0
      ? String(only?.id)
      : ways.length === 1 && !only
        ? (ways[0] as string)
        : "";
  const line = shape.shape === "line";
  const tight = shape.inner > 0 && shape.inner < 62;
  return (
    <g class="centre" aria-hidden="true">
      <text class={sizeOf(big, tight)} x={x} y={y + (line ? -18 : 12)}>
        {big || (holders.length + ways.length ? `${holders.length + ways.length} tokens` : "no token")}
      </text>
      <text x={x} y={y + (line ? 6 : 36)}>
        {big && !tight && (ways.length ? "the token passes" : "has the token")}
      </text>
      {shape.inner >= 74 && (
        <text class="name" x={x} y={y - 42}>
          MAU
        </text>
      )}
    </g>
  );
}

/** As large as it fits: it is read from the last row of a room. */
function sizeOf(words: string, tight: boolean): string {
  if (words === "") return tight ? "big tiny" : "big short";
  return words.length < 4 && !tight ? "big" : words.length > 4 && tight ? "big short" : "big long";
}

function spot(event: PointerEvent): Point {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function startKnife(event: PointerEvent): void {
  if ((event.target as Element).closest("[data-station]")) return;
  const from = spot(event);
  knife.value = { from, to: from };
  (event.currentTarget as Element).setPointerCapture(event.pointerId);
}

function moveKnife(event: PointerEvent): void {
  if (knife.value) knife.value = { from: knife.value.from, to: spot(event) };
}

function endKnife(): void {
  const cut = knife.value;
  knife.value = null;
  const shape = geometry.value;
  if (!cut || !shape || Math.hypot(cut.to.x - cut.from.x, cut.to.y - cut.from.y) < 40) return;
  const { from, to } = cut;
  const left: number[] = [];
  const right: number[] = [];
  for (const [i, s] of stations.value.entries()) {
    const { x, y } = shape.stations[i] as Point;
    const side = (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
    (side > 0 ? left : right).push(s.id);
  }
  if (left.length && right.length) act("partition", `${left.join(",")}/${right.join(",")}`);
}
