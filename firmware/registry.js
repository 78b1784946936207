/**
 * The tables through which frames, timers and commands find their protocol.
 * A board installs only the protocols that it carries.
 *
 * @typedef {import("./types.d.ts").Io} Io
 * @typedef {import("./types.d.ts").Station} Station
 * @typedef {import("./types.d.ts").Frame} Frame
 * @typedef {import("./types.d.ts").Protocol} Protocol
 */

/**
 * What each protocol adds to the state of a new station.
 * @type {{[protocol: string]: (s: Station) => void}}
 */
export const states = {};
/** @type {{[type: string]: import("./types.d.ts").FrameType}} */
export const frameTypes = {};
/** @type {{[name: string]: (io: Io, s: Station) => void}} */
export const timers = {};
/** @type {{[name: string]: {start(io: Io, s: Station, cause: string): void}}} */
export const elections = {};
/** @type {{[name: string]: import("./types.d.ts").Mutex}} */
export const mutexes = {};

/**
 * Adds a protocol to the tables; a second call with the same one changes nothing. The protocol itself is not kept:
 * on a board its own tables would take memory for nothing.
 * @param {Protocol} protocol
 */
export function install(protocol) {
  Object.keys(protocol.frames).forEach((type) => {
    const entry = protocol.frames[type];
    if (!entry) return;
    frameTypes[type] = entry;
    if (protocol.mutex) entry.mutex = protocol.name;
  });
  Object.keys(protocol.timers).forEach((name) => {
    const handler = protocol.timers[name];
    if (handler) timers[name] = handler;
  });
  if (protocol.create) states[protocol.name] = protocol.create;
  if (protocol.election) elections[protocol.name] = protocol.election;
  if (protocol.mutex) mutexes[protocol.name] = protocol.mutex;
}

/**
 * Takes a protocol's frames and state out of the tables: for a station without it they are unknown.
 * @param {Protocol} protocol
 */
export function uninstall(protocol) {
  delete states[protocol.name];
  Object.keys(protocol.frames).forEach((type) => {
    delete frameTypes[type];
  });
}

/**
 * Hands a frame to its protocol.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} frame
 * @param {import("./types.d.ts").FrameType | undefined} entry that of the frame's type
 * @returns {boolean | void} true: the frame is an orphan and must not be repeated
 */
export function dispatch(io, s, frame, entry) {
  // A station has no state for a mutual exclusion that it does not use.
  if (!entry || (entry.mutex && entry.mutex !== s.settings.mutex)) return false;
  if (entry.message) io.record(s, "received", entry.message, frame.src, frame.args[0]);
  return entry.handle(io, s, frame);
}
