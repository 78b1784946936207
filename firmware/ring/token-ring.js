/**
 * Token-ring mutual exclusion: the station that holds the token may enter.
 * Source: Tanenbaum and Van Steen, Distributed Systems, "A token-ring algorithm" (mutual exclusion).
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { transmit } from "../adapter.js";
import { enter } from "../critical-section.js";
import { NEIGHBOUR } from "../frame.js";

const NAME = "token-ring";

/**
 * Passes the held token to the successor.
 * @param {Io} io
 * @param {Station} s
 */
function pass(io, s) {
  const t = s.token;
  t.held = false;
  if (s.outbox) {
    transmit(io, s, "DAT", s.outboxTo, [s.outbox]);
    s.outbox = "";
  }
  // The own hop counts as seen, so that an echo of the token is a duplicate.
  s.hop = t.hop + 1;
  transmit(io, s, "TOK", NEIGHBOUR, [t.epoch, s.hop, t.grant]);
}

/**
 * Uses the held token: enters when the station wants to, keeps it a while, or passes it on.
 * @param {Io} io
 * @param {Station} s
 */
function use(io, s) {
  const t = s.token;
  if (s.inside) pass(io, s);
  else if (s.wants) {
    t.grant++;
    enter(io, s, t.epoch, t.grant);
  } else if (s.settings.holdMs > 0) io.arm(s, "hold", s.settings.holdMs);
  else pass(io, s);
}

/**
 * The token's part of a new station's state.
 * @returns {import("../types.d.ts").TokenState}
 */
export function noToken() {
  return { held: false, epoch: 0, hop: 0, grant: 0 };
}

/**
 * Is the mutual exclusion of the station this one? Another needs no token that goes round.
 * @param {Station} s
 */
export function isTokenRing(s) {
  return s.settings.mutex === NAME;
}

/**
 * Does the station hold the current token?
 * @param {Station} s
 */
export function holdsToken(s) {
  return s.token.held && s.token.epoch === s.epoch;
}

/**
 * Forgets a held token of an older epoch, unless the station is inside with it: its exit will find it stale.
 * @param {Io} io
 * @param {Station} s
 */
export function forgetOldToken(io, s) {
  const t = s.token;
  if (!t.held || t.epoch === s.epoch || s.inside) return;
  t.held = false;
  io.disarm(s, "hold");
  io.record(s, "stale", t.epoch, t.hop);
}

/**
 * Makes the new token of a ring that has been purged.
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 */
export function makeToken(io, s, epoch) {
  takeToken(io, s, epoch, 0, 0);
}

/**
 * Takes a token into the station: the monitor's new one, or one from the predecessor.
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 * @param {number} hop
 * @param {number} grant
 */
function takeToken(io, s, epoch, hop, grant) {
  const t = s.token;
  s.epoch = epoch;
  s.hop = hop;
  s.tokenAt = io.now(s);
  s.tokenSeen = true;
  if (s.monitor.duty) s.monitor.tokens++;
  forgetOldToken(io, s);
  if (s.inside && t.held) {
    // Still inside with an older token: the new one is not for this station, its own will be found stale.
    s.hop = hop + 1;
    transmit(io, s, "TOK", NEIGHBOUR, [epoch, s.hop, grant]);
    return;
  }
  t.held = true;
  t.epoch = epoch;
  t.hop = hop;
  t.grant = grant;
  use(io, s);
}

/**
 * TOK epoch, hop, grant. Only a token later than any seen here is taken, and none while the epoch's own is held;
 * else it is stale or a duplicate.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onToken(io, s, f) {
  const t = s.token;
  const epoch = /** @type {number} */ (f.args[0]);
  const hop = /** @type {number} */ (f.args[1]);
  // Alone in the ring, the own hop comes back: it was counted as seen when it was sent.
  const own = f.src === s.id && epoch === s.epoch && hop === s.hop && !t.held;
  if (epoch < s.epoch || (epoch === s.epoch && (holdsToken(s) || (hop <= s.hop && !own)))) {
    io.record(s, "stale", epoch, hop);
    return;
  }
  takeToken(io, s, epoch, hop, /** @type {number} */ (f.args[2]));
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onHold(io, s) {
  if (s.token.held && !s.inside) pass(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function request(io, s) {
  if (holdsToken(s)) {
    io.disarm(s, "hold");
    use(io, s);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function release(io, s) {
  const t = s.token;
  if (!t.held) return;
  if (t.epoch === s.epoch) pass(io, s);
  else {
    t.held = false;
    io.record(s, "stale", t.epoch, t.hop);
  }
}

/** @type {import("../types.d.ts").Protocol} */
export const tokenRing = {
  name: NAME,
  frames: { TOK: { args: 3, fields: ["epoch", "hop", "grant"], handle: onToken } },
  timers: { hold: onHold },
  mutex: { request: request, release: release },
  traits: {
    fence: ["epoch", "grant"],
    token: { type: "TOK", circulates: true, held: (s) => s.token.held },
  },
};
