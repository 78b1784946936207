/**
 * The check of the console between host and board: one damaged character must not make another record or call.
 *
 * @param {string} text of a line, or of the arguments of a call
 * @param {(text: string) => number} crc32 unsigned CRC-32 of a string of bytes
 * @returns {number} 0 to 46,648, three characters in base 36: a damaged text passes once in so many times. Divided by a
 * prime, so that no pattern of errors always passes, as one can with the low bits of a CRC
 */
export function checkOf(text, crc32) {
  return crc32(text) % 46649;
}

/**
 * A call's number from here on has a check in it: its thousands are one more than the check of
 * `<the rest of the number>,<first argument>,<second argument>`, `undefined` where there is none.
 */
export const CHECKED = 1000;
