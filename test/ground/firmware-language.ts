import { parse } from "acorn";
import { checkNames } from "./language/names.ts";
import { type Report, RULES, type Rule } from "./language/rules.ts";
import { checkSyntax } from "./language/syntax.ts";

export interface Refusal {
  /** From 1. */
  line: number;
  rule: Rule;
  message: string;
}

/**
 * Checks that a firmware file is written in the part of JavaScript that Espruino runs as the standard says. The import
 * and export statements of a module are allowed: the flasher bundles them away.
 * @param source the file's text
 * @param board the globals of a board, for its boot code; undefined for a file that must do without any
 * @returns what is refused, by line
 */
export function checkFirmware(source: string, board?: readonly string[]): Refusal[] {
  const refusals: Refusal[] = [];
  const report: Report = (node, rule, detail) => {
    const line = node.loc?.start.line ?? 1;
    refusals.push({ line, rule, message: detail ? `${detail}: ${RULES[rule]}` : RULES[rule] });
  };
  try {
    const program = parse(source, { ecmaVersion: "latest", sourceType: "module", locations: true });
    checkSyntax(program, source, report);
    checkNames(program, board, report);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { loc } = error as SyntaxError & { loc?: { line: number } };
    refusals.push({ line: loc?.line ?? 1, rule: "syntax", message: `${error.message}: ${RULES.syntax}` });
  }
  return refusals.sort((a, b) => a.line - b.line);
}

/** The globals that a type declaration file declares: one list for the compiler and for this checker. */
export function declaredGlobals(types: string): string[] {
  return [...types.matchAll(/^declare (?:var|function) (\w+)/gm)].map((match) => match[1] ?? "");
}
