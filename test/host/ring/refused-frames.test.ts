/** Frames that a board of a wired ring refuses: one record for each cause, with how many are new. */
import { expect, test } from "vitest";
import { RefusedFrames } from "../../../src/host/ring/refused-frames.ts";
import { benchOf, TestRing } from "../rings.ts";

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

test.each(['{"bad-fcs":-1}', '{"bad-fcs":1e99}', '{"__proto__":1}', '{"x":1}', "null", "7", "{", "bad-fcs"])(
  "%s is no such list",
  (text) => {
    expect(new RefusedFrames().since(text)).toBeNull();
  },
);

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
