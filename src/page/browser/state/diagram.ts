/** What the diagram shows: which arrows, which part of time. */
import { computed, signal } from "@preact/signals";
import { type Arrow, hopsIn, messagesIn } from "../../model/arrows.ts";
import { drawDiagram, gatherSpans, LEFT } from "../../model/diagram.ts";
import { foldOf } from "../../model/fold.ts";
import { isNotable } from "../../model/notable.ts";
import { pause, seek } from "./player.ts";
import { header, now, store, version } from "./run.ts";

export const kind = signal<"messages" | "hops">("messages");
export const folds = signal(true);
/** The window goes along with time. */
export const followsTime = signal(true);
/** Pixels. */
export const size = signal({ width: 800, height: 400 });
/** Width of the window in folded time, µs. */
export const span = signal(400_000);
/** Left edge in folded time where the window does not follow, µs. */
export const left = signal(0);

/** More frames than this cannot be told apart. */
const MOST_HOPS = 1500;
const LEAST_SPAN = 500;
/** Where the moment shown stands in a window that follows, as a part of it. */
const NOW_AT = 0.72;

const gathered = computed(() => {
  version.value;
  const run = store.value;
  if (!run || !header.value) return null;
  const { columns, end } = run;
  return {
    header: header.value,
    ...gatherSpans(columns, end),
    fold: foldOf(columns, end, folds.value),
    messages: messagesIn(columns),
  };
});

export const length = computed(() => gathered.value?.fold.length ?? 1);

const from = computed(() => {
  const known = gathered.value;
  if (!known) return 0;
  if (!followsTime.value) return left.value;
  return known.fold.at(now.value) - span.value * NOW_AT;
});

/** The arrows of the window; `crowded`: there are more frames than can be told apart. */
export const shown = computed<{ arrows: Arrow[]; crowded: boolean; start: number; end: number }>(() => {
  const known = gathered.value;
  const run = store.value;
  if (!known || !run) return { arrows: [], crowded: false, start: 0, end: 0 };
  const start = known.fold.moment(Math.max(0, from.value));
  const end = known.fold.moment(Math.max(0, from.value + span.value));
  if (kind.value === "messages") {
    const arrows = known.messages.filter((one) => one.end >= start && one.start <= end);
    return { arrows, crowded: false, start, end };
  }
  const [first, last] = [run.countAt(start), Math.min(run.columns.length, run.countAt(end) + 64)];
  const { columns } = run;
  let arrows = hopsIn(
    columns,
    first,
    last,
    (i) => !folds.value || isNotable(columns, i) || last - first < MOST_HOPS,
  );
  const crowded = arrows.length > MOST_HOPS;
  if (crowded) arrows = [];
  return { arrows, crowded, start, end };
});

export const picture = computed(() => {
  const known = gathered.value;
  if (!known) return null;
  const { width, height } = size.value;
  return drawDiagram(known, shown.value.arrows, {
    width,
    height,
    from: from.value,
    to: from.value + span.value,
  });
});

/** The arrow that is looked at, by its first record; -1: none. */
export const chosen = signal(-1);
export const chosenArrow = computed(() => shown.value.arrows.find((one) => one.first === chosen.value));

export function momentAt(px: number): number {
  const step = span.value / Math.max(1, size.value.width - LEFT);
  return gathered.value?.fold.moment(Math.max(0, from.value + (px - LEFT) * step)) ?? 0;
}

/** Moves the window by so many pixels. */
export function pan(pixels: number): void {
  const step = span.value / Math.max(1, size.value.width - LEFT);
  const start = from.value;
  followsTime.value = false;
  left.value = Math.max(-span.value * 0.5, Math.min(length.value - span.value * 0.2, start + pixels * step));
}

/** @param factor above 1: more time is seen @param px what stays where it is */
export function zoom(factor: number, px = LEFT + (size.value.width - LEFT) * NOW_AT): void {
  const part = (px - LEFT) / Math.max(1, size.value.width - LEFT);
  const start = from.value;
  const next = Math.max(LEAST_SPAN, Math.min(length.value * 1.1, span.value * factor));
  if (!followsTime.value) left.value = start + part * (span.value - next);
  span.value = next;
}

/** The whole run. */
export function fit(): void {
  followsTime.value = false;
  span.value = length.value * 1.03;
  left.value = -length.value * 0.01;
}

/** Looks at the next, or the last, arrow of those in the window. */
export function choose(step: 1 | -1): void {
  const { arrows } = shown.value;
  if (arrows.length === 0) return;
  const at = arrows.findIndex((one) => one.first === chosen.value);
  const next =
    at < 0 ? (step > 0 ? 0 : arrows.length - 1) : Math.max(0, Math.min(arrows.length - 1, at + step));
  left.value = from.value;
  followsTime.value = false;
  chosen.value = (arrows[next] as Arrow).first;
}

export function goTo(t: number): void {
  pause();
  seek(t);
}
