/**
 * The core of a station: state, frames, timers and commands. No I/O of its own and no hidden state:
 * everything comes in through the arguments and goes out through `io`.
 *
 * @typedef {import("./types.d.ts").Io} Io
 * @typedef {import("./types.d.ts").Station} Station
 * @typedef {import("./types.d.ts").Frame} Frame
 * @typedef {import("./types.d.ts").Settings} Settings
 */
import { receive } from "./adapter.js";
import { release } from "./critical-section.js";
import { armStandby, startElection } from "./election/election.js";
import { raiseEpoch } from "./epoch.js";
import { mutexes, states, timers } from "./registry.js";
import { refuses, testId } from "./ring/duplicate-test.js";
import { sayHello } from "./ring/hello.js";

export { release, request } from "./critical-section.js";

/**
 * A station as it is before power-up.
 * @param {number} id
 * @param {Settings} settings shared, never changed by the station
 * @returns {Station}
 */
export function createStation(id, settings) {
  const s = /** @type {Station} */ (
    /** @type {unknown} */ ({
      id: id,
      bootId: 0,
      settings: settings,
      bypassed: false,
      refused: false,
      joined: false,
      coordinator: -1,
      epoch: 0,
      hop: -1,
      electionRound: 0,
      predecessor: -1,
      heardAt: 0,
      othersAt: -1,
      monitorAt: 0,
      tokenAt: 0,
      tokenSeen: false,
      early: false,
      wants: false,
      inside: false,
      fenceEpoch: 0,
      fenceGrant: 0,
    })
  );
  Object.keys(states).forEach((name) => {
    if (mutexes[name] && name !== settings.mutex) return;
    const create = states[name];
    if (create) create(s);
  });
  return s;
}

/**
 * Power-up. The station is only a wire until it knows that no other has its id. Then it passes frames on and starts nothing
 * until it has heard the current epoch, or until its staggered limit says that nobody is there.
 * @param {Io} io
 * @param {Station} s
 * @param {number} bootId differs from the one before: the same id with a new boot id is a restart
 * @param {number} epoch highest epoch that the host knows of; 0: none
 */
export function boot(io, s, bootId, epoch) {
  const now = io.now(s);
  s.bootId = bootId;
  s.heardAt = now;
  s.monitorAt = now;
  s.tokenAt = now;
  raiseEpoch(s, epoch);
  armStandby(io, s);
  if (s.beacon) io.arm(s, "quiet", s.settings.limits.quiet);
  sayHello(io, s);
  testId(io, s);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} frame a good frame from the predecessor; it may be changed
 */
export function handleFrame(io, s, frame) {
  receive(io, s, frame);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {string} name the timer whose deadline has come
 */
export function handleTimer(io, s, name) {
  const handler = timers[name];
  if (handler) handler(io, s);
  else if (name === "critical") release(io, s);
}

/**
 * Starts an election because somebody asked for it.
 * @param {Io} io
 * @param {Station} s
 */
export function elect(io, s) {
  if (!refuses(io, s)) startElection(io, s, "asked");
}

/**
 * Keeps text to be sent with the next token.
 * @param {Io} io
 * @param {Station} s
 * @param {number} to a station's id, or 255 for every station
 * @param {string} text printable ASCII without blank, comma, `$` and `*`; others are escaped by the caller
 */
export function sendText(io, s, to, text) {
  if (refuses(io, s)) return;
  if (s.outbox) io.record(s, "refused", "outbox");
  else {
    s.outbox = text;
    s.outboxTo = to;
  }
}
