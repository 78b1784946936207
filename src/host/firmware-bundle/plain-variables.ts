/**
 * Declares with `var` what a function declares with `const` or `let`, where that means the same: three characters instead
 * of five, and neighbours melt into one. Small boards have 16 kB for code and settings.
 */
import type { AnyNode, Identifier, Program, VariableDeclaration } from "acorn";
import { children, isFunction } from "./syntax-tree.ts";

/** Changes a script in place. */
export function plainVariables(program: Program): Program {
  for (const statement of program.body) inFunctions(statement, namesIn(program));
  return program;
}

/** @param outside names that are something else outside the function */
function inFunctions(node: AnyNode, outside: ReadonlyMap<string, number>): void {
  if (!isFunction(node)) {
    for (const child of children(node)) inFunctions(child, outside);
    return;
  }
  const names = namesIn(node);
  for (const declaration of declarationsIn(node)) {
    const plain = declaration.declarations.every(({ id, init }) => {
      const name = (id as Identifier).name;
      // Without a value a `let` in a loop begins anew each time; a name that is there twice may be two variables.
      return init && names.get(name) === 1 && !outside.has(name);
    });
    if (plain) declaration.kind = "var";
  }
  const around = new Map([...outside, ...names]);
  for (const child of children(node)) inFunctions(child, around);
}

/** How often each name is declared by a function or a script, its parameters and the functions in it apart. */
function namesIn(node: AnyNode): Map<string, number> {
  const names = new Map<string, number>();
  const count = (id: AnyNode | null) => {
    if (id?.type === "Identifier") names.set(id.name, (names.get(id.name) ?? 0) + 1);
  };
  if (isFunction(node)) node.params.forEach(count);
  const look = (at: AnyNode) => {
    if (at.type === "VariableDeclarator") count(at.id);
    if (at.type === "CatchClause") count(at.param ?? null);
    if (at !== node && isFunction(at)) {
      if (at.type === "FunctionDeclaration") count(at.id);
      return;
    }
    for (const child of children(at)) look(child);
  };
  look(node);
  return names;
}

/** The declarations of a function, not those of functions in it. */
function declarationsIn(node: AnyNode): VariableDeclaration[] {
  return children(node).flatMap((child) =>
    isFunction(child)
      ? []
      : [...(child.type === "VariableDeclaration" ? [child] : []), ...declarationsIn(child)],
  );
}
