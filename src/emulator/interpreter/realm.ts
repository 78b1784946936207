/**
 * The JavaScript world of one board: a `node:vm` context without what Espruino does not have.
 *
 * Node's engine runs the program, so what makes Espruino's own JavaScript different is not imitated: function
 * declarations are hoisted here and not there, `for (let ...)` closures get their own binding here, classes,
 * destructuring, spread and regular expressions are complete, sort is stable, a UTF-8 literal typed on the console is
 * its bytes, and variables cost no memory. The linter of the firmware guards that side. Globals and methods that are
 * missing on a board are missing here too, so a program that needs them fails here as well.
 */
import vm from "node:vm";
import { scriptPrefix } from "./errors.ts";

type AnyFunction = (...args: never[]) => unknown;

/** Constructors and helpers of the context: what a program gets must be made of its own realm's objects. */
export interface Realm {
  readonly context: vm.Context;
  readonly global: Record<string, unknown>;
  /** A plain object of the realm with these members. */
  object(members?: Record<string, unknown>): Record<string, unknown>;
  array(items: readonly unknown[]): unknown[];
  uint8Array(items: ArrayLike<number>): Uint8Array;
  arrayBuffer(items: ArrayLike<number>): ArrayBuffer;
  /** An error of the realm, to throw at a program. */
  error(type: "Error" | "TypeError" | "SyntaxError", message: string): Error;
  /** A constructor that prints as `name`; `methods` go on its prototype, hidden from `for..in`. */
  makeClass(name: string, methods: Record<string, AnyFunction>): new () => object;
  /** Hidden members on an existing object. */
  define(target: object, members: Record<string, unknown>): void;
  /** Runs source text; `name` stands in stack traces. Throws what the program throws. */
  evaluate(source: string, name: string): unknown;
  /** Calls a function of the realm; `limitMs` of real time end it with an ERR_SCRIPT_EXECUTION_TIMEOUT. */
  call(fn: () => unknown, limitMs: number | undefined): unknown;
  /** Compiles a module or function body with parameters. */
  compile(source: string, name: string, parameters: readonly string[]): AnyFunction;
}

const missingGlobals = [
  "Map WeakMap Set WeakSet Symbol Proxy Reflect BigInt BigInt64Array BigUint64Array Intl Iterator",
  "FinalizationRegistry WeakRef AggregateError EvalError RangeError URIError decodeURI encodeURI escape unescape",
  "SharedArrayBuffer Atomics WebAssembly console",
]
  .join(" ")
  .split(" ");

const missingMembers: readonly (readonly [string, string])[] = [
  [
    "Array.prototype",
    "flat flatMap lastIndexOf reduceRight keys entries values at copyWithin findLastIndex toSorted toSpliced toReversed with",
  ],
  ["Array", "from of fromAsync"],
  [
    "String.prototype",
    "trimStart trimEnd trimLeft trimRight at localeCompare codePointAt normalize matchAll",
  ],
  ["Math", "imul clz32 trunc log2 log10 log1p expm1 cbrt hypot fround sinh cosh tanh asinh acosh atanh"],
  ["Number", "isInteger isNaN isFinite isSafeInteger"],
  ["Object", "freeze isFrozen seal isSealed preventExtensions isExtensible is groupBy"],
];

/**
 * A promise whose reactions wait in the board's event queue, as on the interpreter, so that they run at board time
 * and a rejection can never reach the process. No `finally`, no `race`.
 */
const promiseSource = `(function (queue) {
  function settle(p, state, value) {
    if (p.state$) return;
    if (state === 1 && value && typeof value.then === "function") {
      value.then(function (v) { settle(p, 1, v); }, function (e) { settle(p, 2, e); });
      return;
    }
    p.state$ = state; p.value$ = value;
    var list = p.list$; p.list$ = [];
    list.forEach(function (f) { queue(f); });
  }
  function Promise(run) {
    ["state$", "value$", "list$"].forEach(function (k) {
      Object.defineProperty(this, k, { writable: true, value: k === "list$" ? [] : k === "state$" ? 0 : undefined });
    }, this);
    var p = this;
    try { run(function (v) { settle(p, 1, v); }, function (e) { settle(p, 2, e); }); } catch (e) { settle(p, 2, e); }
  }
  Promise.prototype.then = function (good, bad) {
    var p = this;
    return new Promise(function (resolve, reject) {
      function react() {
        var f = p.state$ === 1 ? good : bad;
        if (typeof f !== "function") { (p.state$ === 1 ? resolve : reject)(p.value$); return; }
        try { resolve(f(p.value$)); } catch (e) { reject(e); }
      }
      if (p.state$) queue(react); else p.list$.push(react);
    });
  };
  Promise.prototype.catch = function (bad) { return this.then(undefined, bad); };
  Promise.resolve = function (v) { return new Promise(function (resolve) { resolve(v); }); };
  Promise.reject = function (e) { return new Promise(function (resolve, reject) { reject(e); }); };
  Promise.all = function (list) {
    return new Promise(function (resolve, reject) {
      var left = list.length, out = [];
      if (!left) resolve(out);
      list.forEach(function (item, i) {
        Promise.resolve(item).then(function (v) { out[i] = v; if (!--left) resolve(out); }, reject);
      });
    });
  };
  return Promise;
})`;

