/**
 * Fits the firmware to a board, where there is one station and one `io`: what every function of the firmware gets as its
 * first parameters, `io` and `s`, become two globals there. On an Espruino a parameter takes a variable for as long as
 * its function exists, and an argument one more in each call. What is read most often, `s.settings` and its limits, becomes
 * two globals as well, which saves text: small boards have 16 kB for it.
 */
import { type AnyNode, type Expression, type Identifier, type Program, parse } from "acorn";
import { children, isReference } from "./syntax-tree.ts";

/** The parameter names of the firmware, and the globals of main.js that take their place. */
const GLOBALS: { readonly [parameter: string]: string } = {
  io: "board",
  _io: "board",
  s: "me",
  _s: "me",
};
/** Globals that createStation sets where it puts the settings into the station. */
const SETTINGS = "ownSettings";
const LIMITS = "ownLimits";
const STANDING = new Set([...Object.keys(GLOBALS), ...Object.values(GLOBALS)]);

/**
 * Changes a script in place.
 * @param program the bundled firmware, names as in its sources
 * @throws Error where such a value is handed over in another place than first: it would be lost without a word
 */
export function forOneStation(program: Program): Program {
  change(program, undefined);
  program.body.unshift(...scriptOf(`var ${SETTINGS}, ${LIMITS};`).body);
  return program;
}

function scriptOf(text: string): Program {
  return parse(text, { ecmaVersion: 2020 });
}

/** @returns the global that stands for a field of the station; undefined where none does */
function shortcut(node: AnyNode): string | undefined {
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier")
    return undefined;
  const field = node.property.name;
  if (field === "settings" && stands(node.object)) return SETTINGS;
  return field === "limits" && shortcut(node.object) === SETTINGS ? LIMITS : undefined;
}

/** Does a field of an object get the settings that createStation was given? */
function takesSettings(node: AnyNode): node is AnyNode & { type: "Property"; value: Expression } {
  if (node.type !== "Property" || node.key.type !== "Identifier" || node.key.name !== "settings")
    return false;
  return node.value.type === "Identifier" && node.value.name === "settings";
}

function change(node: AnyNode, parent: AnyNode | undefined): void {
  const name = shortcut(node);
  if (name !== undefined) {
    Object.assign(node, { type: "Identifier", name });
    return;
  }
  if (takesSettings(node)) {
    const [set] = scriptOf(`(${LIMITS} = settings.limits, ${SETTINGS} = settings)`).body;
    if (set?.type === "ExpressionStatement") node.value = set.expression;
    node.shorthand = false;
    return;
  }
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
