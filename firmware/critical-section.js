/**
 * Entry to and exit from the critical section, the same for every mutual exclusion protocol.
 *
 * @typedef {import("./types.d.ts").Io} Io
 * @typedef {import("./types.d.ts").Station} Station
 */

import { mutexes } from "./registry.js";
import { refuses } from "./ring/duplicate-test.js";

/**
 * Asks for the critical section. A station asks for one entry at a time.
 * @param {Io} io
 * @param {Station} s
 */
export function request(io, s) {
  if (refuses(io, s)) return;
  if (s.wants || s.early || s.inside) {
    io.record(s, "refused", s.inside ? "inside" : "requested");
    return;
  }
  io.record(s, "request");
  if (s.joined) ask(io, s);
  // What it would send is lost where the others are still mere wires.
  else s.early = true;
}

/**
 * Hands a request to the station's mutual exclusion.
 * @param {Io} io
 * @param {Station} s
 */
export function ask(io, s) {
  s.early = false;
  s.wants = true;
  const mutex = mutexes[s.settings.mutex];
  if (mutex) mutex.request(io, s);
}

/**
 * Enters, with the fence (epoch, grant) that a guarded resource checks.
 * @param {Io} io
 * @param {Station} s
 * @param {number} epoch
 * @param {number} grant
 */
export function enter(io, s, epoch, grant) {
  s.wants = false;
  s.inside = true;
  s.fenceEpoch = epoch;
  s.fenceGrant = grant;
  io.record(s, "enter", epoch, grant);
  if (s.settings.criticalMs >= 0) io.arm(s, "critical", s.settings.criticalMs);
}

/**
 * Leaves; outside the critical section the command is refused.
 * @param {Io} io
 * @param {Station} s
 */
export function release(io, s) {
  if (!s.inside) {
    io.record(s, "refused", "outside");
    return;
  }
  s.inside = false;
  io.disarm(s, "critical");
  io.record(s, "exit", s.fenceEpoch, s.fenceGrant);
  const mutex = mutexes[s.settings.mutex];
  if (mutex) mutex.release(io, s);
}
