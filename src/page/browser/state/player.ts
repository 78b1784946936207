/** Time as the page shows it: play, pause, speed, one event on or back. */
import { effect, signal } from "@preact/signals";
import { isNotable, isTold } from "../../model/notable.ts";
import { stepAt } from "../../model/story.ts";
import { following, liveMoment } from "./live.ts";
import { branch, extend, now, playing, seen, source, store, story } from "./run.ts";

/** Ring seconds per second. */
export const speed = signal(0.1);
/** Where nothing but the token goes round, time goes faster. */
export const quick = signal(false);
/** It does so now. */
export const skipping = signal(false);
/** A story stops at its next step. */
export const stepwise = signal(true);

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** So many times as fast where nothing happens, but not slower than this. */
const QUICK = 12;
/** So long before something happens time is at its own speed again, seconds of the person. */
const LEAD = 0.5;
const TRAIL = 0.6;
/** A simulated run is known so far ahead of what is shown, µs. */
const AHEAD = 5_000_000;
const MORE = 10_000_000;

export const reduced = matchMedia("(prefers-reduced-motion: reduce)");

let asked = 0;

export function seek(t: number): void {
  const end = store.value?.end ?? 0;
  now.value = Math.max(0, Math.min(t, end));
  seen(now.value);
}

/** Time stands still, or goes where the person puts it. */
export function pause(): void {
  playing.value = false;
  following.value = false;
}

/** Lets so much time of the person pass, seconds. */
export function pass(seconds: number): void {
  const run = store.value;
  if (!run || !playing.value) {
    skipping.value = false;
    return;
  }
  if (source.value === "live" && following.value) {
    seek(Math.max(now.value, liveMoment()));
    return;
  }
  const micros = seconds * speed.value * 1e6;
  let step = micros;
  if (quick.value) step = stretched(micros);
  skipping.value = step > micros * 2;
  let next = now.value + step;
  const stop = stopOfStory();
  if (stop !== undefined && next >= stop) {
    next = stop;
    playing.value = false;
  }
  if (next >= run.end && (run.ended || source.value === "live")) {
    next = run.end;
    if (run.ended) playing.value = false;
  }
  seek(next);
  lookAhead();
}

/** Keeps the simulation ahead of what is shown. A story ends where its file says. */
function lookAhead(): void {
  const run = store.value;
  const shown = branch.value;
  if (!run || !shown || source.value !== "simulation") return;
  if (story.value && now.value >= run.end) {
    playing.value = false;
    return;
  }
  if (story.value || run.end - now.value > AHEAD || asked > run.end) return;
  asked = run.end + MORE;
  extend(asked);
}

effect(() => {
  // A new run knows nothing of what was asked of the one before.
  store.value;
  asked = 0;
});

function stopOfStory(): number | undefined {
  const told = story.value;
  if (!told || !stepwise.value) return undefined;
  return told.steps[stepAt(told, now.value) + 1]?.from;
}

/** Time goes faster between events, and reaches the next one at its own speed. */
function stretched(micros: number): number {
  const run = store.value;
  if (!run) return micros;
  const { columns } = run;
  const t = now.value;
  const lead = LEAD * speed.value * 1e6;
  const trail = TRAIL * speed.value * 1e6;
  const count = run.countAt(t);
  for (let i = count - 1; i >= 0 && t - (columns.t[i] as number) < trail; i--)
    if (isNotable(columns, i)) return micros;
  const fast = micros * QUICK;
  for (let i = count; i < columns.length; i++) {
    const gap = (columns.t[i] as number) - (columns.took[i] as number) - lead - t;
    if (gap > fast) return fast;
    if (isNotable(columns, i)) return Math.max(micros, Math.min(fast, gap));
  }
  return fast;
}

/**
 * Moves to the next time at which something happens.
 * @param direction 1 on, -1 back
 * @param every each frame counts, not only what tells a story
 */
export function stepBy(direction: 1 | -1, every: boolean): void {
  const run = store.value;
  if (!run) return;
  pause();
  const { columns } = run;
  const t = now.value;
  const counts = every ? () => true : (i: number) => isTold(columns, i);
  let i = run.countAt(t);
  if (direction > 0) {
    while (i < columns.length && !counts(i)) i++;
    seek(i < columns.length ? (columns.t[i] as number) : run.end);
    return;
  }
  i--;
  while (i >= 0 && !((columns.t[i] as number) < t && counts(i))) i--;
  seek(i < 0 ? 0 : (columns.t[i] as number));
}

export function faster(direction: 1 | -1): void {
  const at = SPEEDS.findIndex((one) => one >= speed.value);
  speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + direction))] as number;
}

/** Time follows the boards again. */
export function follow(): void {
  following.value = true;
  playing.value = true;
  seek(liveMoment());
}

export function toggle(): void {
  const run = store.value;
  if (!run) return;
  if (!playing.value && run.ended && now.value >= run.end) seek(0);
  playing.value = !playing.value;
  if (!playing.value) following.value = false;
}

/** Starts to move time along with the screen. */
export function startClock(): void {
  let last = performance.now();
  const tick = (at: number) => {
    const seconds = (at - last) / 1000;
    // Some people are made ill by what moves: they get a few pictures a second.
    if (!reduced.matches || seconds > 0.25) {
      // A page that was asleep does not catch up.
      pass(Math.min(seconds, 0.5));
      last = at;
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
