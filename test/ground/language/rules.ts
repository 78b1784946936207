import type { AnyNode } from "acorn";

/**
 * What standard JavaScript does and Espruino 2v29 does not, by the name of the rule that refuses it: seen on its Linux
 * build and in the sources of its parser, its regular expressions and its built-in classes.
 */
export const RULES = {
  syntax: "not an ES module",
  destructuring: "no destructuring: name each value",
  "default-parameter": "no default parameters: test for undefined inside",
  "rest-parameter": "no rest parameters",
  spread: "no spread: use concat, apply or Object.assign",
  async: "no async, await or generators",
  "optional-chaining": "no optional chaining: use &&",
  power: "no ** operator: multiply",
  "logical-assignment": "no ??=, ||= or &&=",
  "tagged-template": "no tagged templates",
  label: "no labels",
  "case-after-default": "a case after default is a syntax error",
  "computed-key": "no computed keys in literals and classes: assign o[k] afterwards",
  private: "no private members",
  "static-block": "no static blocks",
  "field-arrow": "an arrow function in a class field loses its this",
  "extends-error": "a class that extends an error cannot call super",
  bigint: "no BigInt",
  meta: "no import(), import.meta or new.target",
  ascii: "strings of a protocol are ASCII: other characters do not survive the console",
  "bare-return": "a return without ; takes the next line as its value",
  "reserved-word": "of is a reserved word",
  regex: "this part of regular expressions is missing or wrong",
  "array-length": "assigning length throws: use splice or a new array",
  "delete-in-for-in": "deleting a key inside for..in skips the next one",
  "loop-closure": "a loop has one variable for all its turns, shared by the functions made in it",
  hoisting: "a function does not exist above its declaration",
  "arrow-arguments": "an arrow function has its own arguments",
  "function-name": "functions have no name property",
  "error-name": "errors have no name property",
  "sort-order": "sort is not stable: give it a comparator that tells any two elements apart",
  "split-limit": "split ignores its limit",
  "replace-pattern": "replace takes $ in the replacement as it stands: use a function",
  "json-replacer": "JSON.stringify ignores its replacer",
  "missing-method": "no such method",
  "missing-static": "no such built-in function",
  global: "not a global here",
  "global-assignment": "a built-in global cannot be assigned",
  inexact:
    "roots, powers and logarithms differ in their last bits from one interpreter to the next: count instead",
  "handed-in": "time and chance are handed in, so that a run can be repeated",
} as const;

export type Rule = keyof typeof RULES;

/** Takes down that a node breaks a rule; `detail` says what exactly, where the rule alone does not. */
export type Report = (node: AnyNode, rule: Rule, detail?: string) => void;
