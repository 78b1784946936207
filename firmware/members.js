/**
 * Sending to the other members of the ring, and lists of ids and stamps.
 *
 * @typedef {import("./types.d.ts").Io} Io
 * @typedef {import("./types.d.ts").Station} Station
 * @typedef {import("./types.d.ts").Frame} Frame
 */
import { message } from "./adapter.js";
import { COPIED } from "./frame.js";
import { frameTypes } from "./registry.js";

/**
 * Ids of all members but the station itself.
 * @param {Station} s
 */
export function others(s) {
  return s.settings.members.filter((id) => id !== s.id);
}

/**
 * The same message to each of a list of stations.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 * @param {number[]} ids
 * @param {number[]} args
 */
export function messageAll(io, s, type, ids, args) {
  for (let i = 0; i < ids.length; i++) {
    message(io, s, type, /** @type {number} */ (ids[i]), args.slice(), false);
  }
}

/**
 * Takes an id out of a list. Answers are counted by their sender, so that a doubled one counts once.
 * @param {number[]} ids
 * @param {number} id
 * @returns {boolean} it was in the list
 */
export function remove(ids, id) {
  const at = ids.indexOf(id);
  if (at >= 0) ids.splice(at, 1);
  return at >= 0;
}

/**
 * What a station waits for: a message from each of these.
 * @param {number[]} ids
 * @param {string} name the textbook's name of the message
 * @returns {[number, string][]}
 */
export function waitsFor(ids, name) {
  return ids.map((id) => [id, name]);
}

/**
 * The station's own message is back after its way round: nobody has copied it, so its receiver is not there.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 * @returns {boolean} the receiver is there
 */
export function arrived(io, s, f) {
  if (f.flags & COPIED) return true;
  const entry = frameTypes[f.type];
  io.record(s, "absent", f.dst, entry ? entry.message : f.type);
  return false;
}
