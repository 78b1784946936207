import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isId, MAX_ID, parseId } from "../../src/bench-file/id.ts";
import { UsageError } from "../../src/errors.ts";

function refusal(text: string): string {
  try {
    return `taken as ${parseId(text, "--down")}`;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
}

describe("an id that a person types", () => {
  test.each([
    ["03", "--down: write 3, not"],
    ["3.0", "--down: write 3, not"],
    [" 3", "--down: write 3, not"],
    ["3\n", "--down: write 3, not"],
    ["+3", "--down: write 3, not"],
    ["0x3", "--down: write 3, not"],
    ["3e0", "--down: write 3, not"],
    ["00", "--down: write 0, not"],
    ["-0", "--down: write 0, not"],
    ["", "--down is missing: write a whole number from 0 to 250"],
    ["   ", "--down must be a whole number from 0 to 250, not"],
    ["-1", "--down must be a whole number from 0 to 250, not"],
    ["251", "--down must be a whole number from 0 to 250, not"],
    ["0.5", "--down must be a whole number from 0 to 250, not"],
    ["NaN", "--down must be a whole number from 0 to 250, not"],
    ["Infinity", "--down must be a whole number from 0 to 250, not"],
    ["three", "--down must be a whole number from 0 to 250, not"],
    ["\u0663", "--down must be a whole number from 0 to 250, not"],
    ["3,4", "--down must be a whole number from 0 to 250, not"],
  ])("%j is refused", (text, start) => {
    expect(refusal(text)).toContain(start);
    expect(refusal(text)).not.toMatch(/[\r\n]/);
  });

  test("has one way to be written: what is taken is the number's own text", () => {
    for (let id = 0; id <= MAX_ID; id++) expect(parseId(String(id))).toBe(id);
    const numberLike = fc.stringMatching(/^[ +-]?0{0,2}[0-9]{1,4}(\.0?|e0)? ?$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), numberLike), (text) => {
        const message = refusal(text);
        const taken = /^taken as ([0-9]+)$/.exec(message)?.[1];
        if (taken !== undefined) expect(taken).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test("where a refusal says how to write it, that is taken", () => {
    const numberLike = fc.stringMatching(/^[ +-]?0{0,2}[0-9]{1,3}(\.0?|e0)? ?$/);
    fc.assert(
      fc.property(numberLike, (text) => {
        const advice = /: write ([0-9]+), not/.exec(refusal(text))?.[1];
        if (advice !== undefined) expect(parseId(advice)).toBe(Math.abs(Number(text)));
      }),
      { numRuns: 1000 },
    );
  });

  test("isId takes the numbers from 0 to 250 and nothing else", () => {
    expect([0, 1, 250].every(isId)).toBe(true);
    expect([-1, 251, 0.5, -0, Number.NaN, "3", null, undefined, true].some(isId)).toBe(false);
  });
});
