/**
 * Lamport's mutual exclusion: a queue of requests at every station, REQUEST, REPLY and RELEASE to and from all.
 * Source: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978.
 * It rests on messages that do not overtake one another, and on every station being there.
 * Fence: (timestamp of the request, id).
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { afterSeeing, precedes } from "../clocks/logical-clocks.js";
import { enter } from "../critical-section.js";
import { arrived, messageAll, others, remove, waitsFor } from "../members.js";

/**
 * @param {Io} io
 * @param {Station} s
 */
function request(io, s) {
  const l = s.lamport;
  l.clock++;
  l.stamp = l.clock;
  l.missing = others(s);
  queue(s, s.id, l.stamp);
  messageAll(io, s, "LRQ", l.missing, [l.stamp]);
  tryToEnter(io, s);
}

/**
 * Puts a request into the queue; a station has one request at a time.
 * @param {Station} s
 * @param {number} id
 * @param {number} stamp
 */
function queue(s, id, stamp) {
  const l = s.lamport;
  const at = l.ids.indexOf(id);
  if (at >= 0) l.stamps[at] = stamp;
  else {
    l.ids.push(id);
    l.stamps.push(stamp);
  }
}

/**
 * Takes a request out of the queue.
 * @param {Station} s
 * @param {number} id
 * @param {number} stamp
 */
function unqueue(s, id, stamp) {
  const l = s.lamport;
  const at = l.ids.indexOf(id);
  if (at < 0 || l.stamps[at] !== stamp) return;
  l.ids.splice(at, 1);
  l.stamps.splice(at, 1);
}

/**
 * Ids whose request in the queue is before the own.
 * @param {Station} s
 */
function before(s) {
  const l = s.lamport;
  return l.ids.filter((id, i) => precedes(/** @type {number} */ (l.stamps[i]), id, l.stamp, s.id));
}

/**
 * Rule 5: the own request is before all others in the queue, and something later was heard from everyone.
 * @param {Io} io
 * @param {Station} s
 */
function tryToEnter(io, s) {
  const l = s.lamport;
  if (s.wants && !l.missing.length && !before(s).length) enter(io, s, l.stamp, s.id);
}

/**
 * @param {Station} s
 */
function waits(s) {
  if (!s.wants) return [];
  return waitsFor(s.lamport.missing, "REPLY").concat(waitsFor(before(s), "RELEASE"));
}

/**
 * Takes notice of a message's timestamp.
 * @param {Station} s
 * @param {Frame} f
 */
function hear(s, f) {
  const l = s.lamport;
  const stamp = /** @type {number} */ (f.args[0]);
  l.clock = afterSeeing(l.clock, stamp);
  if (stamp > l.stamp) remove(l.missing, f.src);
}

/**
 * REQUEST timestamp. It is answered at once.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequest(io, s, f) {
  hear(s, f);
  queue(s, f.src, /** @type {number} */ (f.args[0]));
  message(io, s, "LRP", f.src, [s.lamport.clock], false);
  tryToEnter(io, s);
}

/**
 * REPLY timestamp.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onReply(io, s, f) {
  hear(s, f);
  tryToEnter(io, s);
}

/**
 * RELEASE timestamp, timestamp of the request that is over.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRelease(io, s, f) {
  hear(s, f);
  unqueue(s, f.src, /** @type {number} */ (f.args[1]));
  tryToEnter(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function release(io, s) {
  const l = s.lamport;
  unqueue(s, s.id, l.stamp);
  l.clock++;
  messageAll(io, s, "LRL", others(s), [l.clock, l.stamp]);
}

/** @type {import("../types.d.ts").Protocol} */
export const lamport = {
  name: "lamport",
  create: function (s) {
    s.lamport = { clock: 0, stamp: 0, missing: [], ids: [], stamps: [] };
  },
  frames: {
    LRQ: { args: 1, fields: ["timestamp"], handle: onRequest, returned: arrived, message: "REQUEST" },
    LRP: { args: 1, fields: ["timestamp"], handle: onReply, message: "REPLY" },
    LRL: { args: 2, fields: ["timestamp", "request"], handle: onRelease, message: "RELEASE" },
  },
  timers: {},
  mutex: { request: request, release: release },
  traits: { fence: ["timestamp", "id"], waits: waits },
};
