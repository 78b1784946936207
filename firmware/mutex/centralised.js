/**
 * Centralised mutual exclusion: the elected coordinator grants entries one by one.
 * Source: Tanenbaum and Van Steen, Distributed Systems, "A centralized algorithm" (mutual exclusion).
 * It survives the coordinator: after an election and a purge the new one serves, and requests are sent again. It
 * survives the station inside: the coordinator sends the GRANT again from time to time, and purges the ring when it
 * comes back uncopied, or when a lease has run out.
 * Fence: (epoch of the coordinator, count of its grants).
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { enter } from "../critical-section.js";
import { raiseEpoch } from "../epoch.js";
import { arrived, waitsFor } from "../members.js";
import { giveEntryUp } from "../ring/lost-token.js";

/** Numbers of requests of one power-up; those of the next are above, so that nothing old is taken for new. */
const PER_BOOT = 1000000;

// The client.

/**
 * @param {Io} io
 * @param {Station} s
 */
function request(io, s) {
  const c = s.central;
  c.number = c.number ? c.number + 1 : s.bootId * PER_BOOT + 1;
  // A new request tells the coordinator as well that the last entry is over.
  c.releasing = 0;
  ask(io, s, false);
}

/**
 * Asks the coordinator.
 * @param {Io} io
 * @param {Station} s
 * @param {boolean} again
 */
function ask(io, s, again) {
  const c = s.central;
  c.askedOf = s.coordinator;
  c.askedIn = s.epoch;
  c.askedAt = io.now(s);
  c.asked = s.coordinator === s.id;
  io.arm(s, "ask", s.settings.limits.announce);
  if (s.coordinator === s.id) take(io, s, s.id, c.number);
  else if (s.coordinator >= 0) message(io, s, "CRQ", s.coordinator, [c.number], again);
}

/**
 * The REQUEST has been round.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequestBack(io, s, f) {
  const there = arrived(io, s, f);
  if (f.args[0] === s.central.number) s.central.asked = there;
}

/**
 * GRANT number, epoch, grant.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onGrant(io, s, f) {
  const c = s.central;
  const number = /** @type {number} */ (f.args[0]);
  const epoch = /** @type {number} */ (f.args[1]);
  if (s.wants && number === c.number && epoch >= s.epoch) {
    raiseEpoch(s, epoch);
    io.disarm(s, "ask");
    enter(io, s, epoch, /** @type {number} */ (f.args[2]));
  } else if (!(s.inside && number === c.number) && number !== c.releasing) {
    // Not wanted any more: this station has restarted, or the answer to a repeated request came late.
    message(io, s, "CRL", f.src, [number, epoch], true);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function release(io, s) {
  const c = s.central;
  if (c.epoch && c.holder === s.id) {
    io.disarm(s, "lease");
    c.holder = -1;
    serve(io, s);
  } else if (s.coordinator >= 0 && s.coordinator !== s.id) {
    c.releasing = c.number;
    io.arm(s, "ask", s.settings.limits.announce);
    message(io, s, "CRL", s.coordinator, [c.number, s.fenceEpoch], false);
  }
}

/**
 * The RELEASE has been round: the coordinator has it, or is gone.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onReleaseBack(io, s, f) {
  arrived(io, s, f);
  if (f.args[0] === s.central.releasing) s.central.releasing = 0;
}

/**
 * Looks after what was sent: a frame that has not come back is sent again, and a new coordinator, or one that has
 * begun anew, is asked again, as is one that may have taken this station for gone. It must not serve anyone twice.
 * @param {Io} io
 * @param {Station} s
 */
function onAsk(io, s) {
  const c = s.central;
  if (s.wants) {
    const late = io.now(s) - c.askedAt >= s.settings.limits.standby;
    if (c.asked && c.askedOf === s.coordinator && c.askedIn === s.epoch && !late) {
      io.arm(s, "ask", s.settings.limits.announce);
    } else ask(io, s, true);
  } else if (c.releasing && s.coordinator >= 0 && s.coordinator !== s.id) {
    io.arm(s, "ask", s.settings.limits.announce);
    message(io, s, "CRL", s.coordinator, [c.releasing, s.fenceEpoch], true);
  }
}

// The coordinator.

/**
 * Does this station grant entries now?
 * @param {Station} s
 */
function serves(s) {
  return s.monitor.duty && s.central.epoch > 0 && s.central.epoch === s.epoch;
}

/**
 * REQUEST number.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRequest(io, s, f) {
  take(io, s, f.src, /** @type {number} */ (f.args[0]));
}

/**
 * Takes a request into the queue; one that came before changes nothing. A coordinator whose purge is still going
 * round keeps it.
 * @param {Io} io
 * @param {Station} s
 * @param {number} id
 * @param {number} number
 */
