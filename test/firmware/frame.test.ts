import zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32 } from "../../firmware/crc32.js";
import { decode, encode } from "../../firmware/frame.js";
import type { Frame } from "../../firmware/types.d.ts";
import { frames, TYPES, withoutStatus } from "./arbitrary-frames.ts";

const TOKEN: Frame = { type: "TOK", src: 3, dst: 253, args: [258, 912, 57], flags: 0 };

const read = (line: string) => decode(line, crc32, TYPES);

/** A line with the body as given and a right check, as zlib computes it. */
function sealed(body: string, flags = ""): string {
  const check = zlib.crc32(Buffer.from(body, "latin1")).toString(16).toUpperCase().padStart(8, "0");
  return `$${body}*${check}${flags}`;
}

/** `text` with `count` characters at `at` replaced. */
const spliced = (text: string, at: number, count: number, by: string) =>
  text.slice(0, at) + by + text.slice(at + count);

const LATIN1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

describe("a frame's line", () => {
  test("is $TYPE,src,dst,args*FCS, flags and a newline, the check in eight upper-case hex digits", () => {
    expect(encode(TOKEN, crc32)).toBe(`${sealed("TOK,3,253,258,912,57")}\n`);
    expect(encode({ ...TOKEN, flags: 1 }, crc32)).toBe(`${sealed("TOK,3,253,258,912,57", "c")}\n`);
    expect(encode({ ...TOKEN, flags: 2 }, crc32)).toBe(`${sealed("TOK,3,253,258,912,57", "m")}\n`);
    expect(encode({ ...TOKEN, flags: 3 }, crc32)).toBe(`${sealed("TOK,3,253,258,912,57", "cm")}\n`);
  });

  test("keeps the leading zeros of its check", () => {
    // Found by trying: the check of this body begins with three zeros.
    const hop = Array.from({ length: 100_000 }, (_, n) => n).find(
      (n) => zlib.crc32(`TOK,3,253,258,${n},57`) < 0x00100000,
    ) as number;
    const line = encode({ ...TOKEN, args: [258, hop, 57] }, crc32);
    expect(line).toMatch(/\*000[0-9A-F]{5}\n$/);
    expect(read(line.slice(0, -1))).toMatchObject({ args: [258, hop, 57] });
  });

  test("is read back as the frame it was made from", () => {
    fc.assert(
      fc.property(frames, (frame) => {
        const line = encode(frame, crc32);
        expect(line.endsWith("\n")).toBe(true);
        expect(read(line.slice(0, -1))).toEqual(frame);
        expect(read(`${line.slice(0, -1)}\r`)).toEqual(frame);
      }),
      { numRuns: 2000 },
    );
  });

  test("is read with a text as its argument", () => {
    const frame: Frame = { type: "DAT", src: 1, dst: 2, args: ["it%27s%2C%20fine"], flags: 1 };
    expect(read(encode(frame, crc32).slice(0, -1))).toEqual(frame);
    expect(read(sealed("DAT,1,2,"))).toMatchObject({ args: [""] });
    expect(read(sealed("DAT,1,2,7"))).toMatchObject({ args: ["7"] });
    expect(read(sealed("DAT,1,2,a,b"))).toBe("bad-field");
  });
});

describe("a line is refused", () => {
  test.each([
    ["no-start", ""],
    ["no-start", "hello"],
    ["no-start", sealed("TOK,3,253,258,912,57").slice(1)],
    ["bad-fcs", "$"],
    ["bad-fcs", "$TOK,3,253,258,912,57"],
    ["bad-fcs", "$TOK,3,253,258,912,57*"],
    ["bad-fcs", "$TOK,3,253,258,912,57*00000000"],
    ["bad-fcs", sealed("TOK,3,253,258,912,57").slice(0, -1)],
    ["bad-fcs", sealed("TOK,3,253,258,912,57").toLowerCase()],
    ["bad-field", `${sealed("TOK,3,253,258,912,57")}x`],
    ["bad-field", `${sealed("TOK,3,253,258,912,57")}mc`],
    ["bad-field", `${sealed("TOK,3,253,258,912,57")}cc`],
    ["bad-field", `${sealed("TOK,3,253,258,912,57")}c\r\r`],
    ["bad-field", sealed("TOK")],
    ["bad-field", sealed("TOK,3")],
    ["bad-field", sealed("TOK,3,253,258,912")],
    ["bad-field", sealed("TOK,3,253,258,912,57,1")],
    ["bad-field", sealed("ELN,3,253,1")],
    ["unknown-type", sealed("")],
    ["unknown-type", sealed(",3,253")],
    ["unknown-type", sealed("tok,3,253,258,912,57")],
    ["unknown-type", sealed(" TOK,3,253,258,912,57")],
  ])("as %s: %j", (cause, line) => {
    expect(read(line)).toBe(cause);
  });

  test("as unknown-type where its type is a name of Object.prototype", () => {
    for (const name of [...Object.getOwnPropertyNames(Object.prototype), "prototype", "length", "name"])
      expect(read(sealed(`${name},3,253,258,912,57`))).toBe("unknown-type");
  });

  /** Every way to write 3 but one, and what is no id (hashicorp/consul#1911: one id, two forms). */
  const NOT_THREE = [
    "03",
    "3.0",
    " 3",
    "3 ",
    "0x3",
    "+3",
    "-3",
    "3e0",
    "",
    "NaN",
    "Infinity",
    "-0",
    "0b11",
    "٣",
  ];

  test.each(NOT_THREE)("as bad-field where a number is written %j", (text) => {
    expect(read(sealed("TOK,3,3,3,3,3"))).toMatchObject({ src: 3, dst: 3, args: [3, 3, 3] });
    const latin1 = Buffer.from(text, "utf8").toString("latin1");
    for (let field = 1; field <= 5; field++) {
      const fields = ["TOK", "3", "3", "3", "3", "3"];
      fields[field] = latin1;
      expect(read(sealed(fields.join(",")))).toBe("bad-field");
    }
  });

  test("as bad-field where the sender's id is reserved: 251 to 255", () => {
    for (const src of [251, 252, 253, 254, 255]) expect(read(sealed(`HEL,${src},253,1`))).toBe("bad-field");
    for (const src of [0, 250, 256]) expect(read(sealed(`HEL,${src},253,1`))).toMatchObject({ src });
  });

  test("as bad-field where a number is beyond those that are exact", () => {
    expect(read(sealed("HEL,3,253,9007199254740991"))).toMatchObject({ args: [9007199254740991] });
    for (const text of ["9007199254740992", "9007199254740993", "1e21", "1".repeat(40), "9".repeat(400)])
      expect(read(sealed(`HEL,3,253,${text}`))).toBe("bad-field");
  });
});

