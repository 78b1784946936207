/** A text that is not JSON (RFC 8259), or that gives one key of an object twice. */
export class JsonTextError extends Error {
  /** Offset of the mistake, in UTF-16 units. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** What a JSON text says, and where it says it. */
export interface JsonText {
  value: unknown;
  /** Offset of each value, keyed by `pathText` of its path; the whole text is under "". */
  offsets: Map<string, number>;
}

/** A path of keys and indices as messages write it: `stations[2].id`, `limits["odd key"]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce(pathBelow, "");
}

/** The path of what stands under a key or an index of what is at a path. */
function pathBelow(path: string, key: PropertyKey): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(String(key))) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? String(key) : `${path}.${String(key)}`;
}

/** Longer paths are not remembered: a key of many kilobytes would cost its length for each value under it. */
const LONGEST_PATH = 1000;

/** Line and column (from 1) of an offset. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/**
 * Reads a JSON text. Takes what `JSON.parse` takes and gives the same values, with three differences: it knows where
 * each value stands (`JSON.parse` says the place of a mistake only sometimes), it refuses a key given twice (there the
 * last one wins without a word), and it refuses nesting deeper than `MAX_DEPTH`.
 *
 * @throws JsonTextError
 */
export function parseJson(text: string): JsonText {
  return new JsonReader(text).read();
}

/** How many objects and arrays may stand inside one another. */
export const MAX_DEPTH = 64;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const SPACE = /[ \t\r\n]*/y;
const COMMENT = /\/\/|\/\*|#/y;
const LITERALS = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

class JsonReader {
  private readonly text: string;
  private offset = 0;
  private path = "";
  private depth = 0;
  private readonly offsets = new Map<string, number>();

  constructor(text: string) {
    this.text = text;
  }

  read(): JsonText {
    this.skipSpace();
    const value = this.value();
    this.skipSpace();
    if (this.offset < this.text.length) this.fail("expected the end of the file");
    return { value, offsets: this.offsets };
  }

  private value(): unknown {
    if (this.path.length <= LONGEST_PATH) this.offsets.set(this.path, this.offset);
    const char = this.text[this.offset];
    if (char === "{") return this.object();
    if (char === "[") return this.array();
    if (char === '"') return this.string();
    const number = this.match(NUMBER);
    if (number !== undefined) return Number(number);
    const start = this.offset;
    const word = this.match(WORD);
    if (word !== undefined && LITERALS.has(word)) return LITERALS.get(word);
    this.offset = start;
    return this.fail("expected a value");
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.list("}", () => {
      const start = this.offset;
      if (this.text[start] !== '"') this.fail("expected a key in double quotes");
      const key = this.string();
      if (Object.hasOwn(object, key)) {
        const place = this.path === "" ? "" : ` in ${this.path}`;
        throw new JsonTextError(`key "${key}" is given twice${place}`, start);
      }
      this.skipSpace();
      if (this.text[this.offset] !== ":") this.fail('expected ":" after the key');
      this.offset++;
      this.skipSpace();
      const value = this.below(key);
      // defineProperty, since assigning to "__proto__" would set the prototype.
      Object.defineProperty(object, key, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    });
    return object;
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    this.list("]", () => {
      array.push(this.below(array.length));
    });
    return array;
  }

  /** The value under a key or an index of what is being read. */
  private below(key: string | number): unknown {
    const { path } = this;
    this.path = path.length <= LONGEST_PATH ? pathBelow(path, key) : path;
    this.depth++;
    const value = this.value();
    this.depth--;
    this.path = path;
    return value;
  }

  /** What lies between two brackets: nothing, or items with commas between them. */
  private list(end: "}" | "]", item: () => void): void {
    if (this.depth >= MAX_DEPTH) this.fail(`more than ${MAX_DEPTH} brackets are open`);
    this.offset++;
    this.skipSpace();
    if (this.text[this.offset] === end) {
      this.offset++;
      return;
    }
    for (;;) {
      item();
      this.skipSpace();
      const char = this.text[this.offset];
      if (char !== "," && char !== end) this.fail(`expected "," or "${end}"`);
      this.offset++;
      if (char === end) return;
      this.skipSpace();
      if (this.text[this.offset] === end) this.fail(`a comma before "${end}" is not JSON`);
    }
  }

  private string(): string {
    const start = this.offset;
    const raw = this.match(STRING);
    if (raw === undefined) return this.fail("a string that does not end");
    try {
      return JSON.parse(raw) as string;
    } catch {
      this.offset = start;
      return this.fail("a line break, a control character or a wrong escape in the string");
    }
  }

  private skipSpace(): void {
    this.match(SPACE);
    COMMENT.lastIndex = this.offset;
    if (COMMENT.test(this.text)) this.fail("JSON has no comments");
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.offset += found.length;
    return found;
  }

  private fail(message: string): never {
    const rest = this.text.slice(this.offset, this.offset + 12).split(/[\r\n]/, 1)[0] ?? "";
    const ended = this.offset >= this.text.length;
    throw new JsonTextError(ended ? `${message}, but the text ends` : `${message} at ${rest}`, this.offset);
  }
}
