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

/** True when the interpreter would run this input now. */
export function isComplete(text: string): boolean {
  let depth = 0;
  let i = 0;
  while (i < text.length) {
    const char = text[i]!;
    if (char === '"' || char === "'" || char === "`") {
      const end = endOfString(text, i);
      if (end < 0) return char !== "`";
      i = end;
      continue;
    }
    if (char === "/" && text[i + 1] === "/") {
      const end = text.indexOf("\n", i);
      i = end < 0 ? text.length : end;
      continue;
    }
    if (char === "/" && text[i + 1] === "*") {
      const end = text.indexOf("*/", i + 2);
      if (end < 0) return false;
      i = end + 2;
      continue;
    }
    if (char === "/" && startsRegex(text, i)) {
      const end = endOfRegex(text, i);
      if (end < 0) return true;
      i = end;
      continue;
    }
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char) && --depth < 0) return true;
    i++;
  }
  return depth <= 0;
}
