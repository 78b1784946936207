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
export function bytesOf(value: unknown, depth = 0): number[] {
  if (typeof value === "string") return [...toBytes(value)];
  if (typeof value === "number" || typeof value === "boolean") return [Number(value) & 255];
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>, (n) => n & 255);
  if (depth > 8 || value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((item) => bytesOf(item, depth + 1));
  if (Object.prototype.toString.call(value) === "[object ArrayBuffer]") {
    return [...new Uint8Array(value as ArrayBuffer)];
  }
  const { data, count } = value as { data?: unknown; count?: unknown };
  if (data === undefined) return [];
  const once = bytesOf(data, depth + 1);
  const times = Math.min(Number(count ?? 1) || 0, 65_536);
  return Array.from({ length: times }, () => once).flat();
}
