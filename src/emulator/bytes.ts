/**
 * Espruino's strings are bytes. Here a string whose characters are all below 256 stands for those bytes; one with
 * any higher character is a Unicode string, whose bytes are its UTF-8 form (as `print` shows on the interpreter).
 */

/** Any character above 255: a Unicode string. */
export function isUnicode(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return true;
  return false;
}

/** The bytes of a string as it goes to a port or into flash. */
export function toBytes(text: string): Uint8Array {
  return Buffer.from(text, isUnicode(text) ? "utf8" : "latin1");
}

/** Bytes as a string of characters 0 to 255. */
export function fromBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/**
 * What `Serial.write` and `E.toUint8Array` accept, as bytes: numbers, strings, arrays, typed arrays, buffers and
 * `{data, count}`, nested to a bounded depth.
 */
export function bytesOf(value: unknown): number[] {
  const out: number[] = [];
  collect(value, out, 0);
  return out;
}

// Arrays of a program lack methods that boards lack: only indexing is safe.
function collect(value: unknown, out: number[], depth: number): void {
  if (typeof value === "string") for (const byte of toBytes(value)) out.push(byte);
  else if (typeof value === "number" || typeof value === "boolean") out.push(Number(value) & 255);
  else if (value === null || typeof value !== "object" || depth > 8) return;
  else if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const items = value as unknown as ArrayLike<unknown>;
    for (let i = 0; i < items.length; i++) collect(items[i], out, depth + 1);
  } else if (Object.prototype.toString.call(value) === "[object ArrayBuffer]") {
    for (const byte of new Uint8Array(value as ArrayBuffer)) out.push(byte);
  } else {
    const { data, count = 1 } = value as { data?: unknown; count?: unknown };
    const times = Math.min(Number(count) || 0, 65_536);
    for (let i = 0; i < times; i++) collect(data, out, depth + 1);
  }
}
