/** Frames that a board of a wired ring refuses: one record for each cause, with how many are new. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32 } from "../../../firmware/crc32.js";
import { encode, LINE_LIMIT } from "../../../firmware/frame.js";
import { installAll } from "../../../firmware/protocols.js";
import { createReader, feed } from "../../../firmware/reader.js";
import { frameTypes } from "../../../firmware/registry.js";
import { RefusedFrames } from "../../../src/host/ring/refused-frames.ts";
import { benchOf, TestRing } from "../rings.ts";

installAll();

const good = encode({ type: "TOK", src: 1, dst: 253, args: [258, 1, 1], flags: 0 }, crc32);

const total = (counts: { [cause: string]: number }) => Object.values(counts).reduce((sum, n) => sum + n, 0);

test("counts in all become counts of what is new, and begin anew with the board", () => {
  const refused = new RefusedFrames();
  expect(refused.since('{"no-start":1}')).toEqual([["no-start", 1]]);
  expect(refused.since('{"no-start":1,"bad-fcs":2}')).toEqual([["bad-fcs", 2]]);
  expect(refused.since('{"no-start":4,"bad-fcs":3}')).toEqual([
    ["no-start", 3],
    ["bad-fcs", 1],
  ]);
  expect(refused.since('{"bad-fcs":1}')).toEqual([["bad-fcs", 1]]);
  refused.forget();
  expect(refused.since('{"bad-fcs":1}')).toEqual([["bad-fcs", 1]]);
});

test.each(['{"bad-fcs":-1}', '{"bad-fcs":1e99}', '{"__proto__":1}', '{"X":1}', "null", "7", "{", "bad-fcs"])(
  "%s is no such list",
  (text) => {
    expect(new RefusedFrames().since(text)).toBeNull();
  },
);

test("whatever the reader of a board refuses is counted, under every cause that it has", () => {
  const causes = new Set<string>();
  const piece = fc.constantFrom(
    good,
    "$",
    "$TOK,1",
    "noise",
    "\n",
    "$XYZ,1,2*",
    ",*",
    "x".repeat(300),
    "c",
    "\r",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const reader = createReader(LINE_LIMIT);
      const refused = new RefusedFrames();
      for (const text of pieces) {
        const before = total(reader.refused);
        feed(reader, text, crc32, frameTypes);
        const added = refused.since(JSON.stringify(reader.refused));
        expect(added?.reduce((sum, [, n]) => sum + n, 0)).toBe(total(reader.refused) - before);
        for (const [cause] of added ?? []) causes.add(cause);
      }
    }),
    { numRuns: 300 },
  );
  expect([...causes]).toEqual(expect.arrayContaining(["no-start", "no-end", "too-long", "bad-fcs"]));
});

test("noise on a wire of a ring that goes round is counted by its cause", async () => {
  const ring = await TestRing.start(benchOf(["emulated", "emulated", "emulated"], { wiring: "wired" }));
  try {
    await ring.forms(6);
    const noise = (text: string) => ring.opened.wires?.ports[0]?.write(new TextEncoder().encode(text));
    const counted = () =>
      ring.events("bad").reduce((sum, { fields }) => sum + ((fields.count as number | undefined) ?? 1), 0);
    for (const [round, text] of ["\nnoise\n", "\n$TOK,1,253,1,1,1*00000000\n"].entries()) {
      noise(text);
      await ring.until(`refusal ${round}`, () => counted() > round);
    }
    const causes = ring.events("bad").map(({ station, fields }) => [station, fields.cause]);
    expect(causes).toContainEqual([2, "bad-fcs"]);
    for (const [station, cause] of causes) {
      expect(station).toBe(2);
      expect(["no-start", "bad-fcs"]).toContain(cause);
    }
  } finally {
    await ring.stop();
  }
}, 40_000);
