/**
 * The active monitor, after IEEE 802.5: the coordinator announces itself, watches for the token,
 * and alone may replace a lost one. It gives the token up only with proof: a probe that came back
 * unmarked over first-in first-out links, with no token seen meanwhile. Then it purges the ring (purge.js).
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { transmit } from "../adapter.js";
import { armStandby, joinRing, standbyLimit, startElection } from "../election/election.js";
import { raiseEpoch } from "../epoch.js";
import { EVERY, NEIGHBOUR } from "../frame.js";
import { mutexes } from "../registry.js";
import { purge } from "./purge.js";
import { forgetOldToken, holdsToken } from "./token-ring.js";

/**
 * The result of an election, at one station.
 * @param {Io} io
 * @param {Station} s
 * @param {number} coordinator
 * @param {number} election its number
 */
export function elected(io, s, coordinator, election) {
  joinRing(io, s);
  s.monitorAt = io.now(s);
  if (coordinator !== s.id && s.monitor.duty) stepDown(io, s, coordinator, "election");
  s.coordinator = coordinator;
  io.record(s, "coordinator", coordinator, election);
  if (coordinator !== s.id) return;
  if (!s.monitor.duty) startDuty(io, s);
  // Elected while on duty: somebody had lost sight of it, and may know a later epoch. It is the monitor of that, too.
  else if (beginner(s)) purge(io, s);
  else if (s.settings.mutex === "token-ring") {
    s.monitor.dutyEpoch = -1;
    if (!s.monitor.purging) probe(io, s);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function startDuty(io, s) {
  const m = s.monitor;
  m.duty = true;
  m.purging = 0;
  m.dutyEpoch = -1;
  m.markedAt = -1;
  m.busyAt = -1;
  // Others remember the numbers that this station gave before it lost its memory: it does not give them again.
  if (!m.probe) m.probe = m.announced = (s.bootId * 97) % 10007;
  io.disarm(s, "standby");
  onAnnounceTimer(io, s);
  // Only the token ring's token is watched; another protocol that rests on the coordinator begins after a purge.
  if (s.settings.mutex === "token-ring") probe(io, s);
  else if (beginner(s)) purge(io, s);
}

/**
 * The mutual exclusion protocol, if it is to be told that the ring is purged.
 * @param {Station} s
 */
export function beginner(s) {
  const mutex = mutexes[s.settings.mutex];
  return mutex && mutex.begin ? mutex : undefined;
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} to the monitor that stays
 * @param {string} cause
 */
export function stepDown(io, s, to, cause) {
  const m = s.monitor;
  m.duty = false;
  m.probing = false;
  m.purging = 0;
  io.disarm(s, "announce");
  io.disarm(s, "watch");
  io.record(s, "stepdown", to, cause);
  armStandby(io, s);
}

/**
 * Steps down where a token or a probe has brought a higher epoch: another monitor has made it while this one stood
 * still or was cut off. Announcing that epoch as its own would drive the other out.
 * @param {Io} io
 * @param {Station} s
 */
export function overtaken(io, s) {
  const m = s.monitor;
  if (m.dutyEpoch < 0 || s.epoch <= m.dutyEpoch) return false;
  stepDown(io, s, s.epoch % s.settings.step, "epoch");
  return true;
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onAnnounceTimer(io, s) {
  const m = s.monitor;
  if (overtaken(io, s)) return;
  m.announced++;
  m.tokens = 0;
  transmit(io, s, "AMP", EVERY, [s.epoch, m.announced]);
  io.arm(s, "announce", s.settings.limits.announce);
}

/**
 * AMP epoch, number.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onAnnouncement(io, s, f) {
  const m = s.monitor;
  const epoch = /** @type {number} */ (f.args[0]);
  const number = /** @type {number} */ (f.args[1]);
  // Seen before: its sender is gone, and must not seem alive for as long as the frame goes round.
  if (f.src === m.lastAnnouncer && number === m.lastAnnounced) return true;
  m.lastAnnouncer = f.src;
  m.lastAnnounced = number;
  if (m.duty) {
    // Two monitors have met: the higher epoch stays, then the higher id.
    if (epoch < s.epoch || (epoch === s.epoch && f.src < s.id)) return false;
    stepDown(io, s, f.src, epoch > s.epoch ? "epoch" : "id");
  } else if (epoch < s.epoch && f.src !== s.coordinator) return false;
  raiseEpoch(s, epoch);
  forgetOldToken(io, s);
  s.monitorAt = io.now(s);
  joinRing(io, s);
  if (s.coordinator !== f.src) {
    s.coordinator = f.src;
    io.record(s, "coordinator", f.src, 0);
  }
  if (f.src < s.id && s.settings.preemptMs >= 0 && !m.preempting) {
    m.preempting = true;
    io.arm(s, "preempt", s.settings.preemptMs);
  }
  return false;
}

/**
 * The own announcement is back. Links being first in, first out, the token comes here once at the most while an announcement
 * goes round: ahead of it, or behind. Two in one epoch mostly end by themselves (token-ring.js); those that are still there
 * at the next announcement are purged.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onAnnouncementBack(io, s, f) {
  const m = s.monitor;
  if (!m.duty || m.purging || f.args[1] !== m.announced) return;
  const before = m.twice;
  m.twice = m.tokens > 1;
  if (!m.twice || !before || overtaken(io, s)) return;
  m.twice = false;
  io.record(s, "lost", s.epoch, "duplicate");
  purge(io, s);
}

/**
 * A higher id takes over from a lower coordinator.
 * @param {Io} io
 * @param {Station} s
 */
function onPreempt(io, s) {
  s.monitor.preempting = false;
  if (s.coordinator < s.id) startElection(io, s, "preempt");
}

/**
 * Watches for the coordinator. Looks when the deadline comes, not at every announcement.
 * @param {Io} io
 * @param {Station} s
 */
function onStandby(io, s) {
  if (s.monitor.duty) return;
  const left = s.monitorAt + standbyLimit(s) - io.now(s);
  if (left > 0) io.arm(s, "standby", left);
  else startElection(io, s, s.joined ? "silence" : "boot");
}

/**
 * Watches for the token. Looks when the deadline comes, not at every token.
 * @param {Io} io
 * @param {Station} s
 */
function onWatch(io, s) {
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
function probe(io, s) {
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
function onProbe(io, s, f) {
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
  io.record(s, "lost", s.epoch, expired ? "lease" : "probe");
  purge(io, s);
}

/** @type {import("../types.d.ts").Protocol} */
export const activeMonitor = {
  name: "active-monitor",
  create: (s) => {
    s.monitor = {
      duty: false,
      announced: 0,
      tokens: 0,
      twice: false,
      probe: 0,
      probing: false,
      probedAt: 0,
      preempting: false,
      purging: 0,
      dutyEpoch: -1,
      markedAt: -1,
      marker: 0,
      busyAt: -1,
      lastAnnouncer: -1,
      lastAnnounced: -1,
      lastProber: -1,
      lastProbe: -1,
    };
  },
  frames: {
    AMP: { args: 2, handle: onAnnouncement, returned: onAnnouncementBack },
    PRB: { args: 4, handle: onProbe },
  },
  timers: {
    announce: onAnnounceTimer,
    standby: onStandby,
    watch: onWatch,
    preempt: onPreempt,
  },
};
