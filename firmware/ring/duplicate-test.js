/**
 * Duplicate address test, the second phase of insertion into an IEEE 802.5 ring: a station that powers up asks the ring
 * whether its id is taken, with a frame to itself. Until that is back the station is bypassed, only a wire, and takes no part.
 * A station that is there already stays; the newcomer is refused and remains a wire.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { transmit } from "../adapter.js";

/**
 * Begins the test. One that is lost is made again; when none comes back the ring is broken, or nobody is there: the
 * station takes part as soon as it finds that out.
 * @param {Io} io
 * @param {Station} s
 */
export function testId(io, s) {
  s.bypassed = true;
  transmit(io, s, "DUP", s.id, [s.bootId, 0]);
  io.arm(s, "dup", s.settings.limits.probe);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onLimit(io, s) {
  if (s.bypassed && !s.refused) testId(io, s);
}

/**
 * Is the station refused? Then it takes no command either, and says so.
 * @param {Io} io
 * @param {Station} s
 */
export function refuses(io, s) {
  if (s.refused) io.record(s, "refused", "duplicate");
  return s.refused;
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} by boot id of the board that has the id
 */
function refuse(io, s, by) {
  s.refused = true;
  io.disarm(s, "dup");
  io.disarm(s, "standby");
  io.disarm(s, "quiet");
  io.record(s, "refused", "duplicate", s.bootId, by);
}

/**
 * DUP boot id, boot id + 1 of the board that has the id (0: none), at a wire. Of two boards that test one id at the same
 * time, the one with the lower boot id stays.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 * @returns {boolean} true: the frame goes no further
 */
function onWire(io, s, f) {
  if (f.src !== s.id) return false;
  const boot = /** @type {number} */ (f.args[0]);
  const found = /** @type {number} */ (f.args[1]);
  if (boot !== s.bootId) {
    if (!found && !s.refused && s.bootId < boot) f.args[1] = s.bootId + 1;
    return false;
  }
  if (found && !s.refused) refuse(io, s, found - 1);
  else if (!found) s.bypassed = false;
  return true;
}

/**
 * A frame of the station's own id is back: its own test, or that of another board, which goes on, marked, to that board.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onReturn(io, s, f) {
  const boot = /** @type {number} */ (f.args[0]);
  // Its own mark means that the newcomer is gone.
  if (boot === s.bootId || f.args[1] === s.bootId + 1) return;
  io.record(s, "duplicate", boot, s.bootId);
  f.args[1] = s.bootId + 1;
  io.send(s, f);
}

/** @type {import("../types.d.ts").Protocol} */
export const duplicateTest = {
  name: "duplicate-test",
  frames: {
    DUP: { args: 2, fields: ["boot", "found"], handle: function () {}, returned: onReturn, wire: onWire },
  },
  timers: { dup: onLimit },
};