function take(io, s, id, number) {
  const c = s.central;
  if (!s.monitor.duty) return;
  if (serves(s) && c.holder === id) {
    if (c.holderNumber === number) return;
    // It asks anew: it has left, or lost its power, since.
    free(io, s);
  }
  const at = c.ids.indexOf(id);
  if (at < 0) {
    c.ids.push(id);
    c.numbers.push(number);
  } else c.numbers[at] = number;
  serve(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function free(io, s) {
  s.central.holder = -1;
  io.disarm(s, "lease");
  io.disarm(s, "grant");
}

/**
 * Grants the next entry.
 * @param {Io} io
 * @param {Station} s
 */
function serve(io, s) {
  const c = s.central;
  if (!serves(s) || c.holder >= 0 || !c.ids.length) return;
  c.holder = /** @type {number} */ (c.ids.shift());
  c.holderNumber = /** @type {number} */ (c.numbers.shift());
  c.granted = false;
  c.grant++;
  if (c.holder !== s.id) sendGrant(io, s, false);
  else if (s.wants) {
    io.disarm(s, "ask");
    startLease(io, s);
    enter(io, s, c.epoch, c.grant);
  } else {
    c.holder = -1;
    serve(io, s);
  }
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {boolean} again
 */
function sendGrant(io, s, again) {
  const c = s.central;
  io.arm(s, "grant", s.settings.limits.token);
  message(io, s, "CGR", c.holder, [c.holderNumber, c.epoch, c.grant], again);
}

/**
 * The GRANT has been round. Nobody has copied it: the station is not there. If it never was, the next one is served;
 * if it had entered, nobody is to enter in this epoch any more, should it be inside somewhere else.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onGrantBack(io, s, f) {
  const c = s.central;
  const there = arrived(io, s, f);
  if (!serves(s) || c.holder !== f.dst || c.holderNumber !== f.args[0] || c.grant !== f.args[2]) return;
  if (there) {
    if (!c.granted) startLease(io, s);
    c.granted = true;
  } else if (c.granted) {
    free(io, s);
    giveEntryUp(io, s, "absent");
  } else {
    free(io, s);
    serve(io, s);
  }
}

/**
 * A GRANT that stays out is lost; one that is back asks whether the station is still there.
 * @param {Io} io
 * @param {Station} s
 */
function onGrantTimer(io, s) {
  if (serves(s) && s.central.holder >= 0) sendGrant(io, s, true);
}

/**
 * @param {Io} io
 * @param {Station} s
 */
function startLease(io, s) {
  if (s.settings.leaseMs > 0) io.arm(s, "lease", s.settings.leaseMs);
}

/**
 * The lease has run out: whoever is inside is given up for lost, its fence is older than all that follow.
 * @param {Io} io
 * @param {Station} s
 */
function onLease(io, s) {
  if (serves(s) && s.central.holder >= 0) giveEntryUp(io, s, "lease");
}

/**
 * RELEASE number, epoch of the grant that is over.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onRelease(io, s, f) {
  const c = s.central;
  if (c.holder !== f.src || c.holderNumber !== f.args[0] || c.epoch !== f.args[1]) return;
  free(io, s);
  serve(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 */
function begin(io, s, epoch) {
  const c = s.central;
  free(io, s);
  c.epoch = epoch;
  c.grant = 0;
  serve(io, s);
}

/**
 * @param {Station} s
 */
function waits(s) {
  const c = s.central;
  const grant = s.wants && s.coordinator >= 0 && s.coordinator !== s.id;
  return waitsFor(grant ? [s.coordinator] : [], "GRANT").concat(
    waitsFor(serves(s) && c.holder >= 0 && c.ids.length ? [c.holder] : [], "RELEASE"),
  );
}

/** @type {import("../types.d.ts").Protocol} */
export const centralised = {
  name: "centralised",
  create: function (s) {
    s.central = {
      number: 0,
      askedOf: -1,
      askedIn: 0,
      askedAt: 0,
      asked: false,
      releasing: 0,
      epoch: 0,
      grant: 0,
      holder: -1,
      holderNumber: 0,
      granted: false,
      ids: [],
      numbers: [],
    };
  },
  frames: {
    CRQ: { args: 1, fields: ["number"], handle: onRequest, returned: onRequestBack, message: "REQUEST" },
    CGR: {
      args: 3,
      fields: ["number", "epoch", "grant"],
      handle: onGrant,
      returned: onGrantBack,
      message: "GRANT",
    },
    CRL: {
      args: 2,
      fields: ["number", "epoch"],
      handle: onRelease,
      returned: onReleaseBack,
      message: "RELEASE",
    },
  },
  timers: { ask: onAsk, grant: onGrantTimer, lease: onLease },
  mutex: {
    request: request,
    release: release,
    begin: begin,
  },
  traits: { fence: ["epoch", "grant"], waits: waits },
};
