/**
 * A frame from the hub: it comes as a call on the console.
 *
 * @typedef {import("../types.d.ts").Io} Io
 * @typedef {import("../types.d.ts").Station} Station
 */
import { decode } from "../frame.js";
import { frameTypes } from "../registry.js";
import { handleFrame } from "../station.js";

/** @type {any} */
const crc32 = E.CRC32;

/**
 * @param {Io} io
 * @param {Station} s
 * @param {string} line
 */
export function takeLine(io, s, line) {
  const frame = decode(line, crc32, frameTypes);
  if (typeof frame === "string") io.record(s, "bad", frame);
  else handleFrame(io, s, frame);
}
