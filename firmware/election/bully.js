/**
 * The Bully election.
 * Source: H. Garcia-Molina, "Elections in a Distributed Computing System", IEEE Trans. Computers C-31(1), 1982;
 * Tanenbaum and Van Steen, Distributed Systems, "The bully algorithm".
 * On a ring a message to a dead station comes back uncopied, so its absence is known after one rotation;
 * the time limit covers a station that hangs. A coordinator is made only when the ring was seen closed.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */

import { message } from "../adapter.js";
import { nextElection, noticeElection } from "../epoch.js";
import { COPIED } from "../frame.js";
import { elected } from "../ring/active-monitor.js";
import { joinRing, startElection } from "./election.js";

const IDLE = 0;
const ASKING = 1;
const ANSWERED = 2;
const ANNOUNCING = 3;

/** An unanswered round of ELECTION is sent again so often. */
const RETRIES = 2;

/**
 * @param {Io} io
 * @param {Station} s
 * @param {string} cause
 */
function start(io, s, cause) {
  const b = s.bully;
  if (b.phase !== IDLE) return;
  b.election = nextElection(s);
  b.tries = 0;
  io.record(s, "elect", b.election, cause);
  ask(io, s);
}

/**
 * ELECTION to every station with a higher id.
 * @param {Io} io
 * @param {Station} s
 */
function ask(io, s) {
  const b = s.bully;
  const members = s.settings.members;
  b.phase = ASKING;
  b.out = 0;
  b.copied = 0;
  for (let i = members.length - 1; i >= 0; i--) {
    if (/** @type {number} */ (members[i]) <= s.id) break;
    b.out++;
  }
  if (!b.out) {
    win(io, s);
    return;
  }
  io.arm(s, "bully", s.settings.limits.election);
  for (let i = members.length - b.out; i < members.length; i++) {
    message(io, s, "BEL", /** @type {number} */ (members[i]), [b.election], b.tries > 0);
  }
}

/**
 * COORDINATOR to every station with a lower id.
 * @param {Io} io
 * @param {Station} s
 */
function win(io, s) {
  const b = s.bully;
  const members = s.settings.members;
  b.phase = ANNOUNCING;
  b.out = 0;
  io.arm(s, "bully", s.settings.limits.election);
  for (let i = 0; i < members.length; i++) {
    const id = /** @type {number} */ (members[i]);
    if (id >= s.id) break;
    b.out++;
    message(io, s, "BCO", id, [b.election], false);
  }
  if (!b.out) finish(io, s);
  elected(io, s, s.id, b.election);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function finish(io, s) {
  s.bully.phase = IDLE;
  io.disarm(s, "bully");
}

/**
 * ELECTION from a lower id: OK, and an election of one's own unless one is held. While the own COORDINATOR
 * frames are still going round, links being first-in first-out, it was sent before they reached its sender:
 * they are the answer.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onElection(io, s, f) {
  const election = /** @type {number} */ (f.args[0]);
  noticeElection(s, election);
  if (f.src > s.id) {
    io.record(s, "bad", "from-higher");
    return;
  }
  message(io, s, "BOK", f.src, [election], false);
  joinRing(io, s);
  start(io, s, "received");
}

/**
 * The own ELECTION is back: copied means that somebody is there and owes an OK.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onElectionBack(io, s, f) {
  const b = s.bully;
  if (b.phase !== ASKING || f.args[0] !== b.election) return;
  b.out--;
  if (f.flags & COPIED) b.copied++;
  if (b.out === 0 && b.copied === 0) win(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onCoordinatorBack(io, s, f) {
  const b = s.bully;
  if (b.phase !== ANNOUNCING || f.args[0] !== b.election) return;
  b.out--;
  if (!b.out) finish(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onOk(io, s, f) {
  const b = s.bully;
  if (b.phase !== ASKING || f.args[0] !== b.election) return;
  b.phase = ANSWERED;
  s.monitorAt = io.now(s);
  // The one that answered elects now; should it die, this station starts again.
  io.arm(s, "bully", 2 * s.settings.limits.election);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onCoordinator(io, s, f) {
  const election = /** @type {number} */ (f.args[0]);
  noticeElection(s, election);
  if (f.src < s.id) {
    start(io, s, "preempt");
    return;
  }
  // A higher one has won: whatever this station was doing is over.
  finish(io, s);
  elected(io, s, f.src, election);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onLimit(io, s) {
  const b = s.bully;
  if (b.phase === ANSWERED) {
    b.phase = IDLE;
    startElection(io, s, "retry");
  } else if (b.phase === ASKING) {
    if (b.tries < RETRIES) {
      b.tries++;
      ask(io, s);
    } else if (b.out === 0) {
      // The ring is closed and those who copied do not answer: they hang.
      win(io, s);
    } else {
      b.phase = IDLE;
      io.record(s, "abandoned", b.election);
    }
  } else b.phase = IDLE;
}

/** @type {import("../types.d.ts").Protocol} */
export const bully = {
  name: "bully",
  create: function (s) {
    s.bully = { phase: IDLE, election: 0, out: 0, copied: 0, tries: 0 };
  },
  frames: {
    BEL: { args: 1, fields: ["election"], handle: onElection, returned: onElectionBack, message: "ELECTION" },
    BOK: { args: 1, fields: ["election"], handle: onOk, message: "OK" },
    BCO: {
      args: 1,
      fields: ["election"],
      handle: onCoordinator,
      returned: onCoordinatorBack,
      message: "COORDINATOR",
    },
  },
  timers: { bully: onLimit },
  election: { start: start },
  traits: {
    takesOver: true,
    asks: { ELECTION: "higher", OK: "lower", COORDINATOR: "lower" },
    search: {
      electing: (s) => s.bully.phase !== IDLE,
      key: function (s, hash) {
        const b = s.bully;
        hash.add(b.phase);
        if (b.phase === IDLE) return;
        hash.add(b.election);
        hash.add(b.out | (b.copied << 8) | (b.tries << 16));
      },
      mayEnd: {
        bully: function (s, ring) {
          const phase = s.bully.phase;
          if (phase === ANNOUNCING) return !ring.some((f) => f.type === "BCO" && f.src === s.id);
          // Whoever was answered waits twice as long as the one that answered.
          return !ring.some(() => true) && (phase !== ANSWERED || !ring.othersElect(s));
        },
      },
    },
  },
};
