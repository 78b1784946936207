import { z } from "zod";

// In these schemas an error text is not a sentence but the words for what is expected ("a whole number from 0 to 250");
// explain.ts makes the sentence.

/** A whole number within bounds. */
export function whole(least: number, most: number, expected = `a whole number from ${least} to ${most}`) {
  return z.int({ error: expected }).min(least, { error: expected }).max(most, { error: expected });
}

// Without the u flag, which a pattern in a JSON Schema cannot ask for.
const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** One line of text, printed as it is: not empty, no control characters. */
export function line(most: number) {
  const expected = `one line of 1 to ${most} characters`;
  return z
    .string({ error: expected })
    .min(1, { error: expected })
    .max(most, { error: expected })
    .regex(NO_CONTROLS, { error: expected });
}

/** Text of a given form. */
export function form(pattern: RegExp, expected: string) {
  return z.string({ error: expected }).regex(pattern, { error: expected });
}

/**
 * A name of a list that may have become longer since the schema was made.
 * @param names asked at each use
 */
export function oneOf(names: () => readonly string[]) {
  return z.string().superRefine((value, context) => {
    const values = [...names()];
    if (!values.includes(value)) context.addIssue({ code: "invalid_value", values, input: value });
  });
}

/** A list whose length is within bounds. */
export function list<T extends z.ZodType>(item: T, least: number, most: number) {
  const expected = least === 0 ? `a list of at most ${most}` : `a list of ${least} to ${most}`;
  return z.array(item, { error: expected }).min(least, { error: expected }).max(most, { error: expected });
}

/** An object that has no keys but these. */
export function object<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, { error: "an object" });
}

/** The key that tells an editor which JSON Schema a file follows. */
export const schemaKey = line(200)
  .optional()
  .describe("The JSON Schema that an editor checks this file with.");
