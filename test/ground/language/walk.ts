import type { AnyNode } from "acorn";

/** Whether a value in a syntax tree is a node of it. */
function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The nodes directly below a node, in source order. */
function children(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .sort((a, b) => a.start - b.start);
}

/**
 * Calls `enter` for every node of a tree, parents first, with the nodes above it, nearest last. A shorthand property
 * `{ a }` has one node in two places: it is visited once.
 */
export function visit(root: AnyNode, enter: (node: AnyNode, above: readonly AnyNode[]) => void): void {
  const above: AnyNode[] = [];
  const seen = new Set<AnyNode>();
  const go = (node: AnyNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    enter(node, above);
    above.push(node);
    for (const child of children(node)) go(child);
    above.pop();
  };
  go(root);
}

/** Whether a node is a function of any form. */
export function isFunction(node: AnyNode): boolean {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}

/** Whether a node is a loop that has its own variable, of which Espruino makes one for all its turns. */
export function isForLoop(node: AnyNode): boolean {
  return node.type === "ForStatement" || node.type === "ForInStatement" || node.type === "ForOfStatement";
}

/** The name of a property that an expression reads by a dot, undefined for anything else. */
export function propertyName(node: AnyNode): string | undefined {
  return node.type === "MemberExpression" && !node.computed && node.property.type === "Identifier"
    ? node.property.name
    : undefined;
}
