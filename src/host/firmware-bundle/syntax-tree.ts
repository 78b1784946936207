/** Walking a syntax tree as acorn makes it. */
import type {
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
} from "acorn";

/** The nodes right below a node, in the order of the text. */
export function children(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flatMap((value) => value as unknown)
    .filter(isNode);
}

export function isFunction(
  node: AnyNode,
): node is FunctionDeclaration | FunctionExpression | ArrowFunctionExpression {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}

/** A copy of a function, without its name, to stand where a value stands. */
export function expressionOf(declaration: FunctionDeclaration): FunctionExpression {
  const copy = structuredClone(declaration) as unknown as FunctionExpression;
  copy.type = "FunctionExpression";
  copy.id = null;
  return copy;
}

/** Whether an identifier stands for a variable, and is not the name of a field. */
export function isReference(node: Identifier, parent: AnyNode | undefined): boolean {
  if (parent?.type === "MemberExpression") return parent.computed || parent.object === node;
  if (parent?.type === "Property") return parent.computed || parent.value === node;
  return true;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
