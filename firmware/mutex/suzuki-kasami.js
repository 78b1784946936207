/**
 * Mutual exclusion by Suzuki and Kasami: a REQUEST to all, and one TOKEN that goes straight to who asked.
 * Source: I. Suzuki and T. Kasami, "A distributed mutual exclusion algorithm", ACM TOCS 3(4), 1985.
 * The coordinator makes the token when the ring is purged. It rests on the holder of the token staying alive.
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
import { arrived, messageAll, others } from "../members.js";

/** Arguments of a TOKEN before the numbers of served requests. */
const HEAD = 3;

/**
 * Takes part in an epoch from now on: the count of requests begins anew, and a request under way is sent again.
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 * @returns {boolean} false: the epoch is over
 */
function follow(io, s, epoch) {
  const k = s.suzuki;
  if (epoch > k.epoch) {
    raiseEpoch(s, epoch);
    k.epoch = epoch;
    k.rn = s.settings.members.map(() => 0);
    k.held = false;
    k.hop = 0;
    if (s.wants) request(io, s);
  }
  return epoch === k.epoch;
}

/**
 * Is there a request of this member that the token has not served?
 * @param {Station} s
 * @param {number} place in the list of members
 */
function waits(s, place) {
  const k = s.suzuki;
  return k.rn[place] === /** @type {number} */ (k.ln[place]) + 1;
}

/**
 * Sends the held token on.
 * @param {Io} io
 * @param {Station} s
 * @param {number} to
 */
function pass(io, s, to) {
  const k = s.suzuki;
  k.held = false;
  k.hop++;
  message(io, s, "SKT", to, [k.epoch, k.hop, k.grant].concat(k.ln, k.queue), false);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function useToken(io, s) {
  const k = s.suzuki;
  k.grant++;
  enter(io, s, k.epoch, k.grant);
}

/**
 * Is the current token here? An older one is void as soon as a newer epoch is heard of.
 * @param {Station} s
 */
function holds(s) {
  return s.suzuki.held && s.suzuki.epoch === s.epoch;
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function request(io, s) {
  const k = s.suzuki;
  // Before there is a token nobody could answer: follow() asks when there is one.
  if (!k.epoch) return;
  const place = s.settings.members.indexOf(s.id);
  k.rn[place] = /** @type {number} */ (k.rn[place]) + 1;
  if (holds(s)) useToken(io, s);
  else messageAll(io, s, "SKR", others(s), [/** @type {number} */ (k.rn[place]), k.epoch]);
}

/**
 * REQUEST number, epoch. One that comes late or twice is not above what the token has served.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequest(io, s, f) {
  const k = s.suzuki;
  const number = /** @type {number} */ (f.args[0]);
  const place = s.settings.members.indexOf(f.src);
  if (place < 0 || !follow(io, s, /** @type {number} */ (f.args[1]))) return;
  if (number > /** @type {number} */ (k.rn[place])) k.rn[place] = number;
  if (holds(s) && !s.inside && waits(s, place)) pass(io, s, f.src);
}

/**
 * TOKEN epoch, hop, grant, the number served of each member, ids that wait... A doubled one is not above the hop seen.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onToken(io, s, f) {
  const k = s.suzuki;
  const args = /** @type {number[]} */ (f.args);
  const epoch = /** @type {number} */ (args[0]);
  const hop = /** @type {number} */ (args[1]);
  const size = HEAD + s.settings.members.length;
  if (args.length < size) {
    io.record(s, "bad", "token");
    return;
  }
  if (epoch < s.epoch || !follow(io, s, epoch) || hop <= k.hop) {
    io.record(s, "stale", epoch, hop);
    return;
  }
  k.held = true;
  k.hop = hop;
  k.grant = /** @type {number} */ (args[2]);
  k.ln = args.slice(HEAD, size);
  k.queue = args.slice(size);
  if (s.wants) useToken(io, s);
  else release(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function release(io, s) {
  const k = s.suzuki;
  if (!holds(s)) return;
  const members = s.settings.members;
  const own = members.indexOf(s.id);
  k.ln[own] = /** @type {number} */ (k.rn[own]);
  // From the next member on, so that nobody is always first.
  for (let i = 1; i < members.length; i++) {
    const place = (own + i) % members.length;
    const id = /** @type {number} */ (members[place]);
    if (waits(s, place) && k.queue.indexOf(id) < 0) k.queue.push(id);
  }
  const next = k.queue.shift();
  if (next !== undefined) pass(io, s, next);
}

/**
 * The coordinator makes the token and says so; to a purged ring nothing of an older one matters.
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 */
function begin(io, s, epoch) {
  const k = s.suzuki;
  k.ln = s.settings.members.map(() => 0);
  k.queue = [];
  k.grant = 0;
  transmit(io, s, "SKN", EVERY, [epoch]);
  k.epoch = epoch;
  k.rn = k.ln.slice();
  k.hop = 0;
  k.held = true;
  if (s.wants) request(io, s);
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
export const suzukiKasami = {
  name: "suzuki-kasami",
  create: function (s) {
    s.suzuki = { epoch: 0, rn: [], held: false, hop: 0, grant: 0, ln: [], queue: [] };
  },
  frames: {
    SKR: { args: 2, fields: ["number", "epoch"], handle: onRequest, returned: arrived, message: "REQUEST" },
    SKT: {
      args: -HEAD,
      fields: ["epoch", "hop", "grant", "served..."],
      handle: onToken,
      returned: arrived,
      message: "TOKEN",
    },
    SKN: { args: 1, fields: ["epoch"], handle: onNew },
  },
  timers: {},
  mutex: { request: request, release: release, begin: begin },
  traits: { fence: ["epoch", "grant"], token: { type: "SKT", held: (s) => s.suzuki.held } },
};
