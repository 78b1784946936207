/**
 * HEL: "I am here". Tells the successor who its predecessor is, and finds how boards are wired.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {import("../types.d.ts").Frame} Frame
 */
import { transmit } from "../adapter.js";
import { NEIGHBOUR } from "../frame.js";

/**
 * @param {Io} io
 * @param {Station} s
 */
export function sayHello(io, s) {
  transmit(io, s, "HEL", NEIGHBOUR, [s.bootId]);
}

/**
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} f
 */
function onHello(io, s, f) {
  io.record(s, "hello", f.src, f.args[0]);
  return true;
}

/** @type {import("../types.d.ts").Protocol} */
export const hello = {
  name: "hello",
  frames: { HEL: { args: 1, fields: ["boot"], handle: onHello, wire: onHello } },
  timers: {},
};
