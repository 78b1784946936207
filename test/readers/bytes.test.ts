/** Bytes from wires: frames, console lines, captures. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../firmware/crc32.js";
import { decode, encode } from "../../firmware/frame.js";
import { createReader, feed } from "../../firmware/reader.js";
import { readInfo } from "../../src/host/console/board-info.ts";
import { lineCheck, readLine } from "../../src/host/console/console-line.ts";
import { LineReader } from "../../src/link/line-reader.ts";
import { compareLine, findStation, loggedFrames } from "../../src/log/capture/compare.ts";
import { FrameDecoder } from "../../src/log/capture/frame-decoder.ts";
import { sigrokInput } from "../../src/log/capture/sigrok.ts";
import { frames, TYPES } from "../firmware/arbitrary-frames.ts";
import { sampleRun } from "../log/sample.ts";
import { damaged, fixed, inputs } from "./hostile.ts";

const write = inputs();
const CAUSES = ["no-start", "too-long", "bad-fcs", "bad-field", "unknown-type", "no-end"];
const LIMIT = 256;

const goodLines = fc.sample(frames, { numRuns: 40, seed: 1 }).map((frame) => encode(frame, crc32));

/** The text in pieces of the given sizes, again and again. */
function* pieces(text: string, sizes: readonly number[]): Generator<string, void, void> {
  for (let at = 0, k = 0; at < text.length; k++) {
    const size = sizes[k % sizes.length] as number;
    yield text.slice(at, at + size);
    at += size;
  }
}

const chunks = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });

describe("whatever comes on a wire,", () => {
  it("a frame is one that was encoded so, or is refused by its cause: 5000 lines", () => {
    fc.assert(
      fc.property(damaged(goodLines), (line) => {
        const frame = decode(line.trimEnd(), crc32, TYPES);
        if (typeof frame === "string") expect(CAUSES).toContain(frame);
        else {
          for (const arg of [frame.src, frame.dst, ...frame.args]) {
            if (typeof arg === "number") expect(Number.isSafeInteger(arg) && arg >= 0).toBe(true);
          }
          expect(decode(encode(frame, crc32).trimEnd(), crc32, TYPES)).toEqual(frame);
        }
      }),
      fixed(5000),
    );
  });

  it("the firmware's reader keeps no more than a line, gives good frames, and is whole at the next line: 1000 streams", () => {
    const good = encode({ type: "TOK", src: 3, dst: 253, args: [258, 912, 57], flags: 0 }, crc32);
    fc.assert(
      fc.property(damaged(goodLines), chunks, (text, sizes) => {
        const reader = createReader(LIMIT);
        for (const piece of pieces(text, sizes)) {
          for (const frame of feed(reader, piece, crc32, TYPES))
            expect(Object.hasOwn(TYPES, frame.type)).toBe(true);
          expect(JSON.stringify(reader).length).toBeLessThan(6 * LIMIT + 1000);
        }
        feed(reader, "\n", crc32, TYPES);
        expect(feed(reader, good, crc32, TYPES)).toMatchObject([{ type: "TOK", args: [258, 912, 57] }]);
        for (const cause of Object.keys(reader.refused)) expect(CAUSES).toContain(cause);
      }),
      fixed(1000),
    );
  });

  it("a console's line is text, damaged, or a record that fits its check: 5000 lines", () => {
    const good = ["123456,enter,261,3", "5,tx,$TOK,3,253,258,912,57*8A3F10C2", "77,sent,ELECTION,5,257"].map(
      (record) => `>@${record}*${lineCheck(record)}`,
    );
    for (const line of good) expect(readLine(line)).toMatchObject([{ kind: "record" }]);
    fc.assert(
      fc.property(damaged([...good, ">", "\u001b[2K>print", good.join("\r")]), (raw) => {
        for (const said of readLine(raw)) {
          if (said.kind !== "record") {
            expect(said.text.length).toBeLessThanOrEqual(raw.length);
            continue;
          }
          expect(Number.isFinite(said.board) && said.board >= 0).toBe(true);
          expect(said.event).toMatch(/^[a-z]{1,16}$/);
          const record = [said.board, said.event, ...(said.rest ? [said.rest] : [])].join(",");
          // The codes of a terminal may stand between its characters.
          const plain = raw.replace(/\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f]/g, "");
          expect(plain).toContain(`@${record}*${lineCheck(record)}`);
        }
      }),
      fixed(5000),
    );
  });

  it("a link's line reader gives lines within its limit, in whatever pieces the bytes come: 1000 streams", () => {
    fc.assert(
      fc.property(damaged(["@1,enter,261,3\r\n@2,exit\n", ...goodLines]), chunks, (text, sizes) => {
        const lines: string[] = [];
        const reader = new LineReader(LIMIT, {
          line: (line) => lines.push(line),
          overflow: (count, head) => {
            expect(count).toBeGreaterThan(0);
            expect(head.length).toBeLessThanOrEqual(LIMIT);
          },
          truncated: (tail) => lines.push(tail),
        });
        for (const piece of pieces(text, sizes)) reader.push(Buffer.from(piece, "utf8"), 0);
        reader.end(0);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(LIMIT);
      }),
      fixed(1000),
    );
  });

  it("what a board says of itself is texts and numbers of bounded length, or nothing: 2000 answers", () => {
    const good = [
      '{"console":1,"id":3,"boot":7,"known":261,"has":["bully","ring"],"board":"PICO","version":"2v25","serial":"a","usage":838,"total":5100}',
    ];
    fc.assert(
      fc.property(damaged(good), (text) => {
        const info = readInfo(text);
        if (!info) return;
        for (const word of [info.board, info.version, info.serial, ...info.protocols]) {
          expect(typeof word === "string" && word.length <= 40).toBe(true);
        }
        if (info.id !== undefined) expect(info.id).toBeLessThanOrEqual(250);
      }),
      fixed(2000),
    );
    expect(readInfo('{"board":{"toString":1},"has":[{"toString":1},"ring"]}')).toMatchObject({
      board: "",
      protocols: ["ring"],
    });
  });

  it("a capture is compared with a run, good frames with good frames, the rest counted as extra: 300 captures", () => {
    const source = sampleRun([], 2.5, { ids: [1, 2, 3] });
    const logged = loggedFrames(source);
    const sent = (logged.get(2) ?? []).slice(-30);
    const bytes = sent.map(({ line }) => line).join("");
    expect(bytes.length).toBeGreaterThan(500);
    fc.assert(
      fc.property(damaged([bytes, ...goodLines]), (text) => {
        const decoder = new FrameDecoder();
        for (const byte of Buffer.from(text, "utf8")) decoder.byte(byte, 1);
        const found = decoder.frames;
        for (const { line, cause } of found)
          expect((line === undefined) !== (cause === undefined)).toBe(true);
        const station = findStation(logged, found);
        if (station === undefined) return;
        const compared = compareLine(station, logged.get(station) ?? [], found);
        expect(compared.equal + compared.extra.length).toBe(found.length);
        expect([[], ["-I", "vcd"], undefined]).toContainEqual(sigrokInput(write("capture.bin", text)));
      }),
      fixed(300),
    );
  });
});
