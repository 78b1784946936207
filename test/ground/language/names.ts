import type { AnyNode, CallExpression, MemberExpression, Program } from "acorn";
import { BOOT_GLOBALS, LANGUAGE_GLOBALS, MISSING_METHODS, STATICS } from "./library.ts";
import type { Report } from "./rules.ts";
import { type Reference, resolve } from "./scope.ts";
import { propertyName, visit } from "./walk.ts";

/** Members of Math whose last bits are each interpreter's own. */
const INEXACT = /^(sqrt|pow|exp|log|sin|cos|tan|asin|acos|atan|atan2)$/;

/**
 * Reports names that mean nothing on a board, or not what they mean elsewhere.
 * @param board the globals of a board for its boot code, undefined for a file that must do without any
 */
export function checkNames(program: Program, board: readonly string[] | undefined, report: Report): void {
  const references = resolve(program);
  const globals = new Set([...LANGUAGE_GLOBALS, ...(board ? [...BOOT_GLOBALS, ...board] : [])]);
  for (const reference of references) {
    if (reference.declaration) checkDeclared(reference, report);
    else checkGlobal(reference, globals, board !== undefined, report);
  }
  checkCallsBeforeDeclaration(references, program, report);
  visit(program, (node) => {
    if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
      checkCall(node, node.callee, report);
    }
    if (propertyName(node) === "name" && node.type === "MemberExpression" && isNewError(node.object)) {
      report(node, "error-name");
    }
  });
}

function checkDeclared({ node, parent, owner, declaration }: Reference, report: Report): void {
  if (!declaration) return;
  const isFunctionName = declaration.kind === "function" || declaration.kind === "class";
  if (propertyName(parent) === "name" && parent.type === "MemberExpression" && parent.object === node) {
    if (isFunctionName) report(parent, "function-name");
    if (declaration.kind === "caught") report(parent, "error-name");
  }
  const runsNow = owner === declaration.owner && parent.type !== "ExportSpecifier";
  if (declaration.kind === "function" && runsNow && node.start < declaration.node.start) {
    report(node, "hoisting", node.name);
  }
}

function checkGlobal(
  { node, parent, owner }: Reference,
  globals: ReadonlySet<string>,
  isBoot: boolean,
  report: Report,
): void {
  const { name } = node;
  if (name === "arguments") {
    if (owner.type === "ArrowFunctionExpression") report(node, "arrow-arguments");
    else if (owner.type === "Program") report(node, "global", name);
    return;
  }
  if (!globals.has(name)) {
    report(node, "global", name);
    return;
  }
  if (
    (parent.type === "AssignmentExpression" && parent.left === node) ||
    (parent.type === "UpdateExpression" && parent.argument === node)
  ) {
    report(parent, "global-assignment", name);
  }
  const member =
    parent.type === "MemberExpression" && parent.object === node ? propertyName(parent) : undefined;
  if (member === undefined) return;
  if (STATICS[name] && !STATICS[name].includes(member)) report(parent, "missing-static", `${name}.${member}`);
  if (!isBoot && name === "Math" && member === "random") report(parent, "handed-in", "Math.random");
  if (name === "Math" && INEXACT.test(member)) report(parent, "inexact", `Math.${member}`);
}

/** Reports a call that the module makes while it loads, when it gets to a function that is declared further below. */
function checkCallsBeforeDeclaration(references: Reference[], program: Program, report: Report): void {
  const calls = references.filter(
    ({ node, parent, declaration }) =>
      declaration?.kind === "function" &&
      (parent.type === "CallExpression" || parent.type === "NewExpression") &&
      parent.callee === node,
  );
  const reach = (from: AnyNode, reached: Set<AnyNode>): Set<AnyNode> => {
    for (const { owner, declaration } of calls) {
      if (owner !== from || !declaration || reached.has(declaration.node)) continue;
      reach(declaration.node, reached.add(declaration.node));
    }
    return reached;
  };
  for (const { node, owner, declaration } of calls) {
    if (owner !== program || !declaration || declaration.node.start > node.start) continue;
    for (const later of reach(declaration.node, new Set())) {
      if (later.type !== "FunctionDeclaration" || later.start < node.start) continue;
      report(node, "hoisting", `${node.name} gets to ${later.id?.name ?? "a function"}`);
    }
  }
}

function checkCall(call: CallExpression, callee: MemberExpression, report: Report): void {
  const method = propertyName(callee);
  const on = callee.object.type === "Identifier" ? callee.object.name : "";
  if (method === undefined || on in STATICS) {
    if (on === "JSON" && method === "stringify" && call.arguments[1] && !isNull(call.arguments[1])) {
      report(call, "json-replacer");
    }
    return;
  }
  if (MISSING_METHODS.has(method)) report(callee.property, "missing-method", method);
  if (method === "sort" && call.arguments.length === 0) report(callee.property, "sort-order");
  if (method === "split" && call.arguments.length > 1) report(callee.property, "split-limit");
  if ((method === "replace" || method === "replaceAll") && hasDollar(call.arguments[1])) {
    report(callee.property, "replace-pattern");
  }
}

function isNull(node: AnyNode): boolean {
  return node.type === "Literal" && node.value === null && !node.regex;
}

function hasDollar(node: AnyNode | undefined): boolean {
  return node?.type === "Literal" && typeof node.value === "string" && node.value.includes("$");
}

function isNewError(node: AnyNode): boolean {
  return node.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.name === "Error";
}
