/**
 * Bad input from a person: a wrong option, a bench file with a mistake, a port that is not there.
 *
 * The message is one line that says what is wrong, where, and what to try. A command prints it without a stack trace
 * and ends with `exitCode`. Control characters are escaped, since the message often quotes the input.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly exitCode = 2;

  constructor(message: string, options?: ErrorOptions) {
    super(escapeControls(message), options);
  }
}

// Controls of ASCII and Latin-1, line and paragraph separators, and the marks that turn the direction of text round.
const CONTROLS = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const SHORT_ESCAPES: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Text with each control character written as an escape (`\n`, `\x1b`, `\u202e`), so that it stays on its line. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) => {
    const code = char.charCodeAt(0);
    const hex = code.toString(16);
    return SHORT_ESCAPES[char] ?? (code < 256 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`);
  });
}

const LONGEST_QUOTE = 60;

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested too deep, or in itself.
    return Array.isArray(value) ? "a list" : "an object";
  }
}

/** A value from outside as a message quotes it: as JSON, clipped to about 60 characters. */
export function quote(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = typeof value === "string" ? `"${value}"` : jsonOf(value);
  if (text.length <= LONGEST_QUOTE) return text;
  // By code points: half a surrogate pair would print as rubbish.
  const head = [...text.slice(0, LONGEST_QUOTE)].slice(0, -1).join("");
  return typeof value === "string" ? `${head}..."` : `${head}...`;
}
