// JSON leaves these as they are, but a terminal that shows the file would act on them.
const MORE_CONTROLS = /[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON on one line, in which no control character is left. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    MORE_CONTROLS,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
