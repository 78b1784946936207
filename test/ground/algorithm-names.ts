/** Finds the places in which a program file knows an algorithm by its name. */
import { type AnyNode, parse } from "acorn";
import { transformSync } from "esbuild";

/** The tables, and the files that are an algorithm's own. */
const OWN =
  /^(?:firmware\/protocols\.js|firmware\/(?:mutex|election|clocks|deadlock)\/.*|firmware\/ring\/token-ring\.js|src\/textbook\/algorithms(?:\.ts|\/.*))$/;

/** Names that are words of the ring as well: as a label or a path they say nothing of an algorithm. */
const WORDS = new Set(["ring"]);
const ELECTION = /^(?:election|algorithm)$/;

export interface Known {
  /** Names of mutual exclusions and elections. */
  names: readonly string[];
  /** Parts of a station's state that belong to one of them. */
  parts: readonly string[];
}

/** @returns what in a file names an algorithm; comments, and words inside a longer text, do not count */
export function algorithmNames(path: string, source: string, { names, parts }: Known): string[] {
  if (OWN.test(path) || path.endsWith(".d.ts")) return [];
  const loader = path.endsWith(".tsx") ? "tsx" : path.endsWith(".ts") ? "ts" : "js";
  const { code } = transformSync(source, { loader, format: "esm", target: "es2023" });
  const found = new Set<string>();
  visit(parse(code, { ecmaVersion: 2023, sourceType: "module" }), undefined, (node, parent) => {
    if (node.type === "Literal" && typeof node.value === "string") {
      if (/(?:^|\/)firmware\/(?:mutex|election)\/(?!election\.js$)/.test(node.value)) found.add(node.value);
      const list = node.value.split(",");
      if (list.every((name) => names.includes(name)) && !(WORDS.has(node.value) && !asName(node, parent))) {
        found.add(`"${node.value}"`);
      }
    }
    const key = keyOf(node);
    if (key !== undefined && (parts.includes(key) || names.includes(key)) && !WORDS.has(key)) found.add(key);
  });
  return [...found];
}

/** Is it compared with an election, or the value of a key that takes one? */
function asName(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (parent?.type === "BinaryExpression") {
    const other = parent.left === node ? parent.right : parent.left;
    return ELECTION.test(other.type === "Identifier" ? other.name : (keyOf(other) ?? ""));
  }
  return parent?.type === "Property" && parent.value === node && ELECTION.test(keyOf(parent) ?? "");
}

/** @returns the name of a field that is read, or of a key of an object */
function keyOf(node: AnyNode): string | undefined {
  const key =
    node.type === "MemberExpression" ? node.property : node.type === "Property" ? node.key : undefined;
  if (key?.type === "Identifier") return key.name;
  return key?.type === "Literal" ? String(key.value) : undefined;
}

function visit(
  node: AnyNode,
  parent: AnyNode | undefined,
  see: (node: AnyNode, parent: AnyNode | undefined) => void,
): void {
  see(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && "type" in child) visit(child, node, see);
    }
  }
}
