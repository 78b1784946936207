import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32 } from "../../firmware/crc32.js";
import { decode, encode } from "../../firmware/frame.js";
import type { Frame } from "../../firmware/types.d.ts";
import { Codec, SHORT_FRAME } from "../../src/simulation/codec.ts";
import { frames, TYPES } from "../firmware/arbitrary-frames.ts";

const codec = new Codec(TYPES);

/** The codec's line of a frame, written in the middle of other bytes. */
function written(frame: Frame): string | undefined {
  const out = Buffer.alloc(SHORT_FRAME + 20, "x");
  const end = codec.encode(frame, out, 10);
  if (end < 0) return undefined;
  expect(end - 10).toBeLessThanOrEqual(SHORT_FRAME);
  expect(out.subarray(0, 10).toString()).toBe("x".repeat(10));
  expect(out.subarray(end).toString()).toMatch(/^x*$/);
  return out.subarray(10, end).toString("latin1");
}

/** Reads bytes that lie in the middle of others, and the same by the firmware: one newline ends a line. */
function bothRead(bytes: Uint8Array): { codec: Frame | string; firmware: Frame | string } {
  const buffer = Buffer.concat([Buffer.from("$1,"), bytes, Buffer.from("7*\n")]);
  const text = Buffer.from(bytes).toString("latin1");
  return {
    codec: codec.decode(buffer, 3, 3 + bytes.length),
    firmware: decode(text.endsWith("\n") ? text.slice(0, -1) : text, crc32, TYPES),
  };
}

function expectSame(bytes: Uint8Array): void {
  const read = bothRead(bytes);
  expect(read.codec).toEqual(read.firmware);
}

const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("the codec on bytes", () => {
  test("writes the firmware's line of every frame with at most three numbers, and leaves the rest to it", () => {
    fc.assert(
      fc.property(frames, (frame) => {
        const short = frame.args.length <= 3 && frame.args.every((arg) => typeof arg === "number");
        expect(written(frame)).toBe(short ? encode(frame, crc32) : undefined);
        expect(Buffer.from(codec.text(frame)).toString("latin1")).toBe(encode(frame, crc32));
      }),
      { numRuns: 3000 },
    );
  });

  test("writes numbers of every length", () => {
    for (let n = 0; n < 54; n++)
      for (const value of [2 ** n - 1, 2 ** n, 10 ** Math.min(n, 15) - 1, 10 ** Math.min(n, 15)]) {
        if (value > Number.MAX_SAFE_INTEGER) continue;
        const frame: Frame = { type: "HEL", src: 0, dst: 253, args: [value], flags: 0 };
        expect(written(frame)).toBe(encode(frame, crc32));
      }
  });

  test("reads the firmware's line of every frame", () => {
    fc.assert(
      fc.property(frames, (frame) => {
        expect(bothRead(latin1(encode(frame, crc32))).codec).toEqual(frame);
      }),
      { numRuns: 3000 },
    );
  });

  test("reads or refuses a line with any of its bits flipped as the firmware does, for the same cause", () => {
    fc.assert(
      fc.property(frames, (frame) => {
        const bytes = latin1(encode(frame, crc32));
        for (let bit = 0; bit < 8 * bytes.length; bit++) {
          const flipped = Uint8Array.from(bytes);
          flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
          expectSame(flipped);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("reads or refuses a line with a right check around wrong fields as the firmware does", () => {
    const field = fc.oneof(
      fc.constantFrom("", "0", "00", "01", "3", "250", "251", "253", "255", "256", "-1", "1.0", " 3", "3e2"),
      fc.constantFrom("9007199254740991", "9007199254740992", "9007199254740993", "1".repeat(30)),
      fc.stringMatching(/^[0-9]{1,4}$/),
    );
    const type = fc.constantFrom(...Object.keys(TYPES), "XYZ", "TOKK", "TO", "", "toString");
    const end = fc.constantFrom(
      "\n",
      "c\n",
      "m\n",
      "cm\n",
      "mc\n",
      "\r\n",
      "cm\r\n",
      "\r\r\n",
      "",
      "c",
      "x\n",
      "\n\n",
    );
    const lines = fc.tuple(
      fc.constantFrom("", "$", "x", "$TOK,3"),
      type,
      fc.array(field, { maxLength: 6 }),
      end,
    );
    fc.assert(
      fc.property(lines, ([before, name, fields, after]) => {
        const body = [name, ...fields].join(",");
        const check = crc32(body).toString(16).toUpperCase().padStart(8, "0");
        expectSame(latin1(`${before}$${body}*${check}${after}`));
      }),
      { numRuns: 5000 },
    );
  });

  test("refuses any bytes as the firmware does", () => {
    const near = fc.string({
      unit: fc.constantFrom(..."$TOKHEL,0123456789*ABCDEFcm\r\n".split("")),
      maxLength: 50,
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), near.map(latin1)), (bytes) => {
        expectSame(bytes);
      }),
      { numRuns: 5000 },
    );
  });
});
