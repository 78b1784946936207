/**
 * Mutual exclusion by Ricart and Agrawala: REQUEST to all, and a REPLY from each that does not go first.
 * Source: G. Ricart and A. K. Agrawala, "An optimal algorithm for mutual exclusion in computer networks", CACM 24(1), 1981.
 * It rests on every station being there. Fence: (timestamp of the request, id).
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { afterSeeing, precedes } from "../clocks/logical-clocks.js";
import { enter } from "../critical-section.js";
import { arrived, messageAll, others, remove, waitsFor } from "../members.js";

/** @returns {import("./mutex-states.d.ts").RicartState} */
export function newState() {
  return { clock: 0, stamp: 0, missing: [], deferred: [], stamps: [] };
}

/**
 * Asks every other station.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 */
export function ask(io, s, type) {
  const r = s.ricart;
  r.clock++;
  r.stamp = r.clock;
  r.missing = others(s);
  messageAll(io, s, type, r.missing, [r.stamp]);
  tryToEnter(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
export function tryToEnter(io, s) {
  if (s.wants && !s.ricart.missing.length) enter(io, s, s.ricart.stamp, s.id);
}

/**
 * Takes notice of a request. Does it come behind this station's own, under way or inside?
 * @param {Station} s
 * @param {Frame} f
 */
export function goesFirst(s, f) {
  const r = s.ricart;
  const stamp = /** @type {number} */ (f.args[0]);
  r.clock = afterSeeing(r.clock, stamp);
  return s.inside || (s.wants && precedes(r.stamp, s.id, stamp, f.src));
}

/**
 * Keeps a request to be answered on leaving.
 * @param {Station} s
 * @param {Frame} f
 */
export function defer(s, f) {
  const r = s.ricart;
  const at = r.deferred.indexOf(f.src);
  if (at >= 0) r.stamps[at] = /** @type {number} */ (f.args[0]);
  else {
    r.deferred.push(f.src);
    r.stamps.push(/** @type {number} */ (f.args[0]));
  }
}

/**
 * REPLY timestamp of the request that it answers: one that comes late or twice answers nothing else.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
export function onReply(io, s, f) {
  const r = s.ricart;
  if (f.args[0] === r.stamp && remove(r.missing, f.src)) tryToEnter(io, s);
}

/**
 * Answers all that waited for this station.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 */
export function answerAll(io, s, type) {
  const r = s.ricart;
  const ids = r.deferred;
  const stamps = r.stamps;
  r.deferred = [];
  r.stamps = [];
  for (let i = 0; i < ids.length; i++) {
    message(io, s, type, /** @type {number} */ (ids[i]), [/** @type {number} */ (stamps[i])], false);
  }
}

/**
 * REQUEST timestamp.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequest(io, s, f) {
  if (goesFirst(s, f)) defer(s, f);
  else message(io, s, "RRP", f.src, [/** @type {number} */ (f.args[0])], false);
}

/** @type {import("../types.d.ts").Protocol} */
export const ricartAgrawala = {
  name: "ricart-agrawala",
  create: function (s) {
    s.ricart = newState();
  },
  frames: {
    RRQ: { args: 1, fields: ["timestamp"], handle: onRequest, returned: arrived, message: "REQUEST" },
    RRP: { args: 1, fields: ["request"], handle: onReply, message: "REPLY" },
  },
  timers: {},
  mutex: {
    request: function (io, s) {
      ask(io, s, "RRQ");
    },
    release: function (io, s) {
      answerAll(io, s, "RRP");
    },
  },
  traits: { fence: ["timestamp", "id"], waits: (s) => waitsFor(s.ricart.missing, "REPLY") },
};
