/**
 * Writes the object of each protocol, and the functions that only it mentions, into the place where the boot code hands
 * it over: no global keeps it, and one that is handed over in a function takes no variables until it is called.
 */
import type { AnyNode, Expression, FunctionDeclaration, Program } from "acorn";
import { children, expressionOf, isReference } from "./syntax-tree.ts";

/** Changes a script in place, whose last statement is the call that hands the protocols over. */
export function placeProtocols(program: Program): Program {
  const entry = program.body.at(-1);
  if (!entry) return program;
  for (let placed = true; placed; ) {
    placed = false;
    const mentions = count(program);
    const here = count(entry);
    for (const statement of [...program.body]) {
      const found = named(statement);
      if (!found || mentions.get(found.name) !== 1 || here.get(found.name) !== 1) continue;
      if (!replace(entry, undefined, found)) continue;
      program.body.splice(program.body.indexOf(statement), 1);
      placed = true;
    }
  }
  return program;
}

interface Named {
  name: string;
  value: () => Expression;
}

/** An object or a function of the top level. */
function named(statement: AnyNode): Named | undefined {
  if (statement.type === "FunctionDeclaration")
    return {
      name: (statement as FunctionDeclaration).id.name,
      value: () => expressionOf(statement as FunctionDeclaration),
    };
  const [only, ...more] = statement.type === "VariableDeclaration" ? statement.declarations : [];
  if (more.length > 0 || only?.id.type !== "Identifier" || only.init?.type !== "ObjectExpression") return;
  const { init } = only;
  return { name: only.id.name, value: () => init };
}

/** How often each name is used. */
function count(root: AnyNode): Map<string, number> {
  const mentions = new Map<string, number>();
  const look = (node: AnyNode, parent: AnyNode | undefined): void => {
    if (node.type === "Identifier" && isReference(node, parent) && !declares(parent, node))
      mentions.set(node.name, (mentions.get(node.name) ?? 0) + 1);
    for (const child of children(node)) look(child, node);
  };
  look(root, undefined);
  return mentions;
}

function declares(parent: AnyNode | undefined, node: AnyNode): boolean {
  return (
    (parent?.type === "FunctionDeclaration" || parent?.type === "VariableDeclarator") && parent.id === node
  );
}

/** Puts the value in the place of the one mention of its name, where that is no call. */
function replace(node: AnyNode, parent: AnyNode | undefined, found: Named): boolean {
  if (node.type === "Identifier" && node.name === found.name && isReference(node, parent)) {
    if (!parent || (parent.type === "CallExpression" && parent.callee === node)) return false;
    const placed = found.value();
    for (const [key, value] of Object.entries(parent)) {
      const fields = parent as unknown as { [key: string]: unknown };
      if (value === node) fields[key] = placed;
      else if (Array.isArray(value)) fields[key] = value.map((item) => (item === node ? placed : item));
    }
    if (parent.type === "Property") parent.shorthand = false;
    return true;
  }
  return children(node).some((child) => replace(child, node, found));
}
