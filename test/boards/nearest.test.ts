import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest, suggest } from "../../src/bench-file/nearest.ts";

describe("the nearest word", () => {
  test.each([
    ["sucessor", "successor"],
    ["sucessro", "successor"],
    ["prot", "port"],
    ["PORT", "port"],
    ["bord", "board"],
    ["Id", "id"],
  ])("%s means %s", (typed, meant) => {
    expect(nearest(typed, ["id", "board", "port", "successor"])).toBe(meant);
  });

  test("is nothing where nothing is near", () => {
    expect(nearest("colour", ["id", "board", "port", "successor"])).toBeUndefined();
    expect(nearest("", ["id"])).toBeUndefined();
    expect(nearest("x".repeat(100_000), ["id"])).toBeUndefined();
    expect(suggest("colour", ["id", "port"], "keys")).toBe("known keys: id, port");
    expect(suggest("prt", ["id", "port"], "keys")).toBe('did you mean "port"?');
  });

  test("one slip in a word of six letters or more is found again", () => {
    const word = fc.stringMatching(/^[a-z]{6,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom("drop", "double", "swap"), (meant, at, slip) => {
        const place = at % (meant.length - 1);
        const [before, char, after] = [meant.slice(0, place), meant[place], meant.slice(place + 1)];
        const typed = {
          drop: before + after,
          double: before + char + char + after,
          swap: before + after[0] + char + after.slice(1),
        }[slip] as string;
        expect(nearest(typed, ["zzzzzzzzzzzzzzzzzz", meant])).toBe(meant);
      }),
    );
  });
});
