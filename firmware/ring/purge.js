/**
 * The purge of the ring, after IEEE 802.5: before the active monitor makes a new token, every station has forgotten the older
 * ones, and nobody is inside with one any more.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */

import { transmit } from "../adapter.js";
import { nextEpoch, raiseEpoch } from "../epoch.js";
import { NEIGHBOUR } from "../frame.js";
import { beginner, overtaken, stepDown } from "./monitor-duty.js";
import { forgetOldToken, makeToken } from "./token-ring.js";

/**
 * Makes every station forget older tokens. Each attempt has an epoch of its own.
 * @param {Io} io
 * @param {Station} s
 */
export function purge(io, s) {
  const m = s.monitor;
  m.purging = nextEpoch(s);
  m.dutyEpoch = m.purging;
  raiseEpoch(s, m.purging);
  forgetOldToken(io, s);
  // There is no token to watch for until the purge is done.
  m.probing = false;
  io.disarm(s, "watch");
  transmit(io, s, "PRG", NEIGHBOUR, [s.id, m.purging, s.inside ? 1 : 0]);
  io.arm(s, "purge", s.settings.limits.purge);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onPurgeTimer(io, s) {
  if (s.monitor.duty && s.monitor.purging && !overtaken(io, s)) purge(io, s);
}

/**
 * PRG origin, epoch, busy.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onPurge(io, s, f) {
  const m = s.monitor;
  const origin = /** @type {number} */ (f.args[0]);
  const epoch = /** @type {number} */ (f.args[1]);
  const busy = f.args[2] || s.inside ? 1 : 0;
  if (origin === s.id) {
    if (m.duty && epoch === m.purging && epoch === s.epoch) purged(io, s, busy === 1);
    return;
  }
  if (epoch <= s.epoch) return;
  if (m.duty) stepDown(io, s, origin, "epoch");
  raiseEpoch(s, epoch);
  forgetOldToken(io, s);
  transmit(io, s, "PRG", NEIGHBOUR, [origin, epoch, busy]);
}

/**
 * The purge is back from all stations.
 * @param {Io} io
 * @param {Station} s
 * @param {boolean} busy somebody is still inside with an older token
 */
function purged(io, s, busy) {
  const m = s.monitor;
  const now = io.now(s);
  if (busy && m.busyAt < 0) m.busyAt = now;
  if (busy && !(s.settings.leaseMs > 0 && now - m.busyAt >= s.settings.leaseMs)) {
    io.arm(s, "purge", s.settings.limits.purge);
    return;
  }
  m.busyAt = -1;
  const epoch = m.purging;
  m.purging = 0;
  m.twice = false;
  io.disarm(s, "purge");
  io.record(s, "regenerated", epoch);
  const mutex = beginner(s);
  if (mutex && mutex.begin) {
    mutex.begin(io, s, epoch);
    return;
  }
  io.arm(s, "watch", s.settings.limits.token);
  makeToken(io, s, epoch);
}

/** @type {import("../types.d.ts").Protocol} */
export const ringPurge = {
  name: "purge",
  frames: { PRG: { args: 3, fields: ["origin", "epoch", "busy"], handle: onPurge } },
  timers: { purge: onPurgeTimer },
};
