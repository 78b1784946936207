import { describe, expect, test } from "vitest";
import { filesIn, read } from "./files.ts";
import { checkFirmware, declaredGlobals } from "./firmware-language.ts";
import { RULES, type Rule } from "./language/rules.ts";

const board = declaredGlobals(read("firmware/board/espruino.d.ts"));

/** Snippets that Espruino does not run as the standard says, with the line to blame. */
const REFUSED: [Rule, number, string][] = [
  ["syntax", 2, "const a = 1;\nconst a = ;"],
  ["destructuring", 1, "const { a } = { a: 1 };"],
  ["destructuring", 2, "const pairs = [[1, 2]];\nfor (const [k, v] of pairs) k + v;"],
  ["destructuring", 1, "export function f([a]) { return a; }"],
  ["destructuring", 3, "let a = 1;\nlet b = 2;\n[a, b] = [b, a];"],
  ["default-parameter", 1, "export function f(a = 1) { return a; }"],
  ["default-parameter", 1, "export const f = (a = 1) => a;"],
  ["rest-parameter", 1, "export function f(...a) { return a; }"],
  ["spread", 2, "const a = [1];\nexport const b = [...a];"],
  ["spread", 2, "const a = [1];\nMath.max(...a);"],
  ["spread", 2, "const a = {};\nexport const b = { ...a };"],
  ["async", 1, "export async function f() {}"],
  ["async", 1, "export function* f() { return 1; }"],
  ["async", 1, "export const f = async () => 1;"],
  ["async", 1, "await 1;"],
  ["optional-chaining", 2, "const a = {};\na?.b;"],
  ["optional-chaining", 2, "const a = {};\na.b?.(1);"],
  ["power", 1, "export const a = 2 ** 3;"],
  ["power", 2, "let a = 2;\na **= 3;"],
  ["logical-assignment", 2, "let a;\na ??= 3;"],
  ["logical-assignment", 2, "let a;\na ||= 3;"],
  ["logical-assignment", 2, "let a;\na &&= 3;"],
  ["tagged-template", 2, "const f = (x) => x;\nf`a`;"],
  ["label", 1, "a: for (;;) break a;"],
  ["case-after-default", 4, "const a = 1;\nswitch (a) {\n  default: break;\n  case 1: break;\n}"],
  ["computed-key", 2, "const k = 'a';\nexport const o = { [k]: 1 };"],
  ["computed-key", 2, "const k = 'a';\nexport class A { [k]() {} }"],
  ["computed-key", 2, "const k = 'a';\nexport class A { [k] = 1; }"],
  ["private", 1, "export class A { #a = 1; }"],
  ["static-block", 1, "export class A { static { 1; } }"],
  ["field-arrow", 1, "export class A { f = () => this.v; }"],
  ["extends-error", 1, "export class A extends Error {}"],
  ["bigint", 1, "export const a = 1n;"],
  ["meta", 1, "export const a = import.meta.url;"],
  ["meta", 1, "import('./a.js');"],
  ["meta", 1, "export function F() { return new.target; }"],
  ["ascii", 1, "export const a = 'é';"],
  ["ascii", 1, "export const a = `µ`;"],
  ["bare-return", 2, "export function f(a) {\n  if (a) return\n  a();\n}"],
  ["reserved-word", 1, "export const of = 1;"],
  ["regex", 1, "export const a = /a{2}/;"],
  ["regex", 1, "export const a = /a+?/;"],
  ["regex", 1, "export const a = /ab?/;"],
  ["regex", 1, "export const a = /a(?=b)/;"],
  ["regex", 1, "export const a = /(?:a)/;"],
  ["regex", 1, "export const a = /(?<n>a)/;"],
  ["regex", 1, "export const a = /(a)+/;"],
  ["regex", 1, "export const a = /(a|b)/;"],
  ["regex", 1, "export const a = /(a)\\1/;"],
  ["regex", 1, "export const a = /\\ba/;"],
  ["regex", 1, "export const a = /a/m;"],
  ["regex", 1, "export const a = /\\u0041/;"],
  ["array-length", 2, "const a = [1];\na.length = 0;"],
  ["array-length", 2, "const a = [1];\na.length--;"],
  ["delete-in-for-in", 2, "const a = {};\nfor (const k in a) delete a[k];"],
  ["loop-closure", 2, "const a = [];\nfor (let i = 0; i < 3; i++) a.push(() => i);"],
  ["loop-closure", 2, "const a = [];\nfor (const x of a) a.push(function () { return x; });"],
  ["loop-closure", 2, "const a = {};\nfor (const k in a) a[k] = () => k;"],
  ["hoisting", 1, "f();\nfunction f() {}"],
  ["hoisting", 1, "const table = { a: f };\nfunction f() { return table; }"],
  ["hoisting", 2, "export function a() {\n  b();\n  function b() {}\n}"],
  ["hoisting", 2, "function a() { b(); }\na();\nfunction b() {}"],
  ["hoisting", 3, "function a() { b(); }\nfunction b() { c(); }\na();\nfunction c() {}"],
  ["arrow-arguments", 1, "export const f = () => arguments[0];"],
  ["function-name", 2, "function f() {}\nexport const a = f.name;"],
  ["function-name", 2, "class A {}\nexport const a = A.name;"],
  ["error-name", 2, "try { f(); }\ncatch (e) { g(e.name); }\nfunction f() {}\nfunction g() {}"],
  ["error-name", 1, "export const a = new Error('x').name;"],
  ["sort-order", 1, "[2, 1].sort();"],
  ["split-limit", 1, "'a,b'.split(',', 1);"],
  ["replace-pattern", 1, "'a'.replace(/a/, '$&$&');"],
  ["json-replacer", 1, "JSON.stringify({ a: 1 }, ['a']);"],
  ...(
    "flat flatMap lastIndexOf reduceRight at keys entries findLast trimStart localeCompare codePointAt " +
    "finally normalize toSorted search toPrecision isPrototypeOf"
  )
    .split(" ")
    .map((name): [Rule, number, string] => ["missing-method", 2, `const a = [];\na.${name}();`]),
  ...(
    "Array.from Array.of Number.isInteger Number.isNaN Math.imul Math.trunc Math.log2 Math.clz32 Object.freeze " +
    "Object.hasOwn String.raw"
  )
    .split(" ")
    .map((name): [Rule, number, string] => ["missing-static", 2, `const a = [];\n${name}(a);`]),
  ...(
    "Map Set WeakMap Symbol Proxy Reflect RegExp Function eval console document process require setTimeout Date " +
    "Promise globalThis TextEncoder E LED1"
  )
    .split(" ")
    .map((name): [Rule, number, string] => ["global", 2, `const a = [];\n${name}(a);`]),
  ["global", 2, "export function f() {\n  total = 1;\n}"],
  ["global", 1, "arguments[0];"],
  ["global-assignment", 1, "parseInt = 1;"],
  ["inexact", 1, "Math.ceil(Math.sqrt(9));"],
  ["handed-in", 1, "Math.random();"],
];

