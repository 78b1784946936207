import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeChunk,
  encodeChunk,
  Inflow,
  KINDS,
  LONGEST_CHUNK,
  Outflow,
  WINDOW,
} from "../../../src/link/mqtt/chunk.ts";

const session = fc.stringMatching(/^[a-z0-9]{1,16}$/);
const kind = fc.constantFrom(...KINDS);
const bytes = fc.uint8Array({ maxLength: 1024 });
const SEED = 20;

describe("a message on a station's topics", () => {
  test("comes back as it was made, whatever its bytes", () => {
    fc.assert(
      fc.property(kind, session, fc.maxSafeNat(), bytes, (kind, session, number, body) => {
        const chunk = decodeChunk(encodeChunk(kind, session, number, body));
        expect(chunk).toEqual({ kind, session, number, bytes: Buffer.from(body) });
      }),
      { seed: SEED },
    );
  });

  test("that a stranger wrote is refused, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (junk) => {
        const chunk = decodeChunk(Buffer.from(junk));
        if (chunk)
          expect(encodeChunk(chunk.kind, chunk.session, chunk.number, chunk.bytes)).toEqual(
            Buffer.from(junk),
          );
      }),
      { seed: SEED, numRuns: 2000 },
    );
    expect(decodeChunk(Buffer.alloc(10_000_000, "data,a,1\n"))).toBeUndefined();
    expect(decodeChunk(Buffer.alloc(LONGEST_CHUNK + 1))).toBeUndefined();
    for (const head of [
      "data,a,1",
      "DATA,a,1\n",
      "data,A,1\n",
      "data,,1\n",
      "data,a,-1\n",
      `data,a,${"9".repeat(16)}\n`,
    ])
      expect(decodeChunk(Buffer.from(head))).toBeUndefined();
  });
});

describe("the stream of a station", () => {
  /** What a receiver takes of the pieces that come in an order in which each may come again. */
  const repeats = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 50 });

  test("has each piece once and in order, however often the broker delivers it (QoS 1: MQTT 3.1.1, 4.3.2)", () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 30 }), repeats, (pieces, again) => {
        const sent: { number: number; bytes: Buffer }[] = [];
        const outflow = new Outflow((number, body) => sent.push({ number, bytes: body }));
        for (const piece of pieces) outflow.send(Buffer.from(piece), () => {});
        const inflow = new Inflow();
        const taken: Buffer[] = [];
        sent.forEach(({ number, bytes: body }, i) => {
          for (let n = 0; n <= (again[i % again.length] ?? 0); n++) {
            const chunk = { kind: "data" as const, session: "a", number, bytes: body };
            if (inflow.judge(chunk) === "take") taken.push(body);
          }
        });
        expect(taken).toEqual(sent.map(({ bytes: body }) => body));
      }),
      { seed: SEED },
    );
  });

  test("that lacks a piece is known at the next", () => {
    const inflow = new Inflow();
    const piece = (number: number) => ({
      kind: "data" as const,
      session: "a",
      number,
      bytes: Buffer.from("x"),
    });
    expect([1, 2, 4].map((number) => inflow.judge(piece(number)))).toEqual(["take", "take", "missing"]);
  });

  test("stops at the window until the other end has used something up, and no word of more than was sent opens it", () => {
    const sent: number[] = [];
    const outflow = new Outflow((number) => sent.push(number));
    const done: number[] = [];
    const piece = Buffer.alloc(1024);
    const count = WINDOW / piece.length;
    for (let n = 1; n <= count; n++) outflow.send(piece, () => done.push(n));
    outflow.send(piece, () => done.push(count + 1));
    expect(done).toHaveLength(count);
    outflow.more(WINDOW + 1);
    expect(done).toHaveLength(count);
    outflow.more(1024);
    expect(done).toHaveLength(count + 1);
    expect(sent).toHaveLength(count + 1);
  });

  test("is refused where more comes than was agreed", () => {
    const inflow = new Inflow();
    const verdicts = Array.from({ length: 80 }, (_, i) =>
      inflow.judge({ kind: "data", session: "a", number: i + 1, bytes: Buffer.alloc(1024) }),
    );
    expect(verdicts.filter((one) => one === "take")).toHaveLength(WINDOW / 1024);
  });
});
