/**
 * What the active monitor, the search for a lost token and the purge share: whether this station still has the duty, and
 * how it gives it up.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 */
import { armStandby } from "../election/election.js";
import { mutexes } from "../registry.js";

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
