/**
 * The active monitor, after IEEE 802.5: the coordinator announces itself, watches for the token, and alone may replace a
 * lost one (lost-token.js). While its announcement goes round it counts the tokens that pass, which finds a second one.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { transmit } from "../adapter.js";
import { joinRing, standbyLimit, startElection } from "../election/election.js";
import { raiseEpoch } from "../epoch.js";
import { EVERY } from "../frame.js";
import { onProbe, onWatch, probe, tokenLost } from "./lost-token.js";
import { beginner, overtaken, stepDown } from "./monitor-duty.js";
import { purge } from "./purge.js";
import { forgetOldToken, isTokenRing, noToken } from "./token-ring.js";

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
  else if (isTokenRing(s)) {
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
  if (isTokenRing(s)) probe(io, s);
  else if (beginner(s)) purge(io, s);
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
 * goes round: ahead of it, or behind. Where two have come in two announcements running there are two tokens in one epoch:
 * the ring is purged. Once is no proof: a station that left meanwhile can have brought the token round sooner.
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
  tokenLost(io, s, "duplicate");
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

/** @type {import("../types.d.ts").Protocol} */
export const activeMonitor = {
  name: "active-monitor",
  create: (s) => {
    // It looks at the token on every ring.
    s.token = noToken();
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
    AMP: { args: 2, fields: ["epoch", "number"], handle: onAnnouncement, returned: onAnnouncementBack },
    PRB: { args: 4, fields: ["origin", "number", "epoch", "marks"], handle: onProbe },
  },
  timers: {
    announce: onAnnounceTimer,
    standby: onStandby,
    watch: onWatch,
    preempt: onPreempt,
  },
};
