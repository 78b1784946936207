/** Values as the interpreter prints them: results after `=`, `print(...)`, and the compact form of `E.toJS`. */
import { isUnicode } from "../bytes.ts";

export interface FormatOptions {
  /** Spaces after commas and colons, and lines for what is not a number. */
  readonly pretty?: boolean;
  /** Abbreviate: arrays over 15, strings over 60, function bodies. */
  readonly limit?: boolean;
  /** Keys that are identifiers stand without quotes. */
  readonly dropQuotes?: boolean;
  /** `null` where JSON has no word, and no functions: for files and packets. */
  readonly data?: boolean;
  /** Name of a built-in device that prints as its name, e.g. "Serial1". */
  readonly deviceName?: (value: object) => string | undefined;
  /** True for objects that are native on a board and so print as a function without source. */
  readonly isNative?: (value: object) => boolean;
}

const arrayLimit = 15;
const arrayShown = 5;
const stringLimit = 60;
const stringShown = 27;
const itemsOnLine = 4;
const dots = " ... ";

/** What the REPL prints after `=`. */
export const resultStyle: FormatOptions = { pretty: true, limit: true, dropQuotes: true };
/** What `print` makes of a value that is no string. */
export const printStyle: FormatOptions = { pretty: true };
/** `E.toJS`: results of packets. */
export const compactStyle: FormatOptions = { dropQuotes: true, data: true };

/**
 * A number with about 11 decimals: an exponent from 1e21 up (with a mantissa up to 10) and below 1e-6. The
 * digits come from repeated division in double precision, so the last ones differ from JavaScript's.
 */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 53) return String(value);
  const closeEnough = 1e-7;
  let rest = Math.abs(value);
  let exponent = 0;
  if (rest >= 1e21) {
    for (; rest > 100_000; rest /= 100_000) exponent += 5;
    for (; rest > 10; rest /= 10) exponent++;
  } else if (rest > 0 && rest < 1e-6) {
    for (; rest < 1e-5; rest *= 100_000) exponent -= 5;
    for (; rest < 1; rest *= 10) exponent--;
  }
  const whole = Math.floor(rest);
  if (Math.floor(rest + closeEnough) === whole + 1) rest = whole + 1;
  let text = value < 0 ? "-" : "";
  let place = 1;
  while (place * 10 <= rest) place *= 10;
  for (; place >= 1; place /= 10) {
    const digit = Math.floor(rest / place);
    rest -= digit * place;
    text += digit;
  }
  if (rest > 0) {
    rest *= 10;
    let decimals = "";
    while (decimals.length < 11 && rest > closeEnough) {
      const digit = Math.min(9, Math.floor(rest + 1e-8));
      rest = (rest - Math.floor(rest + 1e-8)) * 10;
      decimals += digit;
    }
    if (decimals !== "") text += `.${decimals}`;
  }
  return exponent === 0 ? text : `${text}e${exponent > 0 ? "+" : ""}${exponent}`;
}

const shortEscapes: Record<string, string> = {
  "\n": "\\n",
  "\t": "\\t",
  "\b": "\\b",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  const unicode = isUnicode(text);
  let out = '"';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    const code = text.charCodeAt(i);
    const next = text[i + 1] ?? "";
    if (char === "\v" && unicode) out += "\\u000B";
    else if (shortEscapes[char] !== undefined) out += shortEscapes[char];
    else if (code < 8 && !unicode && !(next >= "0" && next <= "7")) out += `\\${code}`;
    else if (code >= 32 && code < 127) out += char;
    else if (unicode || code > 255) out += `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
    else out += `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return `${out}"`;
}

const nativeText = "function () { [native code] }";

/** A function of the emulator itself is none of the program's realm: it stands for native code. */
function functionText(value: object, options: FormatOptions): string {
  if (value instanceof Function) return nativeText;
  let source: string;
  try {
    source = Function.prototype.toString.call(value);
  } catch {
    return "function () {}";
  }
  if (/\{\s*\[native code\]\s*\}$/.test(source)) return nativeText;
  const match =
    /^(?:async\s*)?(?:function\b[^(]*|[\w$]*\s*)?\(([^)]*)\)\s*(?:=>\s*)?([\s\S]*)$/.exec(source) ??
    /^([\w$]+)\s*=>\s*([\s\S]*)$/.exec(source);
  const parameters = (match?.[1] ?? "").replaceAll(/\s+/g, "");
  let body = match?.[2] ?? source;
  if (body.startsWith("{")) body = body.slice(1, -1).trim();
  else body = `return ${body}`;
  if (body === "") return `function (${parameters}) {}`;
  if (options.limit) return `function (${parameters}) {${dots}}`;
  return body.includes("\n")
    ? `function (${parameters}) {\n  ${body}\n}`
    : `function (${parameters}) {${body}}`;
}

