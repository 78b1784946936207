/** Frames at random, of every type that the firmware knows, for property tests of the wire format. */
import fc from "fast-check";
import { EVERY, LAST_ID, NEIGHBOUR } from "../../firmware/frame.js";
import { installAll } from "../../firmware/protocols.js";
import { frameTypes } from "../../firmware/registry.js";
import type { Frame, FrameType } from "../../firmware/types.d.ts";

installAll();

export const TYPES: { [type: string]: FrameType } = frameTypes;

const numbers = fc.oneof(
  fc.nat(9),
  fc.nat(300),
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
  fc.maxSafeNat(),
);
const ids = fc.oneof(fc.nat(LAST_ID), fc.integer({ min: 256, max: 100_000 }));

/** Text as the firmware is given it: printable ASCII without blank, comma, `$` and `*`. */
const text = fc.stringMatching(/^[!-#%-)+\--~]{0,40}$/);

const ofType = (type: string, { args, text: isText }: FrameType): fc.Arbitrary<Frame> =>
  fc.record({
    type: fc.constant(type),
    src: ids,
    dst: fc.oneof(ids, fc.constantFrom(NEIGHBOUR, EVERY)),
    args: fc.array<number | string>(isText ? text : numbers, {
      minLength: Math.abs(args),
      maxLength: args < 0 ? 12 : args,
    }),
    flags: fc.nat(3),
  });

export const frames: fc.Arbitrary<Frame> = fc.oneof(
  ...Object.entries(TYPES).map(([type, entry]) => ofType(type, entry)),
);

/** The 802.5 frame status is not covered by the check, and so may change on the way; the rest may not. */
export function withoutStatus({ type, src, dst, args }: Frame): Omit<Frame, "flags"> {
  return { type, src, dst, args };
}
