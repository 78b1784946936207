import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeControls, quote, UsageError } from "../../src/errors.ts";

describe("a usage error", () => {
  test("is one line, whatever it quotes, and ends a command with 2", () => {
    const error = new UsageError("bad\r\nport \u001b[31m\u0000\u009b\u2028\u202e");
    expect(error.message).toBe("bad\\r\\nport \\x1b[31m\\x00\\x9b\\u2028\\u202e");
    expect(error.exitCode).toBe(2);
    expect(error).toBeInstanceOf(Error);
  });

  test("leaves readable text alone", () => {
    expect(escapeControls('Schöne Grüße, "ring" 環 🙂')).toBe('Schöne Grüße, "ring" 環 🙂');
  });

  test("no text escapes its line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeControls(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

describe("a quote", () => {
  test.each<[unknown, string]>([
    ["03", '"03"'],
    [0.5, "0.5"],
    [Number.NaN, "NaN"],
    [undefined, "nothing"],
    [null, "null"],
    [{ a: [1] }, '{"a":[1]}'],
    [() => 1, "() => 1"],
  ])("of %j is %s", (value, text) => {
    expect(quote(value)).toBe(text);
  });

  test("is clipped, never in the middle of a character", () => {
    expect(quote("x".repeat(1000))).toBe(`"${"x".repeat(58)}..."`);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (text) => {
        const quoted = quote(text);
        expect(quoted).not.toMatch(/\p{Surrogate}/u);
        expect(quoted.length).toBeLessThan(66);
      }),
    );
  });
});

test("a value that is nested too deep to write is quoted by what it is", () => {
  const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
  const inItself: { [key: string]: unknown } = {};
  inItself.self = inItself;
  expect(quote(inItself)).toBe("an object");
  expect(["a list", `${"[".repeat(59)}...`]).toContain(quote(deep));
});