function dateText(date: Date): string {
  const [day, , month, year] = date.toUTCString().replace(",", "").split(" ");
  const clock = date.toISOString().slice(11, 19);
  return `${day} ${month} ${date.getUTCDate()} ${year} ${clock} GMT+0000`;
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Numbers, null and undefined stay on the line; all else takes its own when pretty. */
function needsLine(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== "number" && typeof value !== "boolean";
}

class Formatter {
  private readonly options: FormatOptions;
  private readonly inside = new Set<object>();

  constructor(options: FormatOptions) {
    this.options = options;
  }

  format(value: unknown, indent: number): string {
    const { data } = this.options;
    if (value === undefined) return data ? "null" : "undefined";
    if (value === null) return "null";
    if (typeof value === "number") return data && !Number.isFinite(value) ? "null" : formatNumber(value);
    if (typeof value === "string") return this.text(value);
    if (typeof value === "function") return data ? "undefined" : functionText(value, this.options);
    if (typeof value !== "object") return String(value);
    if (this.inside.has(value) || indent > 100) return dots;
    this.inside.add(value);
    try {
      return this.object(value, indent);
    } finally {
      this.inside.delete(value);
    }
  }

  private text(value: string): string {
    if (!this.options.limit || value.length <= stringLimit) return quote(value);
    return quote(value.slice(0, stringShown)) + dots + quote(value.slice(-stringShown));
  }

  private object(value: object, indent: number): string {
    const { pretty, data } = this.options;
    if (Array.isArray(value)) return this.array(value, indent);
    if (ArrayBuffer.isView(value) || tagOf(value) === "ArrayBuffer") return this.typedArray(value);
    if (this.options.isNative?.(value)) return nativeText;
    const device = this.options.deviceName?.(value);
    if (device !== undefined) return device;
    if (data) {
      const { toJSON } = value as { toJSON?: unknown };
      if (typeof toJSON === "function") return this.format(toJSON.call(value), indent);
    }
    let name = "";
    if (pretty) {
      const prototype: unknown = Object.getPrototypeOf(value);
      const maker =
        prototype === null ? undefined : (prototype as { constructor?: { name?: string } }).constructor;
      if (typeof maker === "function" && maker.name !== "Object") name = `${maker.name}: `;
      if (maker?.name === "Pin") return String(value);
      const tag = tagOf(value);
      if (tag === "Error") return `${name}${String(value)}`;
      if (tag === "RegExp") {
        const { source, flags, lastIndex } = value as RegExp;
        return `${name}${this.object({ source, flags, lastIndex }, indent)}`;
      }
      if (tag === "Date") return `${name}${dateText(value as Date)}`;
    }
    const { body, trailing } = this.members(value, Object.keys(value), indent, true);
    if (!pretty) return `{${body}}`;
    return `${name}{ ${body}${trailing ? this.newLine(indent) : ""} }`;
  }

  private newLine(indent: number): string {
    return `\n${"  ".repeat(indent)}`;
  }

  private members(
    value: object,
    keys: string[],
    indent: number,
    first: boolean,
  ): { body: string; trailing: boolean } {
    const { pretty, data, dropQuotes } = this.options;
    let body = "";
    let lineDue = false;
    let onLine = 0;
    let isFirst = first;
    for (const key of keys) {
      const descriptor = Object.getOwnPropertyDescriptor(value, key);
      if (descriptor === undefined || !("value" in descriptor)) continue;
      const item: unknown = descriptor.value;
      if (data && (item === undefined || typeof item === "function")) continue;
      onLine++;
      if (!isFirst) body += pretty ? ", " : ",";
      const ownLine = Boolean(pretty) && needsLine(item);
      if (pretty && onLine > itemsOnLine) lineDue = true;
      if (lineDue || ownLine) {
        body += this.newLine(indent + 1);
        lineDue = false;
        onLine = 0;
      }
      const plain = dropQuotes && (/^[A-Za-z_$][\w$]*$/.test(key) || /^\d{1,9}$/.test(key));
      body += `${plain ? key : quote(key)}${pretty ? ": " : ":"}${this.format(item, indent + 1)}`;
      isFirst = false;
      lineDue = ownLine;
    }
    return { body, trailing: lineDue };
  }

  private array(value: unknown[], indent: number): string {
    const { pretty, limit } = this.options;
    const { length } = value;
    const limited = Boolean(limit) && length > arrayLimit;
    let body = "";
    let lineDue = false;
    for (let i = 0; i < length; i++) {
      if (limited && i >= arrayShown && i < length - arrayShown) {
        i = length - arrayShown;
        body += `${pretty ? ", " : ","}${dots}`;
      } else if (i > 0) body += pretty ? ", " : ",";
      const item = value[i];
      const ownLine = Boolean(pretty) && needsLine(item);
      if (lineDue || ownLine) body += this.newLine(indent + 1);
      body += this.format(item, indent + 1);
      lineDue = ownLine;
    }
    if (!pretty) return `[${body}]`;
    const names = Object.keys(value).filter((key) => !/^\d+$/.test(key));
    const extra = this.members(value, names, indent, length === 0);
    return `[ ${body}${extra.body}${lineDue || extra.trailing ? this.newLine(indent) : ""} ]`;
  }

  private typedArray(value: object): string {
    const { pretty, limit, data } = this.options;
    const isBuffer = !ArrayBuffer.isView(value);
    const items = Array.from(
      (isBuffer ? new Uint8Array(value as ArrayBuffer) : value) as unknown as ArrayLike<number>,
      formatNumber,
    );
    const comma = pretty ? ", " : ",";
    const shown =
      limit && items.length > arrayLimit
        ? [...items.slice(0, arrayShown), dots + items.at(-arrayShown), ...items.slice(1 - arrayShown)]
        : items;
    if (data) return `[${shown.join(comma)}]`;
    const name = tagOf(value);
    if (items.every((item) => item === "0")) return `new ${name}(${items.length})`;
    return isBuffer ? `new Uint8Array([${shown.join(comma)}]).buffer` : `new ${name}([${shown.join(comma)}])`;
  }
}

/** The text of a value; lines end with `\n` alone, the console makes `\r\n` of them. */
export function formatValue(value: unknown, options: FormatOptions): string {
  return new Formatter(options).format(value, 0);
}
