/**
 * Resources that stations hold one beside another, and the deadlock among those that wait, found by edge chasing.
 * Source: K. M. Chandy, J. Misra and L. M. Haas, "Distributed deadlock detection", ACM TOCS 1(2), 1983 (AND model).
 * A resource has a manager, the member at its number. A station that waits is told for whom, and sends a probe to it;
 * one that waits itself passes a probe on, once for each initiator. A probe that comes back has found a cycle.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { message } from "../adapter.js";
import { arrived, remove } from "../members.js";

/**
 * @param {Station} s
 */
function state(s) {
  if (!s.resources) {
    s.resources = { held: [], wanted: -1, holder: -1, probe: 0, passed: [], used: [], users: [], queues: [] };
  }
  return s.resources;
}

/**
 * @param {Station} s
 * @param {number} resource
 */
function managerOf(s, resource) {
  const members = s.settings.members;
  return /** @type {number} */ (members[resource % members.length]);
}

/**
 * A message; what a station says to itself it does at once.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 * @param {number} to
 * @param {number[]} args
 * @param {(io: Io, s: Station, from: number, args: number[]) => void} act what the receiver does
 */
function tell(io, s, type, to, args, act) {
  if (to === s.id) act(io, s, to, args);
  else message(io, s, type, to, args, false);
}

/**
 * @param {(io: Io, s: Station, from: number, args: number[]) => void} act
 * @returns {import("../types.d.ts").Handler}
 */
function on(act) {
  return function (io, s, f) {
    act(io, s, f.src, /** @type {number[]} */ (f.args));
  };
}

// The station that uses resources.

/**
 * Asks for a resource and waits for it; a station waits for one at a time, and keeps what it holds.
 * @param {Io} io
 * @param {Station} s
 * @param {number} resource 0 or more
 */
export function acquire(io, s, resource) {
  const r = state(s);
  if (r.wanted >= 0 || r.held.indexOf(resource) >= 0) {
    io.record(s, "refused", r.wanted >= 0 ? "waiting" : "held");
    return;
  }
  r.wanted = resource;
  r.holder = -1;
  io.record(s, "acquire", resource);
  tell(io, s, "EAQ", managerOf(s, resource), [resource], asked);
}

/**
 * Gives a resource back.
 * @param {Io} io
 * @param {Station} s
 * @param {number} resource
 */
export function free(io, s, resource) {
  if (!remove(state(s).held, resource)) {
    io.record(s, "refused", "not-held");
    return;
  }
  io.record(s, "free", resource);
  tell(io, s, "EFR", managerOf(s, resource), [resource], freed);
}

/**
 * The resource is this station's: it waits no longer.
 * @param {Io} io
 * @param {Station} s
 * @param {number} _from
 * @param {number[]} args resource
 */
function granted(io, s, _from, args) {
  const r = state(s);
  const resource = /** @type {number} */ (args[0]);
  if (r.wanted !== resource) return;
  r.wanted = -1;
  r.holder = -1;
  r.passed = [];
  r.held.push(resource);
  io.record(s, "hold", resource);
}

/**
 * Another station has it: a probe goes along the edge to it.
 * @param {Io} io
 * @param {Station} s
 * @param {number} _from
 * @param {number[]} args resource, holder
 */
function blocked(io, s, _from, args) {
  const r = state(s);
  if (r.wanted !== args[0]) return;
  r.holder = /** @type {number} */ (args[1]);
  // A new edge: what went along the old one proves nothing.
  r.passed = [];
  r.probe++;
  tell(io, s, "EPB", r.holder, [s.id, r.probe], probed);
}

/**
 * PROBE initiator, number.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number[]} args initiator, number
 */
function probed(io, s, from, args) {
  const r = state(s);
  const initiator = /** @type {number} */ (args[0]);
  if (r.wanted < 0 || r.holder < 0) return;
  const number = /** @type {number} */ (args[1]);
  if (initiator === s.id) {
    if (number === r.probe) io.record(s, "deadlock", r.wanted, from);
    return;
  }
  const probe = number * s.settings.step + initiator;
  if (r.passed.indexOf(probe) >= 0) return;
  r.passed.push(probe);
  tell(io, s, "EPB", r.holder, [initiator, number], probed);
}

// The manager.

/**
 * ACQUIRE resource.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number[]} args resource
 */
function asked(io, s, from, args) {
  const r = state(s);
  const resource = /** @type {number} */ (args[0]);
  const at = r.used.indexOf(resource);
  if (at < 0) {
    r.used.push(resource);
    r.users.push(from);
    r.queues.push([]);
    tell(io, s, "EGR", from, [resource], granted);
    return;
  }
  const user = /** @type {number} */ (r.users[at]);
  const queue = /** @type {number[]} */ (r.queues[at]);
  if (user === from || queue.indexOf(from) >= 0) return;
  queue.push(from);
  tell(io, s, "EWT", from, [resource, user], blocked);
}

/**
 * FREE resource: the next in the queue has it, and the others wait for that one.
 * @param {Io} io
 * @param {Station} s
 * @param {number} from
 * @param {number[]} args resource
 */
function freed(io, s, from, args) {
  const r = state(s);
  const resource = /** @type {number} */ (args[0]);
  const at = r.used.indexOf(resource);
  if (at < 0 || r.users[at] !== from) return;
  const queue = /** @type {number[]} */ (r.queues[at]);
  const next = queue.shift();
  if (next === undefined) {
    r.used.splice(at, 1);
    r.users.splice(at, 1);
    r.queues.splice(at, 1);
    return;
  }
  r.users[at] = next;
  tell(io, s, "EGR", next, [resource], granted);
  for (let i = 0; i < queue.length; i++) {
    tell(io, s, "EWT", /** @type {number} */ (queue[i]), [resource, next], blocked);
  }
}

/** @type {import("../types.d.ts").Protocol} */
export const edgeChasing = {
  name: "edge-chasing",
  frames: {
    EAQ: { args: 1, fields: ["resource"], handle: on(asked), returned: arrived, message: "ACQUIRE" },
    EGR: { args: 1, fields: ["resource"], handle: on(granted), returned: arrived, message: "GRANT" },
    EWT: { args: 2, fields: ["resource", "holder"], handle: on(blocked), returned: arrived, message: "WAIT" },
    EFR: { args: 1, fields: ["resource"], handle: on(freed), returned: arrived, message: "FREE" },
    EPB: {
      args: 2,
      fields: ["initiator", "number"],
      handle: on(probed),
      returned: arrived,
      message: "PROBE",
    },
  },
  timers: {},
};
