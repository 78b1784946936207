/** Leaves out of the boot code what a protocol says to the host alone: names of a frame's arguments, and its traits. */
import type { AnyNode, Program } from "acorn";
import { children } from "./syntax-tree.ts";

const HOST_PARTS = new Set(["fields", "traits"]);

/** Changes a script in place. */
export function withoutHostParts(program: Program): Program {
  strip(program);
  return program;
}

function strip(node: AnyNode): void {
  if (node.type === "ObjectExpression") {
    node.properties = node.properties.filter(
      (property) =>
        property.type !== "Property" ||
        property.computed ||
        property.key.type !== "Identifier" ||
        !HOST_PARTS.has(property.key.name),
    );
  }
  for (const child of children(node)) strip(child);
}
