/**
 * CRC-32 of IEEE 802.3 (reflected polynomial EDB88320), for hosts without Espruino's `E.CRC32`.
 * Published check: "123456789" gives CBF43926.
 */

/** @type {number[]} the effect of each byte, as signed 32-bit numbers */
export const TABLE = [];
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  TABLE.push(c);
}

/**
 * @param {string} text bytes as characters 0 to 255
 * @returns {number} unsigned
 */
export function crc32(text) {
  let crc = -1;
  for (let i = 0; i < text.length; i++) {
    crc = /** @type {number} */ (TABLE[(crc ^ text.charCodeAt(i)) & 255]) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
