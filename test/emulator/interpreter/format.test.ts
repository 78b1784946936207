/** How values and input look on the console: answers recorded from the interpreter, release 2v29.277. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isComplete, onlyStatement } from "../../../src/emulator/interpreter/brackets.ts";
import { describeError, stackTrace } from "../../../src/emulator/interpreter/errors.ts";
import { formatNumber } from "../../../src/emulator/interpreter/format.ts";
import { bench } from "../bench.ts";

const recorded: readonly (readonly [string, string])[] = [
  ["[1,2,3]", "[ 1, 2, 3 ]"],
  ["[]", "[  ]"],
  ["({})", "{  }"],
  ["({a:1,b:'x',c:[1,2,{d:4}]})", '{ a: 1, \n  b: "x", \n  c: [ 1, 2, \n    { d: 4 }\n   ]\n }'],
  [
    '({a:function(x){return x},b:{c:{}},d:null,e:undefined,f:1.5,g:true,"h i":2})',
    '{ \n  a: function (x) { ... }, \n  b: { \n    c: {  }\n   }, \n  d: null, e: undefined, f: 1.5, g: true, "h i": 2 }',
  ],
  ["[[],[1]]", "[ \n  [  ], \n  [ 1 ]\n ]"],
  ["[undefined,,3]", "[ undefined, undefined, 3 ]"],
  ['var l=[1,"x"];l.foo=3;l', '[ 1, \n  "x", foo: 3\n ]'],
  ["var q=[];for(var i=0;i<150;i++)q.push(i);q", "[ 0, 1, 2, 3, 4,  ... 145, 146, 147, 148, 149 ]"],
  ["new Uint8Array(200)", "new Uint8Array(200)"],
  ["new Uint8Array([1,2,3])", "new Uint8Array([1, 2, 3])"],
  ["new Float32Array([1.5,0])", "new Float32Array([1.5, 0])"],
  ["var o=({});o.self=o;o", "{ \n  self:  ... \n }"],
  ['"a".repeat(100)', '"aaaaaaaaaaaaaaaaaaaaaaaaaaa" ... "aaaaaaaaaaaaaaaaaaaaaaaaaaa"'],
  ["'abc\\n\\x01'", '"abc\\n\\1"'],
  ['"tab\\t\\x7f\\"q\\\\"', '"tab\\t\\x7F\\"q\\\\"'],
  ['"\\xff\\u0100"', '"\\u00FF\\u0100"'],
  ['"\\v\\x80\\u0100"', '"\\u000B\\u0080\\u0100"'],
  ["function f(a,b){ return 1 }", "function (a,b) { ... }"],
  ["x=function(){}", "function () {}"],
  ["(a,b)=>a+b", "function (a,b) { ... }"],
  ["E", "function () { [native code] }"],
  ["Serial1", "Serial1"],
  ["class K{constructor(){this.a=1}};new K()", "K: { a: 1 }"],
  ["new Error('x')", "Error: Error: x"],
  ["new Date(0)", "Date: Thu Jan 1 1970 00:00:00 GMT+0000"],
  ["/abc/g", 'RegExp: { \n  source: "abc", \n  flags: "g", \n  lastIndex: 0 }'],
];

test.each(recorded)("the result of %s", (source, result) => {
  const { ask } = bench();
  expect(ask(`${source}\n`)).toBe(`${source}\r\n=${result.replaceAll("\n", "\r\n")}\r\n>`);
});

test("print shows strings as they are, objects with quoted keys, and long ones whole", () => {
  const { ask } = bench({ code: "echo(0)" });
  expect(ask("print(1,'a',{b:2},[1,'z'],null,undefined,Serial1,function(a){})\n")).toBe(
    '1 a { "b": 2 } [ 1, \r\n  "z"\r\n ] null undefined Serial: {  } function (a) {}\r\n',
  );
  expect(ask('print("a\\nb","\\xe9\\u2713")\n')).toBe("a\r\nb \xc3\xa9\xe2\x9c\x93\r\n");
  expect(ask(`print([${"1,".repeat(40)}1])\n`)).toBe(`[ ${"1, ".repeat(40)}1 ]\r\n`);
});

describe("numbers", () => {
  test.each([
    [1 / 3, "0.33333333333"],
    [1e21, "10e+20"],
    [1e-7, "1e-7"],
    [-0.1, "-0.1"],
    [Math.PI * 1e6, "3141592.65358979301"],
    [100000.5, "100000.5"],
    [1.23456789012345, "1.23456789012"],
    [2147483648, "2147483648"],
    [NaN, "NaN"],
    [-Infinity, "-Infinity"],
  ])("%d prints as %s", (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  test("whole numbers print as in JavaScript, others come back within a part in a million", () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (whole, fraction) => {
        expect(formatNumber(whole)).toBe(String(whole));
        expect(Math.abs(Number(formatNumber(fraction)) / fraction - 1)).toBeLessThan(1e-3);
      }),
    );
  });
});

describe("when a line is complete", () => {
  test.each([
    "f(",
    "[1,",
    "{",
    "if(1){ a",
    "/* (",
    '"x" /* c',
    "`a",
    "`a${1",
    "4/2/(1",
    "a=/[)]/.test((",
    "return /(/,(",
  ])("%s goes on", (line) => {
    expect(isComplete(line)).toBe(false);
  });

  test.each([
    "",
    "1",
    "f()",
    '"("',
    "'unfinished (",
    "// (",
    "a // (",
    "/[(]/.test(1)",
    ")",
    "})(",
    "a=b/c/(1)",
    "`(`",
    "x=/(/",
  ])("%s runs", (line) => {
    expect(isComplete(line)).toBe(true);
  });

  test("one statement is told from more", () => {
    expect(onlyStatement("var a=5")).toBe("var a=5");
    expect(onlyStatement("var a=5;  ")).toBe("var a=5");
    expect(onlyStatement('var a=";";')).toBe('var a=";"');
    expect(onlyStatement("for(;;){}")).toBe("for(;;){}");
    expect(onlyStatement("var a=5;f()")).toBeUndefined();
  });
});

describe("errors in the interpreter's words", () => {
  test.each([
    [new ReferenceError("nope is not defined"), 'ReferenceError: "nope" is not defined'],
    [
      new TypeError("Cannot read properties of undefined (reading 'c')"),
      "Error: Can't read property 'c' of undefined",
    ],
    [new TypeError("a.foo is not a function"), 'Error: Function "foo" not found!'],
    [new TypeError("Assignment to constant variable."), "TypeError: Assignment to a constant"],
    [new SyntaxError("Unexpected token ')'"), "SyntaxError: Got ')' expected EOF"],
    [new SyntaxError("Invalid or unexpected token"), "SyntaxError: Got UNFINISHED STRING expected EOF"],
    [new Error("boo"), "Error: boo"],
    [1, "1"],
    [undefined, "undefined"],
  ])("%s", (thrown, text) => {
    expect(describeError(thrown)).toBe(text);
  });

  test("frames of the emulator itself do not show", () => {
    expect(stackTrace(new Error("from here"))).toBe("");
  });

  test("a frame for each function, the program's own names, the outermost with its place", () => {
    const { ask } = bench({ code: "echo(0)" });
    ask("function inner(){ nope }\n");
    ask("function outer(){ inner() }\n");
    expect(ask("outer()\n")).toMatch(
      /ReferenceError.*\r\n {4}at inner \(:1:\d+\)\r\n[\s\S]*at outer[\s\S]*at REPL \(:1:1\)/,
    );
    ask("setTimeout(function(){ inner() },1)\n", 0);
    expect(ask("", 100)).toMatch(/at inner \(:1:\d+\)\r\n\r\n *\^\r\n {4}at :1:\d+\r\n/);
  });
});
