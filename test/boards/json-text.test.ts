import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  JsonTextError,
  lineAndColumn,
  MAX_DEPTH,
  parseJson,
  pathText,
} from "../../src/bench-file/json-text.ts";

/** What a reader makes of a text: the value's JSON, or "refused". */
function outcome(read: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(read(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonTextError) return "refused";
    throw error;
  }
}

function refusal(text: string): string {
  try {
    parseJson(text);
    return "taken";
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { line, column } = lineAndColumn(text, error.offset);
    return `${line}:${column} ${error.message}`;
  }
}

/** Texts near JSON: real ones with a few characters put in, taken out or replaced. */
const nearlyJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.array(
      fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom(...'{}[],:"\\/ \n\t\u00000123.-+eEtrufalsn\u2028é')),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([text, edits]) => {
    let edited = text;
    for (const [at, removed, added] of edits) {
      const place = at % (edited.length + 1);
      edited = edited.slice(0, place) + added + edited.slice(place + removed);
    }
    return edited;
  });

describe("the JSON reader", () => {
  test("takes and refuses what JSON.parse does, with the same values (RFC 8259)", () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        // The two differences that are meant: comments have a message of their own, keys may not come twice.
        fc.pre(!/given twice/.test(refusal(text)));
        expect(outcome((json) => parseJson(json).value, text)).toBe(outcome(JSON.parse, text));
      }),
      { numRuns: 5000 },
    );
  });

  test("knows where every value stands", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        fc.pre(!/given twice/.test(refusal(text)));
        const { value, offsets } = parseJson(text);
        expect(offsets.get("")).toBe(text.search(/[^ ]/));
        if (!Array.isArray(value)) return;
        for (const [index, item] of value.entries()) {
          const from = offsets.get(pathText([index])) as number;
          expect(text.slice(from).startsWith(JSON.stringify(item)[0] as string)).toBe(true);
        }
      }),
    );
  });

  test.each([
    ['{"id": 1, "id": 2}', '1:11 key "id" is given twice'],
    ['{"a": [{"b": 1,\n "b": 2}]}', '2:2 key "b" is given twice in a[0]'],
    ['{"a": 1,\n}', '2:1 a comma before "}" is not JSON at }'],
    ['["a",\n "b" "c"]', '2:6 expected "," or "]" at "c"]'],
    ["{a: 1}", "1:2 expected a key in double quotes at a: 1}"],
    ["{'a': 1}", "1:2 expected a key in double quotes at 'a': 1}"],
    ['{"a" 1}', '1:6 expected ":" after the key at 1}'],
    ['{"a": 1} // ring', "1:10 JSON has no comments at // ring"],
    ['{"a": NaN}', "1:7 expected a value at NaN}"],
    ['{"a": 03}', '1:8 expected "," or "}" at 3}'],
    ['"no end', '1:1 a string that does not end at "no end'],
    ['"tab\there"', '1:1 a line break, a control character or a wrong escape in the string at "tab'],
    ['{"a": 1', '1:8 expected "," or "}", but the text ends'],
    ["", "1:1 expected a value, but the text ends"],
    ["1 2", "1:3 expected the end of the file at 2"],
  ])("%j: %s", (text, message) => {
    expect(refusal(text)).toMatch(message.startsWith("1:1 a line break") ? /^1:1 a line break/ : message);
    if (!/given twice/.test(message)) expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test("a key named __proto__ is a key like any other", () => {
    const { value } = parseJson('{"__proto__": {"polluted": true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("bounds the nesting, so that a megabyte of brackets is one clear refusal", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(refusal(nested(MAX_DEPTH))).toBe("taken");
    expect(refusal(nested(MAX_DEPTH + 1))).toContain(`more than ${MAX_DEPTH} brackets are open`);
    expect(refusal("[".repeat(1_000_000))).toContain(`more than ${MAX_DEPTH} brackets are open`);
    expect(refusal('{"a":'.repeat(200_000))).toContain(`more than ${MAX_DEPTH} brackets are open`);
  });

  test("takes a string of a megabyte, escapes and all", () => {
    const long = JSON.stringify('\\"x'.repeat(330_000));
    expect(parseJson(long).value).toBe('\\"x'.repeat(330_000));
    expect(refusal(long.slice(0, -1))).toContain("a string that does not end");
  });

  test("counts lines as editors do: \\n, \\r\\n and \\r end one", () => {
    expect(lineAndColumn("a\r\nb\rc\nde", 9)).toEqual({ line: 4, column: 3 });
  });
});

test("a key of many kilobytes costs its length once, not for each value under it", () => {
  const key = "y".repeat(50_000);
  const text = `{"a": [1], "${key}": [${Array(50_000).fill(1).join()}]}`;
  const { offsets, value } = parseJson(text);
  expect((value as { [key: string]: number[] })[key]).toHaveLength(50_000);
  expect([offsets.get("a[0]"), offsets.size]).toEqual([7, 3]);
});
