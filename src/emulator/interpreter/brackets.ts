/**
 * When a console line is complete: the interpreter runs it at the line end unless a bracket, a comment or a template
 * is still open. An open string does not wait: it runs, so that the error shows.
 */

/** Characters after which a `/` starts a regular expression and not a division. */
const beforeRegex = /[=(,:;[!&|?{}+\-*%^~<>]$/;
const wordBeforeRegex = /(?:^|[^\w$])(?:return|typeof|case|in|of|delete|void|throw|new|else)$/;

/** Index after a quoted stretch that starts at `from`, or -1 when it is not closed. */
function endOfString(text: string, from: number): number {
  const mark = text[from];
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === mark) return i + 1;
    else if (text[i] === "\n" && mark !== "`") return -1;
  }
  return -1;
}

function endOfRegex(text: string, from: number): number {
  let inClass = false;
  for (let i = from + 1; i < text.length; i++) {
    const char = text[i];
    if (char === "\\") i++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return i + 1;
    else if (char === "\n") return -1;
  }
  return -1;
}

function startsRegex(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at).trimEnd();
  return before === "" || beforeRegex.test(before) || wordBeforeRegex.test(before);
}

interface Scan {
  /** False while a bracket, comment or template is open. */
  readonly complete: boolean;
  /** Where the first statement ends in a semicolon outside brackets, or -1. */
  readonly semicolon: number;
}

function scan(text: string): Scan {
  let depth = 0;
  let semicolon = -1;
  let i = 0;
  while (i < text.length) {
    const char = text[i]!;
    let end: number | undefined;
    if (char === '"' || char === "'" || char === "`") {
      end = endOfString(text, i);
      if (end < 0) return { complete: char !== "`", semicolon };
    } else if (char === "/" && text[i + 1] === "/") {
      const lineEnd = text.indexOf("\n", i);
      end = lineEnd < 0 ? text.length : lineEnd;
    } else if (char === "/" && text[i + 1] === "*") {
      end = text.indexOf("*/", i + 2) + 2;
      if (end < 2) return { complete: false, semicolon };
    } else if (char === "/" && startsRegex(text, i)) {
      end = endOfRegex(text, i);
      if (end < 0) return { complete: true, semicolon };
    }
    if (end !== undefined) {
      i = end;
      continue;
    }
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char) && --depth < 0) return { complete: true, semicolon };
    if (char === ";" && depth === 0 && semicolon < 0) semicolon = i;
    i++;
  }
  return { complete: depth <= 0, semicolon };
}

/** True when the interpreter would run this input now. */
export function isComplete(text: string): boolean {
  return scan(text).complete;
}

/** The one statement that the text is, without its semicolon, or undefined when there are more. */
export function onlyStatement(text: string): string | undefined {
  const { semicolon } = scan(text);
  if (semicolon < 0) return text;
  return text.slice(semicolon + 1).trim() === "" ? text.slice(0, semicolon) : undefined;
}
