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
  else if (s.wants && s.joined) {
    t.grant++;
    enter(io, s, t.epoch, t.grant);
  } else if (s.settings.holdMs > 0) io.arm(s, "hold", s.settings.holdMs);
  else pass(io, s);
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
  forgetLap(s, false);
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
 * A new epoch begins. Who announced it has purged the ring, which may have lost many stations.
 * @param {Station} s
 * @param {boolean} strange nobody has: it came with a token
 */
function forgetLap(s, strange) {
  const t = s.token;
  t.strange = strange;
  t.early = 0;
  if (!strange) t.lap = t.grown = 0;
}

/**
 * Is a token that is later than the last one here a second one? A token grows by a hop at each station, so that it comes
 * back by as many hops later as there are stations. One that comes earlier is a second token, unless stations have left the
 * ring: then all come earlier by the same. Only where a half or a third of the ring is left at once that looks like tokens
 * that are as far from each other, and the only one is dropped for nothing.
 * @param {Station} s
 * @param {number} src
 * @param {number} epoch
 * @param {number} hop
 */
function isSecond(s, src, epoch, hop) {
  const t = s.token;
  if (epoch !== t.epoch) {
    forgetLap(s, epoch > s.epoch);
    if (t.strange || s.hop < 0) return false;
  }
  // The own hop counts as seen.
  const grown = hop - s.hop + 1;
  if (grown >= t.lap || src === s.id) {
    // A longer ring is believed when it is seen twice: a forged hop may be far ahead.
    if (grown === t.grown) t.lap = grown;
    t.grown = grown;
    t.early = 0;
    t.strange = false;
    return false;
  }
  // Two of an epoch that no monitor has announced are alike: one station decides, or both would be dropped.
  if (t.strange) return s.coordinator === s.id;
  t.sum = t.early ? t.sum + grown : grown;
  if ((t.early && grown !== t.early) || t.sum === t.lap) {
    // Should this have been the only one, the next must not go the same way.
    t.lap = 0;
    t.early = 0;
    return true;
  }
  t.early = grown;
  t.grown = grown;
  if (t.sum > t.lap) t.lap = grown;
  return false;
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
  // Where two tokens follow each other round, each may have the hop that the other has left here.
  const twin = t.strange && epoch === t.epoch && hop === s.hop && f.src !== s.id;
  const late = epoch < s.epoch || (epoch === s.epoch && (holdsToken(s) || (hop <= s.hop && !own && !twin)));
  if (late || isSecond(s, f.src, epoch, hop)) {
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
  if (s.joined && holdsToken(s)) {
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
  name: "token-ring",
  create: (s) => {
    s.token = { held: false, epoch: 0, hop: 0, grant: 0, lap: 0, grown: 0, early: 0, sum: 0, strange: false };
  },
  frames: { TOK: { args: 3, handle: onToken } },
  timers: { hold: onHold },
  mutex: { request: request, release: release },
};
