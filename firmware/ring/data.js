/**
 * DAT: text that a station sends to another while it holds the token.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { COPIED } from "../frame.js";

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onData(io, s, f) {
  io.record(s, "data", f.src, f.args[0]);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onDataBack(io, s, f) {
  if (!(f.flags & COPIED)) io.record(s, "refused", "not-there");
}

/** @type {import("../types.d.ts").Protocol} */
export const data = {
  name: "data",
  create: function (s) {
    s.outbox = "";
    s.outboxTo = -1;
  },
  frames: { DAT: { args: 1, fields: ["text"], text: true, handle: onData, returned: onDataBack } },
  timers: {},
};
