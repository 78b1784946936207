/**
 * Raymond's mutual exclusion: a token that moves along the edges of a tree; each station knows on which side it is.
 * Source: K. Raymond, "A tree-based algorithm for distributed mutual exclusion", ACM TOCS 7(1), 1989.
 * The tree is balanced and binary over the list of members, as a heap: the parent of place i is (i-1)/2.
 * The coordinator makes the token when the ring is purged. It rests on every station being there.
 * Fence: (epoch of the token, grant).
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message, transmit } from "../adapter.js";
import { enter } from "../critical-section.js";
import { raiseEpoch } from "../epoch.js";
import { EVERY } from "../frame.js";
import { arrived, waitsFor } from "../members.js";

/**
 * The neighbour in the tree through which the way leads.
 * @param {number[]} members ascending ids
 * @param {number} from
 * @param {number} to another member
 */
export function toward(members, from, to) {
  const here = members.indexOf(from);
  let place = members.indexOf(to);
  // Up from the goal: through one of this station's children, or not through this station.
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (parent === here) return /** @type {number} */ (members[place]);
    place = parent;
  }
  return /** @type {number} */ (members[(here - 1) >> 1]);
}

/**
 * Takes part in an epoch from now on. The station that made the token is in the epoch's number.
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 * @returns {boolean} false: the epoch is over
 */
function follow(io, s, epoch) {
  const r = s.raymond;
  if (epoch > r.epoch) {
    const maker = epoch % s.settings.step;
    if (s.settings.members.indexOf(maker) < 0) return false;
    raiseEpoch(s, epoch);
    r.epoch = epoch;
    r.holder = maker === s.id ? s.id : toward(s.settings.members, s.id, maker);
    r.queue = [];
    r.asked = false;
    r.hop = 0;
    if (s.wants) request(io, s);
  }
  return epoch === r.epoch;
}

/**
 * The paper's ASSIGN_PRIVILEGE and MAKE_REQUEST: uses the token for the first in the queue, or asks for it.
 * @param {Io} io
 * @param {Station} s
 */
function serve(io, s) {
  const r = s.raymond;
  if (r.epoch !== s.epoch) return;
  if (r.holder === s.id && !s.inside && r.queue.length) {
    const next = /** @type {number} */ (r.queue.shift());
    if (next === s.id) {
      r.grant++;
      enter(io, s, r.epoch, r.grant);
      return;
    }
    r.holder = next;
    r.asked = false;
    r.hop++;
    message(io, s, "RYT", next, [r.epoch, r.hop, r.grant], false);
  }
  if (r.holder !== s.id && r.queue.length && !r.asked) {
    r.asked = true;
    message(io, s, "RYR", r.holder, [r.epoch], false);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function request(io, s) {
  const r = s.raymond;
  // Before there is a token follow() will ask.
  if (!r.epoch) return;
  r.queue.push(s.id);
  serve(io, s);
}

/**
 * REQUEST epoch, from a neighbour in the tree.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequest(io, s, f) {
  if (!follow(io, s, /** @type {number} */ (f.args[0]))) return;
  // A neighbour asks once until it has been served.
  if (s.raymond.queue.indexOf(f.src) < 0 && s.raymond.holder !== f.src) s.raymond.queue.push(f.src);
  serve(io, s);
}

/**
 * TOKEN epoch, hop, grant. A doubled one is not above the hop seen.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onToken(io, s, f) {
  const r = s.raymond;
  const epoch = /** @type {number} */ (f.args[0]);
  const hop = /** @type {number} */ (f.args[1]);
  if (epoch < s.epoch || !follow(io, s, epoch) || hop <= r.hop) {
    io.record(s, "stale", epoch, hop);
    return;
  }
  r.hop = hop;
  r.grant = /** @type {number} */ (f.args[2]);
  r.holder = s.id;
  r.asked = false;
  serve(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 */
function begin(io, s, epoch) {
  s.raymond.grant = 0;
  transmit(io, s, "RYN", EVERY, [epoch]);
  follow(io, s, epoch);
}

/**
 * NEW epoch: there is a token in it.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onNew(io, s, f) {
  follow(io, s, /** @type {number} */ (f.args[0]));
}

/** @type {import("../types.d.ts").Protocol} */
export const raymond = {
  name: "raymond",
  create: function (s) {
    s.raymond = { epoch: 0, holder: -1, queue: [], asked: false, hop: 0, grant: 0 };
  },
  frames: {
    RYR: { args: 1, fields: ["epoch"], handle: onRequest, returned: arrived, message: "REQUEST" },
    RYT: { args: 3, fields: ["epoch", "hop", "grant"], handle: onToken, returned: arrived, message: "TOKEN" },
    RYN: { args: 1, fields: ["epoch"], handle: onNew },
  },
  timers: {},
  mutex: {
    request: request,
    release: serve,
    begin: begin,
  },
  traits: {
    fence: ["epoch", "grant"],
    token: { type: "RYT", held: (s) => s.raymond.holder === s.id },
    waits: (s) => (s.raymond.asked ? waitsFor([s.raymond.holder], "TOKEN") : []),
  },
};
