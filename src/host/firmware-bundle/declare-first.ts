/**
 * Puts declarations at the beginning of their function. The standard lets `a = 1; var a;` mean a variable of the
 * function; on an Espruino, which hoists nothing, that assignment goes to a global. A second `var a;` changes nothing.
 */
import type { AnyNode, BlockStatement, Identifier } from "acorn";
import { children, isFunction, isReference } from "./syntax-tree.ts";

/** Changes a script in place: what a function uses before the `var` that declares it, its first line declares. */
export function declareFirst<T extends AnyNode>(node: T): T {
  if (isFunction(node) && node.body.type === "BlockStatement") declareIn(node.body);
  for (const child of children(node)) declareFirst(child);
  return node;
}

function declareIn(body: BlockStatement): void {
  const names = nothing();
  look(body, undefined, names);
  const { late } = names;
  if (late.size === 0) return;
  const { start } = body;
  body.body.unshift({
    type: "VariableDeclaration",
    kind: "var",
    declarations: [...late].map((name) => ({
      type: "VariableDeclarator",
      id: { type: "Identifier", name, start, end: start },
      init: null,
      start,
      end: start,
    })),
    start,
    end: start,
  });
}

interface Names {
  used: Set<string>;
  declared: Set<string>;
  late: Set<string>;
}

/** Goes through a function in the order of its text. */
function look(node: AnyNode, parent: AnyNode | undefined, names: Names): void {
  if (node.type === "Identifier") {
    if (isReference(node, parent)) names.used.add(node.name);
  } else if (node.type === "VariableDeclaration" && node.kind === "var") {
    for (const { id, init } of node.declarations) {
      if (init) look(init, node, names);
      const { name } = id as Identifier;
      if (names.used.has(name) && !names.declared.has(name)) names.late.add(name);
      names.declared.add(name);
    }
  } else {
    // The variables of a function in this one are its own, but it may use ours.
    const inner = isFunction(node) ? nothing() : names;
    for (const child of children(node)) look(child, node, inner);
    if (inner !== names) for (const name of inner.used) if (!inner.declared.has(name)) names.used.add(name);
  }
}

function nothing(): Names {
  return { used: new Set(), declared: new Set(), late: new Set() };
}
