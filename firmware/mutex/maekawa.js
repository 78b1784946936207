/**
 * Maekawa's mutual exclusion: a vote from each station of a quorum; any two quorums share a station.
 * Sources: M. Maekawa, "A sqrt(N) algorithm for mutual exclusion in decentralized systems", ACM TOCS 3(2), 1985;
 * B. A. Sanders, "The information structure of distributed mutual exclusion algorithms", ACM TOCS 5(3), 1987, for the
 * FAILED that the paper leaves out, without which stations wait for one another for ever.
 * It rests on messages that do not overtake one another, and on the quorum being there.
 * Fence: (the station's Lamport clock as it enters, id); a RELEASE carries the clock on to the next.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { afterSeeing, precedes } from "../clocks/logical-clocks.js";
import { enter } from "../critical-section.js";
import { arrived, remove, waitsFor } from "../members.js";

/**
 * Row and column of a station in a grid of the members, row by row, as square as can be. The last row may be short:
 * of two stations one is in a full row, so one of the two crossings is always there.
 * @param {number[]} members ascending ids
 * @param {number} id
 * @returns {number[]} ascending ids, its own among them
 */
export function quorumOf(members, id) {
  // Counted, since a root need not be exact: on a board Math.sqrt(9) can be more than 3.
  let width = 1;
  while (width * width < members.length) width++;
  const place = members.indexOf(id);
  const row = Math.floor(place / width);
  const column = place % width;
  return members.filter((_, i) => Math.floor(i / width) === row || i % width === column);
}

/**
 * A message to a station of the quorum. To itself a station sends none: the voter in it acts at once.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 * @param {number} to
 * @param {number} stamp of the request that it is about
 * @param {(io: Io, s: Station, from: number, stamp: number) => void} act what the receiver does
 */
function tell(io, s, type, to, stamp, act) {
  if (to === s.id) act(io, s, to, stamp);
  else message(io, s, type, to, [stamp, s.maekawa.clock], false);
}

/**
 * @param {(io: Io, s: Station, from: number, stamp: number) => void} act
 * @returns {import("../types.d.ts").Handler}
 */
function on(act) {
  return function (io, s, f) {
    s.maekawa.clock = afterSeeing(s.maekawa.clock, /** @type {number} */ (f.args[1]));
    act(io, s, f.src, /** @type {number} */ (f.args[0]));
  };
}

// The station that asks.

/**
 * The voter gave its vote.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} stamp
 */
function granted(io, s, from, stamp) {
  const m = s.maekawa;
  if (!s.wants || stamp !== m.stamp) return;
  remove(m.failed, from);
  if (!remove(m.missing, from) || m.missing.length) return;
  m.inquiries = [];
  m.clock++;
  enter(io, s, m.clock, s.id);
}

/**
 * Gives votes back: another goes first there, and this station cannot enter yet anyway.
 * @param {Io} io
 * @param {Station} s
 */
function yieldVotes(io, s) {
  const m = s.maekawa;
  const ids = m.inquiries;
  m.inquiries = [];
  for (let i = 0; i < ids.length; i++) {
    const id = /** @type {number} */ (ids[i]);
    m.missing.push(id);
    m.failed.push(id);
    tell(io, s, "MYD", id, m.stamp, yielded);
  }
}

/**
 * FAILED: the voter has voted for an earlier request.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} stamp
 */
function failed(io, s, from, stamp) {
  const m = s.maekawa;
  if (!s.wants || stamp !== m.stamp || m.missing.indexOf(from) < 0) return;
  if (m.failed.indexOf(from) < 0) m.failed.push(from);
  yieldVotes(io, s);
}

/**
 * INQUIRE: the voter wants its vote back. Inside, or with no failure so far, the station keeps it for now.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} stamp
 */
function inquired(io, s, from, stamp) {
  const m = s.maekawa;
  if (!s.wants || stamp !== m.stamp || m.missing.indexOf(from) >= 0) return;
  if (m.inquiries.indexOf(from) < 0) m.inquiries.push(from);
  if (m.failed.length) yieldVotes(io, s);
}

// The station that votes.

/**
 * Gives the vote to the first in the queue.
 * @param {Io} io
 * @param {Station} s
 */
function vote(io, s) {
  const m = s.maekawa;
  m.vote = -1;
  m.inquired = false;
  if (!m.ids.length) return;
  m.vote = /** @type {number} */ (m.ids.shift());
  m.voteStamp = /** @type {number} */ (m.stamps.shift());
  m.told.shift();
  tell(io, s, "MGR", m.vote, m.voteStamp, granted);
}

