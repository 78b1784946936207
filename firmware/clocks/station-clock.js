/**
 * The clock of a station as it is set by others. It never runs backwards: a clock that is ahead runs at half speed
 * until the others have caught up (Tanenbaum and Van Steen, Distributed Systems, "Physical clocks").
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 */

/** What a clock shows when the station's own is at 0, microseconds: times in frames are never negative. */
const START = 1000000000000;

/**
 * @param {Io} io
 * @param {Station} s
 */
function state(io, s) {
  if (!s.clock) {
    const now = Math.floor(io.now(s) * 1000);
    s.clock = { at: now, shown: START + now, ahead: 0 };
  }
  return s.clock;
}

/**
 * What the clock shows, in whole microseconds.
 * @param {Io} io
 * @param {Station} s
 */
export function readClock(io, s) {
  const c = state(io, s);
  const now = Math.floor(io.now(s) * 1000);
  const passed = now - c.at;
  const paid = Math.min(c.ahead, Math.floor(passed / 2));
  c.at = now;
  c.ahead -= paid;
  c.shown += passed - paid;
  return c.shown;
}

/**
 * Moves the clock: forward at once, back by and by.
 * @param {Io} io
 * @param {Station} s
 * @param {number} micros negative: the clock is ahead
 */
export function moveClock(io, s, micros) {
  readClock(io, s);
  const c = state(io, s);
  const forward = Math.max(0, micros - c.ahead);
  c.ahead = Math.max(0, c.ahead - micros);
  c.shown += forward;
}

/**
 * What the clock will show when it has settled: now, less what it is ahead.
 * @param {Io} io
 * @param {Station} s
 */
export function settledClock(io, s) {
  return readClock(io, s) - state(io, s).ahead;
}
