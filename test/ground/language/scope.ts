import type { AnyNode, Identifier, Pattern, Program } from "acorn";
import { isForLoop, isFunction, visit } from "./walk.ts";

export interface Declaration {
  kind: "import" | "function" | "class" | "variable" | "parameter" | "caught";
  /** The node that declares it: the whole function or class, else the identifier. */
  node: AnyNode;
  /** The function it is declared in, or the program. */
  owner: AnyNode;
}

export interface Reference {
  node: Identifier;
  parent: AnyNode;
  above: readonly AnyNode[];
  /** The function the reference stands in, or the program. */
  owner: AnyNode;
  /** Undefined for a global. */
  declaration: Declaration | undefined;
}

/** Finds what every name of a module refers to. */
export function resolve(program: Program): Reference[] {
  const scopes = new Map<AnyNode, Map<string, Declaration>>();
  const bindings = new Set<AnyNode>();

  const declare = (scope: AnyNode, id: Identifier, declaration: Declaration): void => {
    const names = scopes.get(scope) ?? new Map<string, Declaration>();
    scopes.set(scope, names.set(id.name, declaration));
    bindings.add(id);
  };
  const declareAll = (scope: AnyNode, kind: Declaration["kind"], pattern: Pattern, owner: AnyNode): void => {
    for (const id of identifiers(pattern)) declare(scope, id, { kind, node: id, owner });
  };

  visit(program, (node, above) => {
    const owner = ownerOf(above, program);
    const block = above.findLast(isScope) ?? program;
    switch (node.type) {
      case "VariableDeclaration":
        for (const { id } of node.declarations) {
          declareAll(node.kind === "var" ? owner : block, "variable", id, owner);
        }
        break;
      case "FunctionDeclaration":
        if (node.id) declare(block, node.id, { kind: "function", node, owner });
        for (const param of node.params) declareAll(node, "parameter", param, node);
        break;
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        if (node.id) declare(node, node.id, { kind: "function", node, owner: node });
        for (const param of node.params) declareAll(node, "parameter", param, node);
        break;
      case "ClassDeclaration":
        if (node.id) declare(block, node.id, { kind: "class", node, owner });
        break;
      case "ClassExpression":
        if (node.id) declare(node, node.id, { kind: "class", node, owner });
        break;
      case "CatchClause":
        if (node.param) declareAll(node, "caught", node.param, owner);
        break;
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        declare(program, node.local, { kind: "import", node, owner: program });
        break;
    }
  });

  const references: Reference[] = [];
  visit(program, (node, above) => {
    const parent = above.at(-1);
    if (node.type !== "Identifier" || !parent || bindings.has(node) || !isReference(node, parent, above))
      return;
    const scope = above.findLast((outer) => scopes.get(outer)?.has(node.name));
    const declaration = scope && scopes.get(scope)?.get(node.name);
    references.push({ node, parent, above: [...above], owner: ownerOf(above, program), declaration });
  });
  return references;
}

function ownerOf(above: readonly AnyNode[], program: Program): AnyNode {
  return above.findLast(isFunction) ?? program;
}

function isScope(node: AnyNode): boolean {
  return (
    isFunction(node) ||
    isForLoop(node) ||
    ["Program", "BlockStatement", "SwitchStatement", "CatchClause", "StaticBlock"].includes(node.type)
  );
}

/** The names that a pattern binds. */
function identifiers(pattern: Pattern): Identifier[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((p) => identifiers(p.type === "RestElement" ? p.argument : p.value));
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? identifiers(element) : []));
    case "RestElement":
      return identifiers(pattern.argument);
    case "AssignmentPattern":
      return identifiers(pattern.left);
    default:
      return [];
  }
}

/** Whether an identifier reads or writes a variable, and is not the name of a property, label, import or export. */
function isReference(node: Identifier, parent: AnyNode, above: readonly AnyNode[]): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return parent.computed || parent.property !== node;
    case "Property":
      return parent.computed || parent.value === node || parent.key !== node;
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.computed || parent.key !== node;
    case "ExportSpecifier": {
      const list = above.at(-2);
      return parent.local === node && !(list?.type === "ExportNamedDeclaration" && list.source);
    }
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "ImportSpecifier":
    case "ImportAttribute":
    case "ExportAllDeclaration":
    case "MetaProperty":
      return false;
    default:
      return true;
  }
}
