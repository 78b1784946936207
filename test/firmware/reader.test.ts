import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32 } from "../../firmware/crc32.js";
import { encode, LINE_LIMIT } from "../../firmware/frame.js";
import { createReader, feed } from "../../firmware/reader.js";
import type { Frame } from "../../firmware/types.d.ts";
import { frames as anyFrames, TYPES, withoutStatus } from "./arbitrary-frames.ts";

interface Read {
  frames: Frame[];
  refused: { [cause: string]: number };
}

/** Reads chunks, each as bytes in a string. */
function read(chunks: readonly string[], limit = LINE_LIMIT): Read {
  const reader = createReader(limit);
  const frames = chunks.flatMap((chunk) => feed(reader, chunk, crc32, TYPES));
  expect(reader.rest.length).toBeLessThanOrEqual(limit);
  return { frames, refused: reader.refused };
}

const token = (hop: number): Frame => ({ type: "TOK", src: 3, dst: 253, args: [258, hop, 57], flags: 0 });
const line = (frame: Frame) => encode(frame, crc32);
const FIVE = [1, 2, 3, 4, 5].map(token);
const TEN = Array.from({ length: 10 }, (_, i) => token(i));

/** Cuts a text at the given places. */
function cut(text: string, places: readonly number[]): string[] {
  const sorted = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return sorted.slice(1).map((to, i) => text.slice(sorted[i], to));
}

const total = (refused: Read["refused"]) => Object.values(refused).reduce((sum, n) => sum + n, 0);