/** What Espruino runs as the standard says. */
const ALLOWED = [
  "import { a as b } from './a.js';\nimport * as c from './c.js';\nexport { d } from './d.js';\nexport const e = b + c.x;",
  "export { late };\nfunction late() { return after(); }\nfunction after() { return late; }",
  "function a() { return b(); }\nfunction b() { return 1; }\na();",
  "const table = {};\nexport function f() { return table.a(g); }\nfunction g() {}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal is what is tried
  "export const f = (a) => `x${a}`;\nexport const g = { f, h() { return 1; }, get i() { return 2; } };",
  "for (const x of [1]) parseInt(x, 16);\nfor (let i = 0; i < 3; i++) isNaN(i);",
  "export function f(a) { return a.sort((x, y) => x - y).concat([1]).map((x) => x ?? 0); }",
  "export function f(a) { switch (a) { case 1: return 1; default: return 2; } }",
  "export const a = /^@(\\d+),([a-z-]+)\\.x[^,]*$|^\\$\\x41\\s+$/gi;",
  "export class A { v = 1; f() { return arguments.length; } }\nexport class B extends A { f() { return super.f(); } }",
  "export function f(o) { if (!o.length) return; for (const k in o) o[k] = Object.keys(o).length; }",
  "export function f(o) { try { return JSON.stringify(o, null, 2); } catch { return o.name; } }",
  "export function f(s) { return s.replace(/\\$/, () => 'x').split(',').find((x) => x.includes('a')); }",
  "export const a = new Uint8Array(4).fill(0);\nexport const b = a.length;\na[0] = b;",
];

describe("the part of JavaScript that Espruino runs", () => {
  test.each(REFUSED)("%s is refused on line %i of %j", (rule, line, source) => {
    expect(checkFirmware(source)).toContainEqual(expect.objectContaining({ rule, line }));
  });

  test.each(ALLOWED)("%j is allowed", (source) => {
    expect(checkFirmware(source)).toEqual([]);
  });

  test("every rule is shown at work", () => {
    const shown = new Set(REFUSED.map(([rule]) => rule));
    expect(Object.keys(RULES).filter((rule) => !shown.has(rule as Rule))).toEqual([]);
  });

  test("a refusal says where and what", () => {
    expect(checkFirmware("let a = 1;\na = Math.trunc(a);")).toEqual([
      { line: 2, rule: "missing-static", message: "Math.trunc: no such built-in function" },
    ]);
  });
});

describe("the globals of a board", () => {
  test.each(["E.CRC32('')", "setTimeout(() => 1, 1)", "Serial1", "LED3", "require('Storage')", "Date.now()"])(
    "%s is for the boot code alone",
    (source) => {
      expect(checkFirmware(`${source};`, board)).toEqual([]);
      expect(checkFirmware(`${source};`).map((refusal) => refusal.rule)).toEqual(["global"]);
    },
  );

  test("they have what a board has of them", () => {
    expect(checkFirmware("Promise.race([]);", board)).toHaveLength(1);
    expect(checkFirmware("Promise.all([]);", board)).toEqual([]);
  });

  test("Node's and the browser's are not among them", () => {
    for (const name of ["console", "document", "Buffer", "structuredClone", "queueMicrotask"]) {
      expect(checkFirmware(`${name};`, board)).toHaveLength(1);
    }
  });
});

describe("the firmware", () => {
  const files = filesIn("firmware").filter((path) => path.endsWith(".js"));

  test("is there", () => expect(files).not.toEqual([]));

  test.each(files)("%s is written in that part", (path) => {
    const isBoot = path.startsWith("firmware/board/");
    const refusals = checkFirmware(read(path), isBoot ? board : undefined);
    expect(refusals.map(({ line, rule, message }) => `${path}:${line}: ${rule}: ${message}`)).toEqual([]);
  });
});
