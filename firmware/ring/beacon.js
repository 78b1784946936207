/**
 * Finding the place where a ring is broken, as IEEE 802.5 beaconing does: the station that hears
 * nothing says so to its successor, and everyone passes it on.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { transmit } from "../adapter.js";
import { NEIGHBOUR, UNKNOWN } from "../frame.js";

/** So many beacons go out within the limit of silence: one that is lost must not make the next station beacon, too. */
const BEACONS = 3;

/**
 * True while this station beacons, or a beacon of another passed lately; never where beacons are not carried.
 * @param {Io} io
 * @param {Station} s
 */
export function ringIsBroken(io, s) {
  const b = s.beacon;
  if (!b) return false;
  return b.sending || (b.brokenAt >= 0 && io.now(s) - b.brokenAt < 2 * s.settings.limits.quiet);
}

/**
 * Watches for silence. Looks when the deadline comes, not at every frame.
 * @param {Io} io
 * @param {Station} s
 */
function onQuiet(io, s) {
  const b = s.beacon;
  const limit = s.settings.limits.quiet;
  const silence = io.now(s) - s.heardAt;
  if (silence < limit) {
    b.sending = false;
    io.arm(s, "quiet", limit - silence);
    return;
  }
  const predecessor = s.predecessor < 0 || s.predecessor === s.id ? UNKNOWN : s.predecessor;
  if (!b.sending) io.record(s, "beacon", predecessor);
  b.sending = true;
  b.number++;
  transmit(io, s, "BCN", NEIGHBOUR, [predecessor, s.id, b.number]);
  io.arm(s, "quiet", limit / BEACONS);
}

/**
 * BCN predecessor, origin, number. Where predecessor and origin are one, the origin has heard its own beacon: the ring is
 * closed again.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onBeacon(io, s, f) {
  const b = s.beacon;
  const origin = /** @type {number} */ (f.args[1]);
  const number = /** @type {number} */ (f.args[2]);
  const closed = f.args[0] === origin;
  b.sending = false;
  if (origin === s.id) {
    if (closed) return;
    // It came all the way round: nobody else can know.
    b.brokenAt = -1;
    io.record(s, "closed");
    b.number++;
    transmit(io, s, "BCN", NEIGHBOUR, [s.id, s.id, b.number]);
    return;
  }
  if (origin === b.lastOrigin && number === b.lastNumber) return;
  b.lastOrigin = origin;
  b.lastNumber = number;
  b.brokenAt = closed ? -1 : io.now(s);
  transmit(io, s, "BCN", NEIGHBOUR, f.args);
}

/** @type {import("../types.d.ts").Protocol} */
export const beacon = {
  name: "beacon",
  create: (s) => {
    s.beacon = { sending: false, number: 0, lastOrigin: -1, lastNumber: -1, brokenAt: -1 };
  },
  frames: { BCN: { args: 3, fields: ["predecessor", "origin", "number"], handle: onBeacon } },
  timers: { quiet: onQuiet },
};
