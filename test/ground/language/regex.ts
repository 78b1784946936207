/** A sequence that Espruino's matcher understands, one at a time from the start of what is left. */
const PART =
  /^(?:\[\^?(?:\\[dDwWsSfnrtv0\W]|\\x[0-9a-fA-F]{2}|[^\]\\])*\]|\\[dDwWsSfnrtv0\W]|\\x[0-9a-fA-F]{2}|[^\\])/;

/**
 * Says what in a regular expression Espruino's matcher lacks. It has characters, sets, `.`, `^`, `$`, groups that
 * capture, `|` outside of groups, and `*` and `+` after one character or set; nothing else, and it does not complain.
 * @returns the first thing it lacks, or undefined
 */
export function missingInRegex(pattern: string, flags: string): string | undefined {
  const flag = /[^gi]/.exec(flags)?.[0];
  if (flag) return `no flag ${flag}`;
  let depth = 0;
  let last = "";
  for (let rest = pattern; rest; rest = rest.slice(last.length)) {
    const before = last;
    const part = PART.exec(rest)?.[0];
    if (part === undefined) return `no ${rest.slice(0, 2)}`;
    last = part;
    if (part === "(") {
      if (rest[1] === "?") return `no ${rest.slice(0, 3)}`;
      depth += 1;
    } else if (part === ")") {
      depth -= 1;
    } else if (part === "?") {
      return "no ? after a character";
    } else if (part === "{") {
      return "no {n}";
    } else if (part === "|" && depth > 0) {
      return "no | inside a group";
    } else if ((part === "*" || part === "+") && before === ")") {
      return `no ${part} after a group`;
    }
  }
  return undefined;
}
