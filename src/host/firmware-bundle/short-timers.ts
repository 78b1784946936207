/**
 * Gives the timers names of one or two letters: on a board each is a key of two objects, and a name of more than four
 * characters takes a variable more in each.
 */
import type { AnyNode, Expression, Literal, Program } from "acorn";
import { timers } from "../../../firmware/registry.js";
import { children } from "./syntax-tree.ts";

/** @param program the firmware for one station: the name is the first argument of `arm` and `disarm`. Changed in place. */
export function shortenTimers(program: Program): Program {
  const names = [...Object.keys(timers), "critical"].sort();
  change(program, new Map(names.map((name, i) => [name, i.toString(36)])));
  return program;
}

function change(node: AnyNode, short: ReadonlyMap<string, string>): void {
  if (node.type === "Property" && named(node.key) === "timers" && node.value.type === "ObjectExpression") {
    for (const entry of node.value.properties) {
      if (entry.type !== "Property") continue;
      entry.key = {
        type: "Literal",
        value: short.get(named(entry.key)) ?? named(entry.key),
        start: 0,
        end: 0,
      };
    }
  } else if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
    const called = named(node.callee.property);
    if (called === "arm" || called === "disarm") rename(node.arguments[0], short);
  } else if (node.type === "BinaryExpression") {
    // handleTimer, where it asks for the one that no protocol has.
    rename(node.right as Expression, short);
  }
  for (const child of children(node)) change(child, short);
}

function named(node: AnyNode): string {
  if (node.type === "Identifier") return node.name;
  return node.type === "Literal" ? String(node.value) : "";
}

function rename(node: AnyNode | undefined, short: ReadonlyMap<string, string>): void {
  if (node?.type !== "Literal") return;
  const name = short.get(String(node.value));
  if (name === undefined) return;
  (node as Literal).value = name;
  delete (node as Literal).raw;
}