describe("the reader takes any bytes in any chunks", () => {
  test("one frame cut at every place, and byte by byte (serialport/node-serialport#2000)", () => {
    const text = line(token(7));
    for (let at = 0; at <= text.length; at++)
      expect(read([text.slice(0, at), text.slice(at)])).toEqual({ frames: [token(7)], refused: {} });
    expect(read(text.split(""))).toEqual({ frames: [token(7)], refused: {} });
  });

  test("ten frames in one chunk (PowerBroker2/SerialTransfer#43)", () => {
    expect(read([TEN.map(line).join("")])).toEqual({ frames: TEN, refused: {} });
  });

  test("CR LF, also cut between the two, and a lone CR in mid-line (serialport/node-serialport#582)", () => {
    const crlf = TEN.map((frame) => line(frame).replace("\n", "\r\n"));
    expect(read([crlf.join("")])).toEqual({ frames: TEN, refused: {} });
    expect(read(crlf.flatMap((text) => [text.slice(0, -1), text.slice(-1)]))).toEqual({
      frames: TEN,
      refused: {},
    });
    const broken = line(token(1)).replace(",253", "\r,253");
    expect(read([broken + line(token(2))])).toEqual({ frames: [token(2)], refused: { "bad-fcs": 1 } });
  });

  test("empty lines, which mean nothing", () => {
    expect(read(["\n\r\n\n", line(token(1)), "\r\n"])).toEqual({ frames: [token(1)], refused: {} });
  });

  test("a frame closed just before the end of the stream; an unfinished one is never acted on (serialport ReadlineParser)", () => {
    const text = line(token(1)) + line(token(2));
    expect(read([text]).frames).toEqual([token(1), token(2)]);
    expect(read([text.slice(0, -1)])).toEqual({ frames: [token(1)], refused: {} });
  });

  test("the same frames and the same counts however the bytes are cut", () => {
    const pieces = fc.oneof(
      anyFrames.map(line),
      fc.constantFrom("\n", "\r\n", "\r", "$", "*", ">", "x".repeat(30), "$TOK,3,253,1"),
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }).map((list) => list.join("")),
        fc.array(fc.nat()),
        fc.integer({ min: 20, max: 80 }),
        (text, places, limit) => {
          const whole = read([text], limit);
          expect(read(cut(text, places), limit)).toEqual(whole);
          expect(read(text.split(""), limit)).toEqual(whole);
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe("the reader finds the next frame again", () => {
  test("behind 0 to 64 bytes of junk, and behind half a frame (firmata/firmata.js#114)", () => {
    const hello: Frame = { type: "HEL", src: 3, dst: 253, args: [1], flags: 0 };
    for (let junk = 0; junk <= 64; junk++)
      expect(read(["\x80\xff>?".repeat(16).slice(0, junk), line(hello)])).toEqual({
        frames: [hello],
        refused: {},
      });
    const text = line(hello);
    for (let half = 1; half < text.length; half++)
      expect(read([text.slice(0, half), text])).toEqual({ frames: [hello], refused: { "no-end": 1 } });
    for (let half = 1; half < text.length - 1; half++)
      expect(read([`${text.slice(0, half)}\n`, text])).toEqual({
        frames: [hello],
        refused: { "bad-fcs": 1 },
      });
  });

  test("behind 1 to 300 random bytes without a newline: at most the first frame is lost (pyserial/pyserial#26)", () => {
    const noise = fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)).toString("latin1"));
    fc.assert(
      fc.property(noise, (bytes) => {
        const { frames, refused } = read([bytes, line(token(1)), line(token(2))]);
        const fits = bytes.length + line(token(1)).length - 1 <= LINE_LIMIT;
        expect(frames).toEqual(fits ? [token(1), token(2)] : [token(2)]);
        if (!fits) expect(refused).toEqual({ "too-long": 1 });
      }),
    );
  });

  test("when any byte of the second of five frames is any other: the others are read (slowtec/tokio-modbus#60)", () => {
    const texts = FIVE.map(line);
    const second = texts[1] as string;
    for (let at = 0; at < second.length; at++)
      for (let code = 0; code < 256; code++) {
        const byte = String.fromCharCode(code);
        if (byte === second[at]) continue;
        const damaged = second.slice(0, at) + byte + second.slice(at + 1);
        const { frames, refused } = read([[texts[0], damaged, ...texts.slice(2)].join("")]);
        // A carriage return in the place of the newline, or of nothing, hides behind the next start.
        expect(frames).toEqual([FIVE[0], FIVE[2], FIVE[3], FIVE[4]]);
        expect(total(refused)).toBeGreaterThanOrEqual(1);
        expect(total(refused)).toBeLessThanOrEqual(2);
      }
  });

  test("when a newline is lost: the unfinished frame is counted, the one behind it read (jepsen-io/maelstrom#59)", () => {
    const [a, b, c] = FIVE.map(line) as [string, string, string];
    expect(read([a.slice(0, -1) + b + c])).toEqual({
      frames: [token(2), token(3)],
      refused: { "no-end": 1 },
    });
    expect(read([a.slice(0, -1) + b.slice(0, -1) + c])).toEqual({
      frames: [token(3)],
      refused: { "no-end": 2 },
    });
  });

  test("at a second $ in the middle of a frame", () => {
    const [a, b] = FIVE.map(line) as [string, string];
    for (let at = 1; at < a.length; at++)
      expect(read([`${a.slice(0, at)}${b}`])).toEqual({ frames: [token(2)], refused: { "no-end": 1 } });
    const { frames, refused } = read([`${a.slice(0, 9)}$${a.slice(9)}`, b]);
    expect(frames).toEqual([token(2)]);
    expect(refused).toEqual({ "no-end": 1, "bad-fcs": 1 });
  });

  test("behind the prompt, echo and stack trace of a console (espruino/EspruinoDocs#202)", () => {
    const console =
      '\r\n>=undefined\r\n>Uncaught ReferenceError: "statoin" is not defined\r\n at line 1 col 1\r\n>';
    expect(read([console, line(token(1)), "\x1b[J>", line(token(2))]).frames).toEqual([token(1), token(2)]);
  });

  test("when a line of a log is printed at any place in a frame: that one is lost, no other (zephyrproject-rtos/zephyr#50945)", () => {
    const [a, b, c] = FIVE.map(line) as [string, string, string];
    for (let at = 1; at < b.length - 1; at++) {
      const mixed = `${b.slice(0, at)}[00:01] <inf> uart: ready\r\n${b.slice(at)}`;
      const { frames, refused } = read([a, mixed, c]);
      expect(frames).toEqual([token(1), token(3)]);
      expect(refused).toEqual({ "bad-fcs": 1, "no-start": 1 });
    }
  });

  test("when every line is echoed with a prompt and cursor codes (billroy/bitlash#43)", () => {
    const echoed = FIVE.map((frame) => `>\x1b[3G${line(frame)}`).join("");
    expect(read([echoed])).toEqual({ frames: FIVE, refused: {} });
  });
});

describe("the reader bounds a line", () => {
  /** A frame whose line, without its newline, has exactly `length` characters. */
  function ofLength(length: number): Frame {
    const frame: Frame = { type: "DAT", src: 1, dst: 2, args: [""], flags: 0 };
    return { ...frame, args: ["x".repeat(length - (line(frame).length - 1))] };
  }

  test("to its limit and no less", () => {
    expect(read([line(ofLength(LINE_LIMIT))])).toEqual({ frames: [ofLength(LINE_LIMIT)], refused: {} });
    expect(read([line(ofLength(LINE_LIMIT + 1)), line(token(1))])).toEqual({
      frames: [token(1)],
      refused: { "too-long": 1 },
    });
    expect(read([line(ofLength(1000))], 1000).frames).toEqual([ofLength(1000)]);
  });

  test("and counts a line once, however long and in however many pieces", () => {
    const junk = "x".repeat(100_000);
    expect(read([junk, "\n", line(token(1))])).toEqual({ frames: [token(1)], refused: { "too-long": 1 } });
    expect(read([...(junk.match(/.{1,7}/g) as string[]), "\n", line(token(1))])).toEqual({
      frames: [token(1)],
      refused: { "too-long": 1 },
    });
    expect(read([`${junk}\n${junk}\n`])).toEqual({ frames: [], refused: { "too-long": 2 } });
  });

  test("and reads no frame at the end of a line that is too long", () => {
    const text = "x".repeat(300) + line(token(1));
    expect(read([text])).toEqual({ frames: [], refused: { "too-long": 1 } });
    expect(read(text.split(""))).toEqual({ frames: [], refused: { "too-long": 1 } });
  });
});

describe("no stream makes a frame that nobody sent", () => {
  test("not zero bytes, bytes above 127, nor any single byte over and over (Moddable-OpenSource/moddable, discussion 1180)", () => {
    for (let code = 0; code < 256; code++) {
      const { frames } = read([`${String.fromCharCode(code).repeat(600)}\n`, line(token(1))]);
      expect(frames).toEqual([token(1)]);
    }
  });

  test("not random bytes around and inside what was sent; what is whole is read", () => {
    const damage = fc.record({
      frame: anyFrames.filter((frame) => line(frame).length < 120),
      kind: fc.constantFrom("none", "none", "byte", "bit", "drop", "insert", "tail", "head"),
      where: fc.nat(),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.array(damage, { maxLength: 12 }), (list) => {
        const sent = new Set<string>();
        let whole = 0;
        const text = list.map(({ frame, kind, where, bytes }) => {
          const good = line(frame);
          sent.add(JSON.stringify(withoutStatus(frame)));
          const at = where % good.length;
          const noise = Buffer.from(bytes).toString("latin1");
          const flipped = String.fromCharCode(good.charCodeAt(at) ^ (1 << ((bytes[0] as number) & 7)));
          if (kind === "byte") return good.slice(0, at) + noise[0] + good.slice(at + 1);
          if (kind === "bit") return good.slice(0, at) + flipped + good.slice(at + 1);
          if (kind === "drop") return good.slice(0, at) + good.slice(at + 1);
          if (kind === "insert") return good.slice(0, at) + noise + good.slice(at);
          if (kind === "tail") return good.slice(0, at);
          if (kind === "head") return good.slice(at);
          whole++;
          return good;
        });
        const { frames } = read([text.join("")], 4096);
        expect(frames.length).toBeGreaterThanOrEqual(whole);
        for (const frame of frames) expect(sent).toContain(JSON.stringify(withoutStatus(frame)));
      }),
      { numRuns: 2000 },
    );
  });
});