/** Dates read the board's clock, milliseconds with a fraction. */
const dateSource = `(function (nowMs) {
  var D = Date;
  function Now(a, b, c, d, e, f, g) {
    if (!(this instanceof Now)) return new D(nowMs()).toString();
    var n = arguments.length;
    return n === 0 ? new D(nowMs()) : n === 1 ? new D(a) : new D(a, b, c || 1, d || 0, e || 0, f || 0, g || 0);
  }
  Now.prototype = D.prototype;
  D.prototype.constructor = Now;
  Object.defineProperty(Now, "name", { value: "Date" });
  Now.now = nowMs;
  Now.parse = D.parse;
  return Now;
})`;

/** What a realm needs from its board. */
export interface RealmHooks {
  /** Milliseconds since 1970 as the board believes. */
  readonly nowMs: () => number;
  /** Next number of the board's random source, 0 to 1. */
  readonly random: () => number;
  /** Puts a function at the end of the board's event queue. */
  readonly queue: (fn: () => void) => void;
}

/** A fresh context with Espruino's share of JavaScript and nothing of the board yet. */
export function createRealm(hooks: RealmHooks): Realm {
  // Without interception of the global object, variables of a program are some thirty times faster.
  const plain = (vm.constants as unknown as { DONT_CONTEXTIFY?: object }).DONT_CONTEXTIFY ?? {};
  const context = vm.createContext(plain as vm.Context);
  const run = (source: string) => vm.runInContext(source, context) as never;
  const global = run("globalThis") as Record<string, unknown>;
  const RealmObject = run("Object") as ObjectConstructor;
  // Taken before the names go: programs lose `Array.from`, the board still makes arrays with it.
  const arrayFrom = run(
    "(() => { const { from } = Array; return (items) => from.call(Array, items); })()",
  ) as (items: ArrayLike<unknown>) => unknown[];
  const bytesFrom = run("(items) => Uint8Array.from(items)") as (items: ArrayLike<number>) => Uint8Array;
  const errors = run("({ Error, TypeError, SyntaxError })") as Record<string, new (message: string) => Error>;

  for (const [path, names] of missingMembers) {
    const target = run(path) as Record<string, unknown>;
    for (const name of names.split(" ")) delete target[name];
  }
  for (const name of missingGlobals) delete global[name];

  const define = (target: object, members: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(members)) {
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
    }
  };
  define(global, {
    global,
    Promise: (run(promiseSource) as AnyFunction)(hooks.queue as never),
    Date: (run(dateSource) as AnyFunction)(hooks.nowMs as never),
  });
  define(run("Math") as object, { random: hooks.random });

  const slot = "$run$";
  const trampoline = new vm.Script(`${slot}()`);

  return {
    context,
    global,
    object: (members = {}) => Object.assign(new RealmObject() as Record<string, unknown>, members),
    array: (items) => arrayFrom(items),
    uint8Array: (items) => bytesFrom(items),
    arrayBuffer: (items) => bytesFrom(items).buffer as ArrayBuffer,
    error: (type, message) => new errors[type]!(message),
    makeClass(name, methods) {
      const made = run(`(function ${name}() {})`) as new () => object;
      define(made.prototype as object, methods);
      return made;
    },
    define,
    call(fn, limitMs) {
      if (limitMs === undefined) return fn();
      define(global, { [slot]: fn });
      try {
        return trampoline.runInContext(context, { timeout: limitMs });
      } finally {
        delete global[slot];
      }
    },
    evaluate: (source, name) => vm.runInContext(source, context, { filename: scriptPrefix + name }),
    compile: (source, name, parameters) =>
      vm.compileFunction(source, [...parameters], {
        filename: scriptPrefix + name,
        parsingContext: context,
      }) as AnyFunction,
  };
}
