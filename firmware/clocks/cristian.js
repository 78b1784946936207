/**
 * Cristian's clock synchronisation: a station asks the coordinator for the time and sets its clock to it.
 * Source: F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989.
 * The answer is right to within half the round trip. On a ring that bound is nearly reached where the two ways differ
 * most: request and reply together go once round, one of them over few links and the other over many.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { arrived } from "../members.js";
import { delay, offset } from "./ntp.js";
import { moveClock, settledClock } from "./station-clock.js";

/**
 * @param {Station} s
 */
function state(s) {
  if (!s.cristian) s.cristian = { number: 0, sentAt: 0 };
  return s.cristian;
}

/**
 * Asks the coordinator for the time. Without one, or as the coordinator, it is refused.
 * @param {Io} io
 * @param {Station} s
 */
export function askTime(io, s) {
  if (s.coordinator < 0 || s.coordinator === s.id) {
    io.record(s, "refused", "no-server");
    return;
  }
  const c = state(s);
  c.number++;
  c.sentAt = settledClock(io, s);
  message(io, s, "TMQ", s.coordinator, [c.number], false);
}

/**
 * REQUEST number.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequest(io, s, f) {
  const received = settledClock(io, s);
  const number = /** @type {number} */ (f.args[0]);
  message(io, s, "TMR", f.src, [number, received, settledClock(io, s)], false);
}

/**
 * REPLY number, when the request came, when the reply left.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onReply(io, s, f) {
  const c = state(s);
  if (f.args[0] !== c.number || !c.sentAt) return;
  const t2 = /** @type {number} */ (f.args[1]);
  const t3 = /** @type {number} */ (f.args[2]);
  const t4 = settledClock(io, s);
  const by = Math.floor(offset(c.sentAt, t2, t3, t4));
  const bound = Math.ceil(delay(c.sentAt, t2, t3, t4) / 2);
  // A second copy of the reply would move the clock again.
  c.sentAt = 0;
  moveClock(io, s, by);
  io.record(s, "clock", by, bound);
}

/** @type {import("../types.d.ts").Protocol} */
export const cristian = {
  name: "cristian",
  frames: {
    TMQ: { args: 1, fields: ["number"], handle: onRequest, returned: arrived, message: "TIME REQUEST" },
    TMR: {
      args: 3,
      fields: ["number", "came", "left"],
      handle: onReply,
      returned: arrived,
      message: "TIME REPLY",
    },
  },
  timers: {},
};
