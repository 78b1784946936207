/**
 * The Ring election.
 * Source: Tanenbaum and Van Steen, Distributed Systems, "A ring algorithm" (election).
 * ELN gathers ids; back at its starter the highest wins, and CRD goes once round.
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

/** A list or a result that does not come back is sent anew so often. */
const RETRIES = 2;

/**
 * @param {Io} io
 * @param {Station} s
 * @param {string} cause
 */
function start(io, s, cause) {
  const r = s.ring;
  if (r.election) return;
  if (cause !== "retry") r.tries = 0;
  r.election = nextElection(s);
  r.announcing = 0;
  io.record(s, "elect", r.election, cause);
  io.arm(s, "list", s.settings.limits.election);
  message(io, s, "ELN", NEIGHBOUR, [r.election, s.id], r.tries > 0);
}

/**
 * ELN election, ids...
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onList(io, s, f) {
  const r = s.ring;
  const election = /** @type {number} */ (f.args[0]);
  noticeElection(s, election);
  s.monitorAt = io.now(s);
  if (f.args[1] === s.id) {
    if (election === r.election) announce(io, s, f.args);
    return;
  }
  if (f.args.indexOf(s.id, 1) > 0) {
    // The list has been here before: its starter is gone.
    startElection(io, s, "orphan");
    return;
  }
  f.args.push(s.id);
  message(io, s, "ELN", NEIGHBOUR, f.args, false);
}

/**
 * The own list is complete: the highest id in it is the coordinator.
 * @param {Io} io
 * @param {Station} s
 * @param {(number | string)[]} list election, ids...
 */
function announce(io, s, list) {
  const r = s.ring;
  let highest = 0;
  for (let i = 1; i < list.length; i++) {
    const id = /** @type {number} */ (list[i]);
    if (id > highest) highest = id;
  }
  const election = r.election;
  r.election = 0;
  message(
    io,
    s,
    "CRD",
    NEIGHBOUR,
    [election, highest].concat(/** @type {number[]} */ (list.slice(2)), s.id),
    false,
  );
  if (election < r.applied) {
    // A later election has its result already: this one goes round as well, and nobody keeps it.
    io.disarm(s, "list");
    return;
  }
  r.announcing = election;
  r.applied = election;
  elected(io, s, highest, election);
}

/**
 * CRD election, coordinator, ids... Once round, and of several results the latest is kept. Behind its starter the list has
 * those that had it already: one that finds itself there drops it, for the starter is gone, which would have removed it.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onResult(io, s, f) {
  const r = s.ring;
  const args = /** @type {number[]} */ (f.args);
  const election = /** @type {number} */ (args[0]);
  const coordinator = /** @type {number} */ (args[1]);
  const starter = election % s.settings.step;
  noticeElection(s, election);
  if (election >= r.announcing) {
    // Back from its way round, or overtaken by a later one.
    r.announcing = 0;
    if (!r.election) io.disarm(s, "list");
  }
  const at = args.indexOf(s.id, 2);
  if (starter === s.id || at > args.indexOf(starter, 2)) return;
  if (at > 0) args.splice(at, 1);
  args.push(s.id);
  message(io, s, "CRD", NEIGHBOUR, args, false);
  if (election <= r.applied) return;
  r.applied = election;
  elected(io, s, coordinator, election);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function onLimit(io, s) {
  const r = s.ring;
  const under = r.election || r.announcing;
  if (!under) return;
  r.election = 0;
  r.announcing = 0;
  if (r.tries < RETRIES) {
    r.tries++;
    startElection(io, s, "retry");
  } else io.record(s, "abandoned", under);
}

/** @type {import("../types.d.ts").Protocol} */
export const ringElection = {
  name: "ring",
  create: function (s) {
    s.ring = { election: 0, announcing: 0, applied: 0, tries: 0 };
  },
  frames: {
    ELN: { args: -2, fields: ["election", "ids..."], handle: onList, message: "ELECTION" },
    CRD: {
      args: -3,
      fields: ["election", "coordinator", "ids..."],
      handle: onResult,
      message: "COORDINATOR",
    },
  },
  timers: { list: onLimit },
  election: { start: start },
  traits: {
    search: {
      electing: (s) => s.ring.election !== 0 || s.ring.announcing !== 0,
      applied: (s) => s.ring.applied,
      key: function (s, hash) {
        const r = s.ring;
        hash.add(r.election);
        hash.add(r.announcing);
        if (r.election !== 0 || r.announcing !== 0) hash.add(r.tries);
      },
      mayEnd: {
        list: function (s, ring) {
          const step = s.settings.step;
          return !ring.some((f) => (f.type === "ELN" ? f.args[1] : Number(f.args[0]) % step) === s.id);
        },
      },
    },
  },
};
