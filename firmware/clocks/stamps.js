/**
 * Messages that carry a Lamport, a vector and a hybrid timestamp, so that all three can be seen at work beside one
 * another. Each event of sending or receiving makes a record of the three.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { arrived } from "../members.js";
import { afterSeeing, hybridCount, mergeVectors } from "./logical-clocks.js";

/** Arguments of a stamped message before its vector. */
const HEAD = 3;

/**
 * @param {Station} s
 */
function state(s) {
  if (!s.logical) s.logical = { lamport: 0, vector: s.settings.members.map(() => 0), wall: 0, count: 0 };
  return s.logical;
}

/**
 * An event at this station.
 * @param {Io} io
 * @param {Station} s
 * @param {number} lamport of the message that comes; 0: none does
 * @param {number} wall of that message; -1: none
 * @param {number} count
 */
function happen(io, s, lamport, wall, count) {
  const l = state(s);
  const place = s.settings.members.indexOf(s.id);
  const now = Math.max(l.wall, wall, Math.floor(io.now(s)));
  l.lamport = afterSeeing(l.lamport, lamport);
  l.vector[place] = /** @type {number} */ (l.vector[place]) + 1;
  l.count = hybridCount(now, l.wall, l.count, wall, count);
  l.wall = now;
  io.record(s, "stamp", l.lamport, l.wall + "." + l.count, l.vector.join("."));
}

/**
 * Sends a stamped message.
 * @param {Io} io
 * @param {Station} s
 * @param {number} to a station's id
 */
export function sendStamped(io, s, to) {
  happen(io, s, 0, -1, 0);
  const l = state(s);
  message(io, s, "STM", to, [l.lamport, l.wall, l.count].concat(l.vector), false);
}

/**
 * STAMPED timestamp, wall, count, vector...
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onStamped(io, s, f) {
  const args = /** @type {number[]} */ (f.args);
  const vector = args.slice(HEAD);
  const l = state(s);
  if (vector.length !== l.vector.length) {
    io.record(s, "bad", "vector");
    return;
  }
  l.vector = mergeVectors(l.vector, vector);
  happen(
    io,
    s,
    /** @type {number} */ (args[0]),
    /** @type {number} */ (args[1]),
    /** @type {number} */ (args[2]),
  );
}

/** @type {import("../types.d.ts").Protocol} */
export const stamps = {
  name: "stamps",
  frames: {
    STM: {
      args: -4,
      fields: ["timestamp", "wall", "count", "vector..."],
      handle: onStamped,
      returned: arrived,
      message: "STAMPED",
    },
  },
  timers: {},
};
