/**
 * A lost token, from the suspicion to the proof. Only the active monitor looks for it; the way has these steps, and each can
 * be seen in the log:
 *
 *                token limit over               probe back, nobody holds it,
 *                without a token                and none was seen meanwhile
 *     watching ------------------> probing ------------------------------------> token lost ----> purging ----> new token
 *        ^                            | |                                        ("lost")         (PRG)         ("regenerated")
 *        |   marked, or a token seen  | | probe limit over:                                        purge.js      token-ring.js
 *        +----------------------------+ +---> probing, under a new number
 *
 * The proof rests on links that are first in, first out: a token that was anywhere on the ring when the probe left has
 * either been overtaken by nothing, and was seen, or is held by a station that marks the probe. A long critical section is
 * therefore never taken for a loss. A marked probe is a loss all the same ("lease") when the same station has marked every
 * probe for as long as a lease. An entry that its mutual exclusion gives up ("absent"), or two tokens in one epoch that the
 * monitor has counted ("duplicate"), take the same way from "token lost" on.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { transmit } from "../adapter.js";
import { raiseEpoch } from "../epoch.js";
import { NEIGHBOUR } from "../frame.js";
import { overtaken } from "./monitor-duty.js";
import { purge } from "./purge.js";
import { forgetOldToken, holdsToken } from "./token-ring.js";

/**
 * Watches for the token. Looks when the deadline comes, not at every token.
 * @param {Io} io
 * @param {Station} s
 */
export function onWatch(io, s) {
  if (!s.monitor.duty) return;
  const m = s.monitor;
  const limits = s.settings.limits;
  let due = s.tokenAt + limits.token;
  // A probe that stays out is asked again under a new number; its absence proves nothing.
  if (m.probing && due < m.probedAt + limits.probe) due = m.probedAt + limits.probe;
  const left = due - io.now(s);
  if (left > 0) io.arm(s, "watch", left);
  else if (!overtaken(io, s)) probe(io, s);
}

/**
 * Asks every station whether it holds the token.
 * @param {Io} io
 * @param {Station} s
 */
export function probe(io, s) {
  const m = s.monitor;
  m.probe++;
  m.probing = true;
  m.probedAt = io.now(s);
  // A token has passed since the last probe: whoever holds it now is in a new entry.
  if (s.tokenSeen) m.markedAt = -1;
  s.tokenSeen = false;
  transmit(io, s, "PRB", NEIGHBOUR, [s.id, m.probe, s.epoch, mark(s)]);
  io.arm(s, "watch", s.settings.limits.probe);
}

/**
 * What a station that holds the token leaves in a probe: its id + 1; else 0.
 * @param {Station} s
 */
function mark(s) {
  return holdsToken(s) ? s.id + 1 : 0;
}

/**
 * PRB origin, number, epoch, mark.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
export function onProbe(io, s, f) {
  const m = s.monitor;
  const origin = /** @type {number} */ (f.args[0]);
  const number = /** @type {number} */ (f.args[1]);
  if (origin !== s.id) {
    if (origin === m.lastProber && number === m.lastProbe) return;
    m.lastProber = origin;
    m.lastProbe = number;
  } else if (!m.duty || !m.probing || number !== m.probe) return;
  const epoch = /** @type {number} */ (f.args[2]);
  const behind = epoch < s.epoch;
  raiseEpoch(s, epoch);
  forgetOldToken(io, s);
  const marked = mark(s) || /** @type {number} */ (f.args[3]);
  if (origin === s.id) probed(io, s, marked);
  // Who has the duty asks for itself: two probes whose monitors are gone would hide each other from the check above. One
  // that knows less goes on, to tell its monitor.
  else if (!m.duty || behind) transmit(io, s, "PRB", NEIGHBOUR, [origin, number, s.epoch, marked]);
}

/**
 * The latest probe is back. Only the lease of a single entry runs out: a probe marked by another station than the one
 * before is the start of a new one.
 * @param {Io} io
 * @param {Station} s
 * @param {number} marked
 */
function probed(io, s, marked) {
  const m = s.monitor;
  const now = io.now(s);
  const lease = s.settings.leaseMs;
  if (overtaken(io, s)) return;
  m.dutyEpoch = s.epoch;
  m.probing = false;
  s.tokenAt = now;
  if (s.tokenSeen || !marked) m.markedAt = -1;
  else if (m.markedAt < 0 || marked !== m.marker) m.markedAt = now;
  m.marker = marked;
  const expired = lease > 0 && m.markedAt >= 0 && now - m.markedAt >= lease;
  if (s.tokenSeen || (marked && !expired)) {
    io.arm(s, "watch", s.settings.limits.token);
    return;
  }
  // Its lease has been waited for: the purge need not wait for it again.
  if (expired) m.busyAt = m.markedAt;
  m.markedAt = -1;
  tokenLost(io, s, expired ? "lease" : "probe");
}

/**
 * The token is given up: the ring is purged, and then there is a new one.
 * @param {Io} io
 * @param {Station} s
 * @param {string} cause probe, lease, duplicate, absent
 */
export function tokenLost(io, s, cause) {
  io.record(s, "lost", s.epoch, cause);
  purge(io, s);
}

/**
 * An entry has outlived its lease, or its station is gone: the ring is purged, and its mutual exclusion begins anew.
 * The purge need not wait for a lease that has run out already.
 * @param {Io} io
 * @param {Station} s
 * @param {string} cause lease, absent
 */
export function giveEntryUp(io, s, cause) {
  if (cause === "lease") s.monitor.busyAt = io.now(s) - s.settings.leaseMs;
  tokenLost(io, s, cause);
}
