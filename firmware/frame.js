/**
 * Wire format: one ASCII line per frame,
 * `$<TYPE>,<src>,<dst>[,<arg>]...*<FCS>[<flags>]\n`.
 * The frame check sequence is CRC-32 as in IEEE 802.3, over the characters between `$` and `*`.
 * The flags come after it and are not covered by it, as the frame status of IEEE 802.5.
 *
 * @typedef {import("./types.d.ts").Frame} Frame
 * @typedef {import("./types.d.ts").FrameType} FrameType
 * @typedef {import("./types.d.ts").Refusal} Refusal
 * @typedef {{[type: string]: FrameType}} FrameTypes
 * @typedef {(text: string) => number} Crc
 */

/** Destination: every station. */
export const EVERY = 255;
/** Destination: the successor only; consumed there, never repeated. */
export const NEIGHBOUR = 253;
/** Stands for a predecessor that is not known: a station that was alone heard only itself. */
export const UNKNOWN = 254;
/** Ids above 250 up to 255 are reserved; larger ids exist only in rings wider than any board's. */
export const LAST_ID = 250;

/** Flag: a destination has copied the frame. */
export const COPIED = 1;
/** Flag: the active monitor has seen the frame pass. */
export const SEEN = 2;

/** Longest line, in characters, unless the reader is made for a larger ring. */
export const LINE_LIMIT = 256;

const FLAGS = ["", "c", "m", "cm"];

/**
 * @param {string} body
 * @param {Crc} crc32
 */
function checkSequence(body, crc32) {
  return ("0000000" + crc32(body).toString(16)).substr(-8).toUpperCase();
}

/**
 * @param {Frame} frame
 * @param {Crc} crc32 unsigned CRC-32 of a string of bytes
 * @returns {string} the line, newline included
 */
export function encode(frame, crc32) {
  let body = frame.type + "," + frame.src + "," + frame.dst;
  if (frame.args.length) body += "," + frame.args.join(",");
  return "$" + body + "*" + checkSequence(body, crc32) + FLAGS[frame.flags] + "\n";
}

/**
 * A decimal number without sign, point, exponent or leading zero; else -1.
 * @param {string} text
 */
function number(text) {
  const n = +text;
  return n >= 0 && n < 9007199254740992 && "" + n === text && Math.floor(n) === n ? n : -1;
}

/**
 * Decodes one line.
 * @param {string} line without its newline; a trailing carriage return is allowed
 * @param {Crc} crc32
 * @param {FrameTypes} types the frame types that the station knows
 * @returns {Frame | Refusal} the frame, or why it is refused
 */
export function decode(line, crc32, types) {
  const parts = line.split("$");
  if (parts.length < 2) return "no-start";
  const text = /** @type {string} */ (parts[parts.length - 1]);
  const star = text.indexOf("*");
  if (star < 0) return "bad-fcs";
  let tail = text.substr(star + 1);
  if (tail[tail.length - 1] === "\r") tail = tail.slice(0, -1);
  const body = text.substr(0, star);
  if (tail.substr(0, 8) !== checkSequence(body, crc32)) return "bad-fcs";
  const flags = FLAGS.indexOf(tail.substr(8));
  if (flags < 0) return "bad-field";

  const fields = body.split(",");
  const type = fields[0] || "";
  if (!types.hasOwnProperty(type)) return "unknown-type";
  const known = /** @type {FrameType} */ (types[type]);
  const count = fields.length - 3;
  if (known.args < 0 ? count < -known.args : count !== known.args) return "bad-field";
  const src = number(fields[1] || "");
  const dst = number(fields[2] || "");
  if (src < 0 || dst < 0 || (src > LAST_ID && src <= EVERY)) return "bad-field";
  /** @type {(number | string)[]} */
  const args = [];
  for (let i = 3; i < fields.length; i++) {
    const field = fields[i] || "";
    if (known.text) args.push(field);
    else {
      const n = number(field);
      if (n < 0) return "bad-field";
      args.push(n);
    }
  }
  return { type: type, src: src, dst: dst, args: args, flags: flags };
}