describe("a damaged line is refused, or it is the frame that was sent", () => {
  const sent: Frame[] = [
    TOKEN,
    { ...TOKEN, flags: 3 },
    { type: "DAT", src: 1, dst: 250, args: ["hello"], flags: 1 },
    { type: "ELN", src: 12, dst: 253, args: [300, 12, 9, 4], flags: 2 },
  ];
  const lines = sent.map((frame) => ({ frame, line: encode(frame, crc32).slice(0, -1) }));

  /** @returns true when the line was read as the frame */
  function readsAs(frame: Frame, line: string): boolean {
    const got = read(line);
    if (typeof got === "string") return false;
    expect(withoutStatus(got)).toEqual(withoutStatus(frame));
    return true;
  }

  test("any one byte of it replaced by any other (yaacov/ArduinoModbusSlave#61)", () => {
    for (const { frame, line } of lines) {
      const status = line.indexOf("*") + 9;
      for (let at = 0; at < line.length; at++)
        for (const byte of LATIN1)
          if (byte !== line[at] && readsAs(frame, spliced(line, at, 1, byte))) {
            // Only the status is outside the check.
            expect(at).toBeGreaterThanOrEqual(status);
          }
    }
  });

  test("any one byte inserted anywhere: each of the 256 values, so the check is over bytes, not text", () => {
    for (const { frame, line } of lines)
      for (let at = 0; at <= line.length; at++)
        for (const byte of LATIN1)
          if (readsAs(frame, spliced(line, at, 0, byte)))
            // Before the start, or in the status at the end.
            expect(at === 0 || at >= line.indexOf("*") + 9 || byte === "$").toBe(true);
  });

  test("any one byte missing", () => {
    for (const { frame, line } of lines)
      for (let at = 0; at < line.length; at++)
        if (readsAs(frame, spliced(line, at, 1, "")))
          expect(at).toBeGreaterThanOrEqual(line.indexOf("*") + 9);
  });

  test("any burst of up to four bytes, which CRC-32 detects always", () => {
    fc.assert(
      fc.property(frames, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 4 }), (frame, where, burst) => {
        const bytes = Buffer.from(encode(frame, crc32), "latin1").subarray(0, -1);
        const end = bytes.indexOf("*");
        const at = 1 + (where % (end - 1));
        for (let i = 0; i < burst.length && at + i < end; i++)
          bytes[at + i] = (bytes[at + i] as number) ^ (burst[i] as number);
        const got = read(bytes.toString("latin1"));
        if (typeof got !== "string") expect(got).toEqual(frame);
      }),
      { numRuns: 3000 },
    );
  });

  test("any bytes at all give a frame or one of the causes", () => {
    const causes = ["no-start", "bad-fcs", "bad-field", "unknown-type"];
    const bodies = fc.string({
      unit: fc.constantFrom(..."TOKDAHELN,0123$*\r -.é\0".split("")),
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          bodies,
          bodies.map((body) => sealed(body)),
        ),
        (line) => {
          const got = read(line);
          if (typeof got === "string") expect(causes).toContain(got);
          else
            expect(`${encode(got, crc32).slice(0, -1)}`).toBe(
              line.slice(line.lastIndexOf("$")).replace(/\r$/, ""),
            );
        },
      ),
      { numRuns: 5000 },
    );
  });
});
