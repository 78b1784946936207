/**
 * Writes short functions out where they are called. On an Espruino a function takes four variables for as long as it
 * exists, however short it is, while text in flash takes none. What is called once, the minifier writes out by itself.
 */
import type { AnyNode, CallExpression, FunctionDeclaration, Program } from "acorn";
import { children, expressionOf, isReference } from "./syntax-tree.ts";

/** Text that may be added in all, in characters of the sources: small boards have 16 kB for code and settings. */
const MOST_TEXT = 2400;

interface Candidate {
  declaration: FunctionDeclaration;
  calls: CallExpression[];
  /** It is mentioned in a table, handed over, or called in a loop, where a copy would be made in each turn. */
  stays: boolean;
  /** Functions of the top level that it calls. */
  callees: Set<string>;
}

/**
 * Changes a script in place: a call of a function becomes a call of a copy of it, `(function (a) { ... })(b)`, which
 * the minifier melts into its surroundings.
 * @param program functions of the top level, each declared before anything that runs at once calls it
 */
export function inlineShortFunctions(program: Program): Program {
  let left = MOST_TEXT;
  for (;;) {
    // Copies hold the calls of the original, so everything is counted anew.
    const functions = survey(program);
    const [next] = [...functions]
      .filter(([name, { calls, stays }]) => !stays && calls.length > 1 && !callsItself(functions, name))
      .map(([, candidate]) => candidate)
      .sort((a, b) => added(a) - added(b));
    if (!next || added(next) > left) return program;
    left -= added(next);
    for (const call of next.calls) call.callee = expressionOf(next.declaration);
    program.body = program.body.filter((statement) => statement !== next.declaration);
  }
}

/** Characters of text that writing a function out adds. */
function added({ declaration, calls }: Candidate): number {
  return (calls.length - 1) * (declaration.end - declaration.start);
}

function survey(program: Program): Map<string, Candidate> {
  const functions = new Map<string, Candidate>();
  for (const statement of program.body) {
    if (statement.type === "FunctionDeclaration")
      functions.set(statement.id.name, {
        declaration: statement,
        calls: [],
        stays: false,
        callees: new Set(),
      });
  }
  for (const statement of program.body) {
    const inside = statement.type === "FunctionDeclaration" ? functions.get(statement.id.name) : undefined;
    look(statement, undefined, false, { functions, inside });
  }
  return functions;
}

function look(
  node: AnyNode,
  parent: AnyNode | undefined,
  inLoop: boolean,
  survey: { functions: Map<string, Candidate>; inside: Candidate | undefined },
): void {
  if (node.type === "Identifier") {
    const found = survey.functions.get(node.name);
    if (!found || node === found.declaration.id || !isReference(node, parent)) return;
    survey.inside?.callees.add(node.name);
    if (parent?.type !== "CallExpression" || parent.callee !== node || inLoop) found.stays = true;
    else found.calls.push(parent);
    return;
  }
  const loop = inLoop || /^(For|While|DoWhile)/.test(node.type);
  for (const child of children(node)) look(child, node, loop, survey);
}

function callsItself(functions: Map<string, Candidate>, name: string): boolean {
  const seen = new Set<string>();
  const open = [name];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const callee of functions.get(at)?.callees ?? []) {
      if (callee === name) return true;
      if (!seen.has(callee)) {
        seen.add(callee);
        open.push(callee);
      }
    }
  }
  return false;
}
