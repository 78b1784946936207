/** Errors of Node's engine in the words of the interpreter, as far as the two name the same thing. */

/** Thrown through a program when its board has lost power; no program sees what follows. */
export class PowerLost extends Error {}

/** Thrown through a program that would never end. */
export class Interrupted extends Error {}

/** Prefix of every script name in a sandbox, so that frames of a program are told from frames of the emulator. */
export const scriptPrefix = "espruino:";

interface ErrorLike {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
}

function isErrorLike(value: unknown): value is ErrorLike {
  return Object.prototype.toString.call(value) === "[object Error]";
}

/** [pattern, type, message]: what the engine says and what Espruino says; `$1` is the first group. */
const translations: readonly (readonly [RegExp, string, string])[] = [
  [/^([\w$]+) is not defined$/, "ReferenceError", '"$1" is not defined'],
  [/^Cannot access '([\w$]+)' before initialization$/, "ReferenceError", '"$1" is not defined'],
  [
    /^Cannot read properties of (undefined|null) \(reading '(.*)'\)$/,
    "Error",
    "Can't read property '$2' of $1",
  ],
  [/^Assignment to constant variable\.$/, "TypeError", "Assignment to a constant"],
  [/^(?:[^ ]*\.)([\w$]+) is not a function$/, "Error", 'Function "$1" not found!'],
  [/^.* is not a function$/, "Error", "Expecting function, got undefined"],
  [/^Maximum call stack size exceeded$/, "Error", "Too much recursion - the stack is about to overflow"],
  [/^Unexpected end of input$/, "SyntaxError", "Unexpected end of Input"],
  [/^Invalid or unexpected token$/, "SyntaxError", "Got UNFINISHED STRING expected EOF"],
  [/^Unexpected token '([a-z]+)'$/, "SyntaxError", "Got $1 expected EOF"],
  [
    /^Unexpected (?:token|identifier|string|number|strict mode reserved word) ?(.*)$/,
    "SyntaxError",
    "Got $1 expected EOF",
  ],
];

/** `Type: message` of a thrown value, as it stands after `Uncaught `. */
export function describeError(thrown: unknown): string {
  if (!isErrorLike(thrown)) return String(thrown);
  const message = String(thrown.message ?? "");
  for (const [pattern, type, text] of translations) {
    const match = pattern.exec(message);
    if (match === null) continue;
    return `${type}: ${text.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? "")}`;
  }
  return `${String(thrown.name ?? "Error")}: ${message}`;
}

interface Frame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const framePattern = /^\s*at (?:(?:async |new )?(\S+)(?: \[as [^\]]*\])? \()?espruino:(.*?):(\d+):(\d+)\)?$/;

function frames(stack: string): Frame[] {
  const found: Frame[] = [];
  for (const line of stack.split("\n")) {
    const match = framePattern.exec(line);
    if (match === null) continue;
    const [, name = "", file = "", row, column] = match;
    // What the engine calls `Object.<anonymous>` or `K.f` is just its last name on a board.
    const short = name.replace(/^.*\./, "").replace("<anonymous>", "");
    found.push({ name: short, file, line: Number(row), column: Number(column) });
    if (found.length === 10) break;
  }
  return found;
}

/** Longest run of spaces before the `^`: the interpreter shortens a long line to 60 characters. */
const markerLimit = 60;

/**
 * The stack trace below `Uncaught ...`: one entry of place, empty source line and marker for each function. Lines
 * and columns are those of Node's engine: the interpreter counts a function's from its own body, and points at the
 * end of a call.
 *
 * @param top what the outermost frame is when it has no name: "REPL", "boot code", or nothing for a callback
 */
export function stackTrace(thrown: unknown, top = ""): string {
  if (!isErrorLike(thrown) || typeof thrown.stack !== "string") return "";
  const list = frames(thrown.stack);
  // A line that does not compile has no frame of its own; the engine names the place on the first line.
  if (list.length === 0) {
    const place = /^espruino:(.*?):(\d+)/.exec(thrown.stack);
    if (place) list.push({ name: "", file: place[1] ?? "", line: Number(place[2]), column: 1 });
  }
  return list
    .map((frame, i) => {
      const isLast = i === list.length - 1;
      const file = frame.file === "REPL" ? "" : frame.file;
      const name = frame.name !== "" ? frame.name : isLast ? top : "";
      const place = `${file}:${frame.line}:${frame.column}`;
      const marker = `${" ".repeat(Math.min(frame.column - 1, markerLimit))}^`;
      return `    at ${name === "" ? place : `${name} (${place})`}\n\n${marker}\n`;
    })
    .join("");
}
