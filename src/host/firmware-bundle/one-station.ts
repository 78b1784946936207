/**
 * Fits the firmware to a board, where there is one station and one `io`: what every function of the firmware gets as its
 * first parameters, `io` and `s`, become two globals there. On an Espruino a parameter takes a variable for as long as
 * its function exists, and an argument one more in each call.
 */
import type { AnyNode, Identifier, Program } from "acorn";
import { children, isReference } from "./syntax-tree.ts";

/** The parameter names of the firmware, and the globals of main.js that take their place. */
const GLOBALS: { readonly [parameter: string]: string } = {
  io: "board",
  _io: "board",
  s: "me",
  _s: "me",
};
const STANDING = new Set([...Object.keys(GLOBALS), ...Object.values(GLOBALS)]);

/**
 * Changes a script in place.
 * @param program the bundled firmware, names as in its sources
 * @throws Error where such a value is handed over in another place than first: it would be lost without a word
 */
export function forOneStation(program: Program): Program {
  change(program, undefined);
  return program;
}

function change(node: AnyNode, parent: AnyNode | undefined): void {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      node.params = withoutLeading(node.params, node);
      break;
    case "CallExpression":
      node.arguments = withoutLeading(node.arguments, node);
      break;
    case "BlockStatement":
      // `const s = ...` makes the station: on a board, the one that there is.
      node.body = node.body.map((statement) => {
        const [only, ...more] = statement.type === "VariableDeclaration" ? statement.declarations : [];
        if (!only?.init || more.length > 0 || !stands(only.id)) return statement;
        const { start, end } = statement;
        const expression = {
          type: "AssignmentExpression" as const,
          operator: "=" as const,
          left: only.id as Identifier,
          right: only.init,
          start,
          end,
        };
        return { type: "ExpressionStatement" as const, expression, start, end };
      });
      break;
    case "Identifier":
      if (isReference(node, parent)) node.name = GLOBALS[node.name] ?? node.name;
      return;
  }
  for (const child of children(node)) change(child, node);
}

function withoutLeading<T extends AnyNode>(list: T[], owner: AnyNode): T[] {
  const first = list.findIndex((item) => !stands(item));
  const rest = first < 0 ? [] : list.slice(first);
  const lost = rest.find(stands);
  if (lost) {
    throw new Error(
      `firmware: ${(lost as Identifier).name} must come first in the ${owner.type} at ${owner.start}`,
    );
  }
  return rest;
}

function stands(node: AnyNode): boolean {
  return node.type === "Identifier" && STANDING.has(node.name);
}
