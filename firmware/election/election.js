/**
 * Starting elections, whichever protocol runs them.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 */

import { ask } from "../critical-section.js";
import { elections } from "../registry.js";
import { ringIsBroken } from "../ring/beacon.js";

/**
 * Starts an election by the station's own protocol. On a broken ring no election can succeed:
 * then nothing is started, and the question comes again after an announcement period.
 * @param {Io} io
 * @param {Station} s
 * @param {string} cause why: boot, silence, preempt, asked, orphan, retry, received
 */
export function startElection(io, s, cause) {
  const limits = s.settings.limits;
  if (ringIsBroken(io, s)) {
    io.arm(s, "standby", limits.announce + limits.slot * s.id);
    return;
  }
  s.monitorAt = io.now(s);
  armStandby(io, s);
  joinRing(io, s);
  const election = elections[s.settings.election];
  if (election) election.start(io, s, cause);
}

/**
 * Sets the time after which the coordinator is presumed dead. It is staggered by id, so that one
 * station usually notices alone (BACnet MS/TP, clause 9, staggers its no-token time in the same way).
 * @param {Io} io
 * @param {Station} s
 */
export function armStandby(io, s) {
  io.arm(s, "standby", standbyLimit(s));
}

/**
 * @param {Station} s
 */
export function standbyLimit(s) {
  return s.settings.limits.standby + s.settings.limits.slot * s.id;
}

/**
 * The station knows the current epoch, or that nobody is there: it may take part.
 * @param {Io} io
 * @param {Station} s
 */
export function joinRing(io, s) {
  if (s.joined) return;
  s.bypassed = false;
  s.joined = true;
  io.record(s, "joined", s.epoch);
  if (s.early) ask(io, s);
}
