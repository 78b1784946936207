/**
 * Decentralised mutual exclusion: a majority of votes of several coordinators, and another try after a random time.
 * Sources: S.-D. Lin et al., "A practical distributed mutual exclusion protocol in dynamic peer-to-peer systems", 2004;
 * Tanenbaum and Van Steen, Distributed Systems, "A decentralized algorithm" (mutual exclusion).
 * It survives a minority of dead coordinators. A coordinator that restarts has forgotten its vote: with a bare
 * majority one such vote given twice lets two stations in. Nothing bounds how often a station tries.
 * Fence: (the station's Lamport clock as it enters, id); votes and releases carry the clock on.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { afterSeeing } from "../clocks/logical-clocks.js";
import { enter } from "../critical-section.js";
import { arrived, remove, waitsFor } from "../members.js";

/** Coordinators of a ring that is large enough. */
const COORDINATORS = 5;
/** The time before another try doubles so often at most. */
const MOST_DOUBLINGS = 6;

/**
 * The coordinators: the first members, an odd number of them.
 * @param {number[]} members ascending ids
 */
export function coordinatorsOf(members) {
  const n = Math.min(members.length, COORDINATORS);
  return members.slice(0, n % 2 ? n : n - 1);
}

/**
 * Votes that let a station in.
 * @param {number} coordinators
 */
export function majority(coordinators) {
  return Math.floor(coordinators / 2) + 1;
}

/**
 * A message that carries the sender's clock; to itself a station sends none.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 * @param {number} to
 * @param {number} attempt
 * @param {(io: Io, s: Station, from: number, attempt: number) => void} act what the receiver does
 */
function tell(io, s, type, to, attempt, act) {
  if (to === s.id) act(io, s, to, attempt);
  else message(io, s, type, to, [attempt, s.voting.clock], false);
}

/**
 * @param {(io: Io, s: Station, from: number, attempt: number) => void} act
 * @returns {import("../types.d.ts").Handler}
 */
function on(act) {
  return function (io, s, f) {
    s.voting.clock = afterSeeing(s.voting.clock, /** @type {number} */ (f.args[1]));
    act(io, s, f.src, /** @type {number} */ (f.args[0]));
  };
}

// The coordinator.

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} attempt
 */
function asked(io, s, from, attempt) {
  const v = s.voting;
  if (v.vote >= 0 && v.vote !== from) {
    tell(io, s, "VDN", from, attempt, denied);
    return;
  }
  v.vote = from;
  v.voteAttempt = attempt;
  tell(io, s, "VGR", from, attempt, granted);
}

/**
 * @param {Io} _io
 * @param {Station} s
 * @param {number} from
 * @param {number} attempt
 */
function released(_io, s, from, attempt) {
  if (s.voting.vote === from && s.voting.voteAttempt === attempt) s.voting.vote = -1;
}

// The station that asks.

/**
 * @param {Io} io
 * @param {Station} s
 */
function request(io, s) {
  s.voting.failures = 0;
  tryOnce(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function tryOnce(io, s) {
  const v = s.voting;
  const coordinators = coordinatorsOf(s.settings.members);
  v.attempt++;
  v.clock++;
  v.missing = coordinators.slice();
  v.granted = [];
  for (let i = 0; i < coordinators.length; i++) {
    tell(io, s, "VRQ", /** @type {number} */ (coordinators[i]), v.attempt, asked);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} attempt
 */
function granted(io, s, from, attempt) {
  const v = s.voting;
  if (attempt !== v.attempt || (!s.wants && !s.inside) || (s.wants && !v.missing.length)) {
    // Too late: the attempt has failed, or the station has left already.
    tell(io, s, "VRL", from, attempt, released);
    return;
  }
  if (!remove(v.missing, from)) return;
  v.granted.push(from);
  if (!s.wants || v.granted.length < majority(coordinatorsOf(s.settings.members).length)) return;
  v.clock++;
  enter(io, s, v.clock, s.id);
}

/**
 * PERMISSION DENIED, or a coordinator that is not there.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} attempt
 */
function denied(io, s, from, attempt) {
  const v = s.voting;
  if (attempt !== v.attempt || !remove(v.missing, from) || !s.wants) return;
  const all = coordinatorsOf(s.settings.members).length;
  if (v.granted.length + v.missing.length >= majority(all)) return;
  // No majority any more: gives the votes back and waits, the longer the oftener it has failed.
  v.missing = [];
  giveBack(io, s);
  const doublings = Math.min(v.failures, MOST_DOUBLINGS);
  v.failures++;
  io.arm(s, "vote", (0.5 + io.random(s)) * s.settings.limits.rotation * (1 << doublings));
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function giveBack(io, s) {
  const v = s.voting;
  const ids = v.granted;
  v.granted = [];
  v.clock++;
  for (let i = 0; i < ids.length; i++) {
    tell(io, s, "VRL", /** @type {number} */ (ids[i]), v.attempt, released);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onVoteTimer(io, s) {
  if (s.wants) tryOnce(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequestBack(io, s, f) {
  if (!arrived(io, s, f)) denied(io, s, f.dst, /** @type {number} */ (f.args[0]));
}

/**
 * For votes; and as a coordinator that has voted, for its vote to come back.
 * @param {Station} s
 */
function waits(s) {
  const v = s.voting;
  return waitsFor(s.wants ? v.missing : [], "GRANT").concat(waitsFor(v.vote < 0 ? [] : [v.vote], "RELEASE"));
}

/** @type {import("../types.d.ts").Protocol} */
export const decentralised = {
  name: "decentralised",
  create: function (s) {
    s.voting = { clock: 0, attempt: 0, failures: 0, missing: [], granted: [], vote: -1, voteAttempt: 0 };
  },
  frames: {
    VRQ: {
      args: 2,
      fields: ["attempt", "clock"],
      handle: on(asked),
      returned: onRequestBack,
      message: "REQUEST",
    },
    VGR: { args: 2, fields: ["attempt", "clock"], handle: on(granted), message: "GRANT" },
    VDN: { args: 2, fields: ["attempt", "clock"], handle: on(denied), message: "DENIED" },
    VRL: { args: 2, fields: ["attempt", "clock"], handle: on(released), message: "RELEASE" },
  },
  timers: { vote: onVoteTimer },
  mutex: { request: request, release: giveBack },
  traits: { fence: ["clock", "id"], byChance: true, waits: waits },
};
