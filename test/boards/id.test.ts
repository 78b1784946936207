import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isId, isWideId, MAX_ID, parseId, parseIds } from "../../src/bench-file/id.ts";
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

describe("a list of ids that a person types", () => {
  const list = (text: string): number[] | string => {
    try {
      return parseIds(text, "--ids");
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return error.message;
    }
  };

  test.each([
    ["3", [3]],
    ["4,1,7", [4, 1, 7]],
    ["0-3", [0, 1, 2, 3]],
    ["5,1-3", [5, 1, 2, 3]],
    ["249-250,256-257", [249, 250, 256, 257]],
    ["7-7", [7]],
  ])("%s is taken in its order", (text, ids) => expect(list(text)).toEqual(ids));

  test.each([
    ["240-260", '--ids: "240-260" has the reserved ids 251 to 255 in it: write 240-250,256-260'],
    ["251-260", "--ids: 251 is reserved"],
    ["240-252", "--ids: 252 is reserved"],
    ["3-1", '--ids: "3-1" is no range: write the lower id first, 1-3'],
    ["1-3,3-5", "--ids: 3 is there twice"],
    ["300,300", "--ids: 300 is there twice"],
    ["1-", '--ids must be a whole number from 0 to 250, not "1-"'],
    ["01-3", '--ids: write 1, not "01"'],
    ["1,,2", "--ids is missing"],
    ["256-999999", '--ids: "256-999999" is too long a list'],
    ["9".repeat(400), "--ids must be a whole number from 0 to 250, not"],
  ])("%s is refused", (text, words) => expect(list(text)).toContain(words));

  test("whatever is typed, what is taken is stations, each once", () => {
    const part = fc.oneof(fc.stringMatching(/^[0-9]{1,3}$/), fc.stringMatching(/^[0-9]{1,3}-[0-9]{1,3}$/));
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join()),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const ids = list(typed);
        if (typeof ids === "string") return;
        expect(ids.every(isWideId)).toBe(true);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 2000 },
    );
  });
});
