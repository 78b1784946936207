import { posix } from "node:path";

export interface Import {
  /** From 1. */
  line: number;
  /** What stands between the quotes. */
  specifier: string;
}

const FROM = /\b(?:import|export)\b[^'"`;]*?\bfrom\s*(["'])([^"'\n]+)\1/g;
const BARE = /\bimport\s*\(?\s*(["'])([^"'\n]+)\1/g;

/** Finds what a module imports, by `import`, `export from` or `import()`, also for types and in type comments. */
export function importsOf(source: string): Import[] {
  return [...source.matchAll(FROM), ...source.matchAll(BARE)]
    .map((match) => ({ at: match.index + match[0].length, specifier: match[2] ?? "" }))
    .sort((a, b) => a.at - b.at)
    .map(({ at, specifier }) => ({ line: source.slice(0, at).split("\n").length, specifier }));
}

/** The layers from the top; those of one row stand side by side. */
const ROWS = [
  ["cli"],
  ["lab", "page", "panel"],
  ["host"],
  ["textbook"],
  ["simulation"],
  ["link", "emulator", "log", "check"],
  ["bench-file"],
  ["protocols"],
  ["firmware"],
];

/** The record types, which a layer beside the log may import. */
const RECORD_TYPES = ["src/log/records.ts", "src/log/columns.ts", "src/log/consumer.ts"];

/** What a file belongs to: a layer, `shared` for the files right in src/, undefined for anything else. */
function layerOf(path: string): string | undefined {
  const [top = "", folder = "", ...rest] = path.split("/");
  if (top === "firmware") return "firmware";
  if (top !== "src") return undefined;
  return rest.length === 0 ? "shared" : folder;
}

/**
 * Says what is wrong with one file's import of another.
 * @param from path of the importing file from the top of the project
 * @param specifier what it imports
 * @returns the reason, or undefined if it may
 */
export function wrongArrow(from: string, specifier: string): string | undefined {
  const layer = layerOf(from);
  if (!specifier.startsWith(".")) {
    return layer === "firmware" ? "firmware imports nothing from outside firmware/" : undefined;
  }
  const to = posix.join(posix.dirname(from), specifier);
  const target = layerOf(to);
  if (target === undefined) return `${to} is not a part of the program`;
  if (layer === target) return undefined;
  if (layer === "firmware") return "firmware imports nothing from outside firmware/";
  if (from === "src/index.ts" || target === "shared") return undefined;
  if (layer === "shared") return `src/${from.split("/")[1]} serves every layer, so it imports none`;
  const row = ROWS.findIndex((names) => names.includes(layer ?? ""));
  const targetRow = ROWS.findIndex((names) => names.includes(target));
  if (row < 0) return `src/${layer}/ is no layer`;
  if (targetRow < 0) return `src/${target}/ is no layer`;
  if (row < targetRow || (row === targetRow && RECORD_TYPES.includes(to))) return undefined;
  return `${layer} does not import ${target}`;
}
