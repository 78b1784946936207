import { crc32 } from "node:zlib";
import { encode } from "../../firmware/frame.js";
import type { Frame } from "../../firmware/types.d.ts";

/** CRC-32 of IEEE 802.3 over a string of bytes, as frame.js wants it; zlib's, which is faster than a table. */
export function crcOfBytes(text: string): number {
  return crc32(Buffer.from(text, "latin1"));
}

/** The line of a frame as it stands on the wire, newline included. */
export function wireLine(frame: Frame): string {
  return encode(frame, crcOfBytes);
}
