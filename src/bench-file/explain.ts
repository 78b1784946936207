import { z } from "zod";
import { quote } from "../errors.ts";
import { pathText } from "./json-text.ts";
import { nearest, suggest } from "./nearest.ts";

/** One mistake in a file: where, as `pathText` writes it, and one sentence that names the place. */
export interface Mistake {
  path: string;
  message: string;
}

/**
 * The first mistake that a schema found. Unknown keys come first, since a misspelt key is often also a missing one.
 *
 * @param schema what the value was checked with
 * @param value what was checked
 */
export function explain(schema: z.ZodType, value: unknown, issues: readonly z.core.$ZodIssue[]): Mistake {
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue === undefined) throw new Error("no issue to explain");
  if (issue.code === "unrecognized_keys") return unknownKey(schema, issue.path, String(issue.keys[0]));

  const path = pathText(issue.path);
  const name = path === "" ? "the file" : path;
  const found = valueAt(value, issue.path);
  if (found === undefined) return { path, message: `${name} is missing: it must be ${expected(issue)}` };
  const near =
    issue.code === "invalid_value" && typeof found === "string"
      ? nearest(found, issue.values.map(String))
      : undefined;
  const hint = near === undefined ? "" : `: did you mean "${near}"?`;
  return { path, message: `${name} must be ${expected(issue)}, not ${quote(found)}${hint}` };
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_value") return issue.message;
  return issue.values.map((value) => quote(value)).join(" or ");
}

function unknownKey(schema: z.ZodType, path: readonly PropertyKey[], key: string): Mistake {
  const place = path.length === 0 ? "" : ` in ${pathText(path)}`;
  const message = `unknown key ${quote(key)}${place}: ${suggest(key, keysAt(schema, path), "keys")}`;
  return { path: pathText([...path, key]), message };
}

/** The keys that a schema knows at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let here = bare(schema);
  for (const key of path) {
    if (here instanceof z.ZodArray) here = bare(here.element as z.ZodType);
    else if (here instanceof z.ZodRecord) here = bare(here.valueType as z.ZodType);
    else if (here instanceof z.ZodObject) here = bare(here.shape[String(key)] as z.ZodType);
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
}

/** A schema without "optional" and "default" around it. */
function bare(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap() as z.ZodType;
  return inner;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) here = (here as Record<PropertyKey, unknown> | undefined)?.[key];
  return here;
}