/**
 * Puts a request into the queue.
 * @param {Station} s
 * @param {number} id
 * @param {number} stamp
 * @param {boolean} told FAILED was said to it, or it knows
 * @returns {number} its place
 */
function queue(s, id, stamp, told) {
  const m = s.maekawa;
  let at = 0;
  while (at < m.ids.length) {
    if (precedes(stamp, id, /** @type {number} */ (m.stamps[at]), /** @type {number} */ (m.ids[at]))) break;
    at++;
  }
  m.ids.splice(at, 0, id);
  m.stamps.splice(at, 0, stamp);
  m.told.splice(at, 0, told);
  return at;
}

/**
 * Says FAILED to a request in the queue, once.
 * @param {Io} io
 * @param {Station} s
 * @param {number} at its place
 */
function fail(io, s, at) {
  const m = s.maekawa;
  if (m.told[at] !== false) return;
  m.told[at] = true;
  tell(io, s, "MFL", /** @type {number} */ (m.ids[at]), /** @type {number} */ (m.stamps[at]), failed);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} stamp
 */
function asked(io, s, from, stamp) {
  const m = s.maekawa;
  // A request that came before.
  if (m.vote === from ? m.voteStamp >= stamp : m.ids.indexOf(from) >= 0) return;
  const at = queue(s, from, stamp, false);
  if (m.vote < 0) {
    vote(io, s);
    return;
  }
  if (at > 0 || precedes(m.voteStamp, m.vote, stamp, from)) {
    fail(io, s, at);
    return;
  }
  // It goes before all: the one that was first among the waiting no longer is.
  fail(io, s, 1);
  if (m.inquired) return;
  m.inquired = true;
  tell(io, s, "MIN", m.vote, m.voteStamp, inquired);
}

/**
 * YIELD: the vote is back, its holder waits again.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} stamp
 */
function yielded(io, s, from, stamp) {
  const m = s.maekawa;
  if (m.vote !== from || m.voteStamp !== stamp) return;
  queue(s, from, stamp, true);
  vote(io, s);
}

/**
 * RELEASE: the holder of the vote has left.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number} stamp
 */
function released(io, s, from, stamp) {
  const m = s.maekawa;
  if (m.vote === from && m.voteStamp === stamp) vote(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function request(io, s) {
  const m = s.maekawa;
  if (!m.quorum.length) m.quorum = quorumOf(s.settings.members, s.id);
  m.clock++;
  m.stamp = m.clock;
  m.missing = m.quorum.slice();
  m.failed = [];
  m.inquiries = [];
  for (let i = 0; i < m.quorum.length; i++) {
    tell(io, s, "MRQ", /** @type {number} */ (m.quorum[i]), m.stamp, asked);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function release(io, s) {
  const m = s.maekawa;
  m.clock++;
  for (let i = 0; i < m.quorum.length; i++) {
    tell(io, s, "MRL", /** @type {number} */ (m.quorum[i]), m.stamp, released);
  }
}

/**
 * For votes; and as a voter that others ask, for its vote to come back.
 * @param {Station} s
 */
function waits(s) {
  const m = s.maekawa;
  const votes = waitsFor(m.missing, "GRANT");
  return m.ids.length ? votes.concat(waitsFor([m.vote], "RELEASE")) : votes;
}

/** @type {import("../types.d.ts").Protocol} */
export const maekawa = {
  name: "maekawa",
  create: function (s) {
    s.maekawa = {
      clock: 0,
      stamp: 0,
      quorum: [],
      missing: [],
      failed: [],
      inquiries: [],
      vote: -1,
      voteStamp: 0,
      inquired: false,
      ids: [],
      stamps: [],
      told: [],
    };
  },
  frames: {
    MRQ: {
      args: 2,
      fields: ["timestamp", "clock"],
      handle: on(asked),
      returned: arrived,
      message: "REQUEST",
    },
    MGR: { args: 2, fields: ["request", "clock"], handle: on(granted), message: "GRANT" },
    MFL: { args: 2, fields: ["request", "clock"], handle: on(failed), message: "FAILED" },
    MIN: { args: 2, fields: ["request", "clock"], handle: on(inquired), message: "INQUIRE" },
    MYD: { args: 2, fields: ["request", "clock"], handle: on(yielded), message: "YIELD" },
    MRL: { args: 2, fields: ["request", "clock"], handle: on(released), message: "RELEASE" },
  },
  timers: {},
  mutex: { request: request, release: release },
  traits: { fence: ["clock", "id"], waits: waits },
};
