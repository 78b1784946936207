/**
 * Cuts a stream of bytes, in any chunks, into lines and decodes the frames in them.
 * What it refuses is counted by cause and never acted on.
 *
 * @typedef {import("./types.d.ts").Frame} Frame
 * @typedef {{rest: string, skipping: boolean, limit: number, refused: {[cause: string]: number}}} Reader
 */
import { decode } from "./frame.js";

/**
 * @param {number} limit longest line in characters (LINE_LIMIT, more where lists of ids are longer)
 * @returns {Reader}
 */
export function createReader(limit) {
  return { rest: "", skipping: false, limit: limit, refused: {} };
}

/**
 * @param {Reader} reader
 * @param {import("./types.d.ts").Refusal} cause
 */
function refuse(reader, cause) {
  reader.refused[cause] = (reader.refused[cause] || 0) + 1;
}

/**
 * Feeds a chunk to the reader.
 * @param {Reader} reader
 * @param {string} chunk bytes as characters 0 to 255
 * @param {import("./frame.js").Crc} crc32
 * @param {import("./frame.js").FrameTypes} types
 * @returns {Frame[]} the good frames that the chunk completed, in order
 */
export function feed(reader, chunk, crc32, types) {
  /** @type {Frame[]} */
  const frames = [];
  const lines = chunk.split("\n");
  const last = lines.length - 1;
  for (let i = 0; i <= last; i++) {
    const text = reader.rest + lines[i];
    reader.rest = "";
    if (text.length > reader.limit) {
      if (!reader.skipping) refuse(reader, "too-long");
      // The rest of this line is refused already, however many chunks it takes.
      reader.skipping = i === last;
    } else if (i === last) {
      reader.rest = text;
    } else if (reader.skipping) {
      reader.skipping = false;
    } else if (text.length && text !== "\r") {
      // Each start but the last belongs to a frame whose end never came.
      for (let k = text.split("$").length; k > 2; k--) refuse(reader, "no-end");
      const frame = decode(text, crc32, types);
      if (typeof frame === "string") refuse(reader, frame);
      else frames.push(frame);
    }
  }
  return frames;
}
