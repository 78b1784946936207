import type { AnyNode, Program } from "acorn";
import { missingInRegex } from "./regex.ts";
import type { Report } from "./rules.ts";
import { isForLoop, isFunction, propertyName, visit } from "./walk.ts";

const NOT_ASCII = /[^\x00-\x7f]/;

/** Reports the syntax that Espruino's parser refuses, or takes for something else. */
export function checkSyntax(program: Program, source: string, report: Report): void {
  visit(program, (node, above) => {
    switch (node.type) {
      case "ObjectPattern":
      case "ArrayPattern":
        report(node, "destructuring");
        break;
      case "AssignmentPattern":
        if (isFunction(above.at(-1) ?? node)) report(node, "default-parameter");
        break;
      case "RestElement":
        if (isFunction(above.at(-1) ?? node)) report(node, "rest-parameter");
        break;
      case "SpreadElement":
        report(node, "spread");
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        if (node.async || node.generator) report(node, "async");
        if (isInLoop(above)) report(node, "loop-closure");
        break;
      case "AwaitExpression":
      case "YieldExpression":
        report(node, "async");
        break;
      case "ChainExpression":
        report(node, "optional-chaining");
        break;
      case "BinaryExpression":
        if (node.operator === "**") report(node, "power");
        break;
      case "AssignmentExpression":
        if (node.operator === "**=") report(node, "power");
        if (["??=", "||=", "&&="].includes(node.operator)) report(node, "logical-assignment");
        if (propertyName(node.left) === "length") report(node, "array-length");
        break;
      case "UpdateExpression":
        if (propertyName(node.argument) === "length") report(node, "array-length");
        break;
      case "TaggedTemplateExpression":
        report(node, "tagged-template");
        break;
      case "LabeledStatement":
        report(node, "label");
        break;
      case "SwitchStatement": {
        const after = node.cases[node.cases.findIndex((one) => !one.test) + 1];
        if (after && node.cases.some((one) => !one.test)) report(after, "case-after-default");
        break;
      }
      case "Property":
        if (node.computed) report(node, "computed-key");
        break;
      case "MethodDefinition":
        if (node.computed) report(node, "computed-key");
        break;
      case "PropertyDefinition":
        if (node.computed) report(node, "computed-key");
        if (node.value?.type === "ArrowFunctionExpression") report(node, "field-arrow");
        break;
      case "PrivateIdentifier":
        report(node, "private", `#${node.name}`);
        break;
      case "StaticBlock":
        report(node, "static-block");
        break;
      case "ClassDeclaration":
      case "ClassExpression":
        if (node.superClass?.type === "Identifier" && node.superClass.name.endsWith("Error")) {
          report(node, "extends-error");
        }
        break;
      case "MetaProperty":
      case "ImportExpression":
        report(node, "meta");
        break;
      case "Literal":
        if (typeof node.value === "string" && NOT_ASCII.test(node.value)) report(node, "ascii");
        if (typeof node.bigint === "string") report(node, "bigint");
        if (node.regex) {
          const missing = missingInRegex(node.regex.pattern, node.regex.flags);
          if (missing) report(node, "regex", missing);
        }
        break;
      case "TemplateElement":
        if (NOT_ASCII.test(node.value.raw)) report(node, "ascii");
        break;
      case "ReturnStatement":
        if (!node.argument && source[node.end - 1] !== ";") report(node, "bare-return");
        break;
      case "Identifier":
        if (node.name === "of" && propertyName(above.at(-1) ?? node) !== "of") report(node, "reserved-word");
        break;
      case "UnaryExpression":
        if (
          node.operator === "delete" &&
          sameFunction(above).some((outer) => outer.type === "ForInStatement")
        ) {
          report(node, "delete-in-for-in");
        }
        break;
    }
  });
}

/** The nodes above one, up to the function it stands in. */
function sameFunction(above: readonly AnyNode[]): readonly AnyNode[] {
  return above.slice(above.findLastIndex(isFunction) + 1);
}

function isInLoop(above: readonly AnyNode[]): boolean {
  return sameFunction(above).some(isForLoop);
}
