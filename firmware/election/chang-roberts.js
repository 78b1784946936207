/**
 * The Chang-Roberts election: a variant of the Ring election that forwards only a greater id.
 * Source: E. Chang and R. Roberts, "An improved algorithm for decentralized extrema-finding in circular
 * configurations of processes", Communications of the ACM 22(5), 1979.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */

import { message } from "../adapter.js";
import { nextElection, noticeElection } from "../epoch.js";
import { NEIGHBOUR } from "../frame.js";
import { elected } from "../ring/active-monitor.js";
import { startElection } from "./election.js";

/** An election without a result is started anew so often. */
const RETRIES = 2;

/**
 * @param {Io} io
 * @param {Station} s
 * @param {string} cause
 */
function start(io, s, cause) {
  const c = s.changRoberts;
  if (c.participant) return;
  if (cause !== "retry") c.tries = 0;
  const election = nextElection(s);
  io.record(s, "elect", election, cause);
  take(io, s, election, s.id);
}

/**
 * Does an election belong to a later round than the one this station takes part in? Then that one has failed.
 * @param {Station} s
 * @param {number} election
 */
function isLater(s, election) {
  const step = s.settings.step;
  return Math.floor(election / step) > Math.floor(s.changRoberts.election / step);
}

/**
 * Sends an id on and waits for the result.
 * @param {Io} io
 * @param {Station} s
 * @param {number} election
 * @param {number} id
 */
function take(io, s, election, id) {
  const c = s.changRoberts;
  if (!c.participant || isLater(s, election)) {
    c.participant = true;
    c.election = election;
    c.passed = -1;
  }
  if (id > c.passed || (id === c.passed && election > c.passedIn)) {
    c.passed = id;
    c.passedIn = election;
  }
  io.arm(s, "chang", s.settings.limits.election);
  message(io, s, "CHE", NEIGHBOUR, [election, id], false);
}

/**
 * CHE election, id. The greatest id that went through here comes again, in the same election or an earlier one, only when
 * its station is gone, which would have kept it: it is dropped, and a new election begins, in which those that wait for
 * the old one take part.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onElection(io, s, f) {
  const c = s.changRoberts;
  const election = /** @type {number} */ (f.args[0]);
  const id = /** @type {number} */ (f.args[1]);
  noticeElection(s, election);
  s.monitorAt = io.now(s);
  if (id > s.id) {
    if (c.participant && id === c.passed && election <= c.passedIn) {
      c.participant = false;
      startElection(io, s, "orphan");
    } else take(io, s, election, id);
  } else if (id < s.id) {
    if (!c.participant || isLater(s, election)) take(io, s, election, s.id);
  } else if (c.participant) {
    c.participant = false;
    c.applied = election;
    message(io, s, "CHD", NEIGHBOUR, [election, s.id], false);
    elected(io, s, s.id, election);
  }
}

/**
 * CHD election, coordinator.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onElected(io, s, f) {
  const c = s.changRoberts;
  const election = /** @type {number} */ (f.args[0]);
  c.participant = false;
  io.disarm(s, "chang");
  noticeElection(s, election);
  if (election <= c.applied) return;
  c.applied = election;
  message(io, s, "CHD", NEIGHBOUR, [election, /** @type {number} */ (f.args[1])], false);
  elected(io, s, /** @type {number} */ (f.args[1]), election);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onLimit(io, s) {
  const c = s.changRoberts;
  if (!c.participant) return;
  c.participant = false;
  if (c.tries < RETRIES) {
    c.tries++;
    startElection(io, s, "retry");
  } else io.record(s, "abandoned", c.election);
}

/** @type {import("../types.d.ts").Protocol} */
export const changRoberts = {
  name: "chang-roberts",
  create: function (s) {
    s.changRoberts = { participant: false, election: 0, applied: 0, tries: 0, passed: -1, passedIn: 0 };
  },
  frames: {
    CHE: { args: 2, fields: ["election", "candidate"], handle: onElection, message: "ELECTION" },
    CHD: { args: 2, fields: ["election", "coordinator"], handle: onElected, message: "ELECTED" },
  },
  timers: { chang: onLimit },
  election: { start: start },
  traits: {
    search: {
      electing: (s) => s.changRoberts.participant,
      applied: (s) => s.changRoberts.applied,
      key: function (s, hash) {
        const c = s.changRoberts;
        hash.add(c.participant ? 1 : 0);
        hash.add(c.passed);
        hash.add(c.passedIn);
        if (!c.participant) return;
        hash.add(c.election);
        hash.add(c.tries);
      },
      mayEnd: { chang: (_s, ring) => !ring.some(() => true) },
    },
  },
};
