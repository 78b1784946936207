/**
 * The card: repeats, copies and strips frames, as an IEEE 802.5 adapter does.
 *
 * @typedef {import("./types.d.ts").Io} Io
 * @typedef {import("./types.d.ts").Station} Station
 * @typedef {import("./types.d.ts").Frame} Frame
 */
import { COPIED, EVERY, NEIGHBOUR, SEEN } from "./frame.js";
import { dispatch, frameTypes } from "./registry.js";

/**
 * Puts an own frame on the ring.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 * @param {number} dst
 * @param {(number | string)[]} args
 */
export function transmit(io, s, type, dst, args) {
  io.send(s, { type: type, src: s.id, dst: dst, args: args, flags: 0 });
}

/**
 * Sends a message in the textbook's sense: one send from a station to a station, counted here,
 * also when the receiver is dead.
 * @param {Io} io
 * @param {Station} s
 * @param {string} type
 * @param {number} dst
 * @param {(number | string)[]} args the first is the number of the election
 * @param {boolean} again a repetition of a message already counted
 */
export function message(io, s, type, dst, args, again) {
  const entry = frameTypes[type];
  io.record(s, again ? "retry" : "sent", entry ? entry.message : type, dst, args[0]);
  transmit(io, s, type, dst, args);
}

/**
 * Acts on a good frame from the predecessor.
 * @param {Io} io
 * @param {Station} s
 * @param {Frame} frame flags are changed in place when it is repeated
 */
export function receive(io, s, frame) {
  const now = io.now(s);
  s.heardAt = now;
  const entry = frameTypes[frame.type];
  const wire = entry && entry.wire;
  // Frames that a mere wire may have sent do not tell that others take part.
  if (frame.src !== s.id && !wire) s.othersAt = now;

  if (s.bypassed) {
    if (!wire || !wire(io, s, frame)) io.send(s, frame);
    return;
  }
  if (frame.dst === NEIGHBOUR) {
    // Own neighbour frames return only to a station that is alone; beside others, of whom the monitor is heard at
    // every announcement, they are an echo.
    if (frame.src === s.id && now - s.othersAt < 2 * s.settings.limits.announce && s.othersAt >= 0) {
      io.record(s, "bad", "echo");
      return;
    }
    s.predecessor = frame.src;
    dispatch(io, s, frame, entry);
    return;
  }
  if (frame.src === s.id) {
    if (entry && entry.returned) entry.returned(io, s, frame);
    return;
  }
  if (s.monitor.duty) {
    if (frame.flags & SEEN) {
      io.record(s, "orphan", frame.type, frame.src);
      return;
    }
    frame.flags |= SEEN;
  }
  if (frame.dst === s.id) {
    // Only the destination sets this flag: with it set the frame has been here before.
    if (frame.flags & COPIED) {
      io.record(s, "orphan", frame.type, frame.src);
      return;
    }
    frame.flags |= COPIED;
    dispatch(io, s, frame, entry);
  } else if (frame.dst === EVERY) {
    frame.flags |= COPIED;
    if (dispatch(io, s, frame, entry)) {
      io.record(s, "orphan", frame.type, frame.src);
      return;
    }
  }
  io.send(s, frame);
}
