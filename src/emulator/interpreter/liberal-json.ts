/**
 * JSON as the interpreter's lenient reader takes it: keys without quotes, single quotes, `\xFF` escapes, and anything
 * may follow the value. `Storage.writeJSON` and upload packets use these freedoms.
 */

/** Deepest nesting: the text is not trusted. */
const depthLimit = 100;

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): unknown {
    if (depth > depthLimit) throw this.unexpected();
    this.space();
    const char = this.text[this.at];
    if (char === "{") return this.object(depth);
    if (char === "[") return this.array(depth);
    if (char === '"' || char === "'") return this.string(char);
    const number = this.match(/-?\s*(?:0x[\da-f]+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)/iy);
    if (number !== undefined) return Number(number.replaceAll(/\s/g, ""));
    const word = this.match(/true|false|null/y);
    if (word !== undefined) return word === "null" ? null : word === "true";
    throw this.unexpected();
  }

  private unexpected(): Error {
    const char = this.text[this.at];
    const what = char === undefined ? "EOF" : /[A-Za-z_$]/.test(char) ? "ID" : `'${char}'`;
    return new SyntaxError(`Expecting valid value, got ${what}`);
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** Takes the character when it is next. */
  private take(char: string): boolean {
    this.space();
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private array(depth: number): unknown[] {
    this.at++;
    const items: unknown[] = [];
    while (!this.take("]")) {
      items.push(this.value(depth + 1));
      if (!this.take(",") && this.text[this.at] !== "]") throw this.unexpected();
    }
    return items;
  }

  private object(depth: number): Record<string, unknown> {
    this.at++;
    const members: Record<string, unknown> = {};
    while (!this.take("}")) {
      const quoted = this.text[this.at];
      const key =
        quoted === '"' || quoted === "'" ? this.string(quoted) : this.match(/[A-Za-z_$][\w$]*|\d+/y);
      if (key === undefined || !this.take(":")) throw this.unexpected();
      const value = this.value(depth + 1);
      Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
      if (!this.take(",") && this.text[this.at] !== "}") throw this.unexpected();
    }
    return members;
  }

  private string(mark: string): string {
    let out = "";
    for (this.at++; this.text[this.at] !== mark; this.at++) {
      const char = this.text[this.at];
      if (char === undefined) throw this.unexpected();
      out += char === "\\" ? this.escape() : char;
    }
    this.at++;
    return out;
  }

  private escape(): string {
    this.at++;
    const hex = this.match(/x[\da-f]{2}|u[\da-f]{4}|[0-7]{1,3}/iy);
    if (hex !== undefined) {
      this.at--;
      const octal = /^[0-7]/.test(hex);
      return String.fromCharCode(octal ? Number.parseInt(hex, 8) : Number.parseInt(hex.slice(1), 16));
    }
    const char = this.text[this.at] ?? "";
    const letters: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v" };
    return letters[char] ?? char;
  }
}

/** @throws SyntaxError with the interpreter's words when there is no value at the start */
export function parseLiberal(text: string): unknown {
  return new Reader(text).value(0);
}
