/**
 * The Berkeley clock synchronisation: the coordinator asks all for their time and tells each how to move its clock
 * to the average; no clock is the right one.
 * Source: R. Gusella and S. Zatti, "The accuracy of the clock synchronization achieved by TEMPO in Berkeley UNIX
 * 4.3BSD", IEEE Trans. Software Engineering 15(7), 1989.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { arrived, others, remove } from "../members.js";
import { moveClock, settledClock } from "./station-clock.js";

/** A clock further than this from the middle one has no part in the average, microseconds. */
const FAR = 60000000;

/**
 * How each clock moves to the average. A clock that is far from the middle one is wrong: it is set, and not counted.
 * @param {number[]} offsets by how much each clock is ahead of one of them
 * @param {number} far
 * @returns {number[]} what each is to move by
 */
export function adjustments(offsets, far) {
  const sorted = offsets.slice().sort((a, b) => a - b);
  const middle = /** @type {number} */ (sorted[Math.floor(sorted.length / 2)]);
  const near = offsets.filter((offset) => Math.abs(offset - middle) <= far);
  const average = near.reduce((sum, offset) => sum + offset, 0) / near.length;
  return offsets.map((offset) => average - offset);
}

/**
 * @param {Station} s
 */
function state(s) {
  if (!s.berkeley) s.berkeley = { number: 0, sentAt: 0, missing: [], ids: [], offsets: [], moved: 0 };
  return s.berkeley;
}

/**
 * Asks all for their time. Only the coordinator does.
 * @param {Io} io
 * @param {Station} s
 */
export function pollClocks(io, s) {
  if (s.coordinator !== s.id) {
    io.record(s, "refused", "not-coordinator");
    return;
  }
  const b = state(s);
  b.number++;
  b.missing = others(s);
  b.ids = [s.id];
  b.offsets = [0];
  b.sentAt = settledClock(io, s);
  io.arm(s, "poll", s.settings.limits.election);
  const ids = b.missing.slice();
  for (let i = 0; i < ids.length; i++) {
    message(io, s, "BKQ", /** @type {number} */ (ids[i]), [b.number], false);
  }
  if (!ids.length) finish(io, s);
}

/**
 * POLL number.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onPoll(io, s, f) {
  message(io, s, "BKR", f.src, [/** @type {number} */ (f.args[0]), settledClock(io, s)], false);
}

/**
 * Nobody is there to answer.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onPollBack(io, s, f) {
  const b = state(s);
  if (arrived(io, s, f) || f.args[0] !== b.number) return;
  if (remove(b.missing, f.dst) && !b.missing.length) finish(io, s);
}

/**
 * TIME number, what the clock of the station shows.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onTime(io, s, f) {
  const b = state(s);
  if (f.args[0] !== b.number || !remove(b.missing, f.src)) return;
  // Half of the round trip has passed since the station read its clock, as far as anyone can tell.
  const now = settledClock(io, s);
  b.ids.push(f.src);
  b.offsets.push(/** @type {number} */ (f.args[1]) - (b.sentAt + now) / 2);
  if (!b.missing.length) finish(io, s);
}

/**
 * Tells each that has answered how to move.
 * @param {Io} io
 * @param {Station} s
 */
function finish(io, s) {
  const b = state(s);
  const moves = adjustments(b.offsets, FAR);
  io.disarm(s, "poll");
  b.missing = [];
  for (let i = 0; i < b.ids.length; i++) {
    const id = /** @type {number} */ (b.ids[i]);
    const by = Math.floor(/** @type {number} */ (moves[i]));
    if (id === s.id) move(io, s, by);
    else message(io, s, "BKA", id, [b.number, Math.max(0, by), Math.max(0, -by)], false);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} by microseconds
 */
function move(io, s, by) {
  moveClock(io, s, by);
  io.record(s, "clock", by);
}

/**
 * ADJUST number of the poll, forward, back; one of the last two is 0.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onAdjust(io, s, f) {
  const b = state(s);
  if (f.args[0] === b.moved) return;
  b.moved = /** @type {number} */ (f.args[0]);
  move(io, s, /** @type {number} */ (f.args[1]) - /** @type {number} */ (f.args[2]));
}

/**
 * Some do not answer: the others are enough.
 * @param {Io} io
 * @param {Station} s
 */
function onPollTimer(io, s) {
  if (state(s).missing.length) finish(io, s);
}

/** @type {import("../types.d.ts").Protocol} */
export const berkeley = {
  name: "berkeley",
  frames: {
    BKQ: { args: 1, fields: ["number"], handle: onPoll, returned: onPollBack, message: "POLL" },
    BKR: { args: 2, fields: ["number", "time"], handle: onTime, returned: arrived, message: "TIME" },
    BKA: {
      args: 3,
      fields: ["number", "forward", "back"],
      handle: onAdjust,
      returned: arrived,
      message: "ADJUST",
    },
  },
  timers: { poll: onPollTimer },
};
