/**
 * A UART line between two ends of different speed, sampled bit by bit: junk comes out, not silence.
 * Framing: one start bit (0), the data bits least significant first, stop bits (1), idle 1.
 */

export interface Sampled {
  readonly bytes: Uint8Array;
  /** Characters whose stop bit was not where the receiver looked. */
  readonly framingErrors: number;
}

/**
 * What a receiver set to `rxBaud` makes of `bytes` sent without gaps at `txBaud`, 8 data bits, no parity.
 *
 * @param bytes characters sent
 * @param txBaud speed of the sender, bits per second
 * @param rxBaud speed of the receiver; within about 4 % of the sender's the bytes come out right
 */
export function sampleAtBaud(bytes: Uint8Array, txBaud: number, rxBaud: number): Sampled {
  const bits = new Uint8Array(bytes.length * 10 + 1);
  let n = 0;
  for (const byte of bytes) {
    bits[n++] = 0;
    for (let i = 0; i < 8; i++) bits[n++] = (byte >> i) & 1;
    bits[n++] = 1;
  }
  bits[n] = 1;
  const step = txBaud / rxBaud;
  const level = (position: number) => (position >= n ? 1 : bits[Math.floor(position)]!);
  const out: number[] = [];
  let framingErrors = 0;
  let at = 0;
  while (at < n) {
    // Look for the falling edge of a start bit; the line is high before the first one.
    if (level(at) !== 0) {
      at = Math.floor(at) + 1;
      continue;
    }
    let value = 0;
    for (let i = 0; i < 8; i++) value |= level(at + (1.5 + i) * step) << i;
    const stop = at + 9.5 * step;
    if (level(stop) === 0) framingErrors++;
    out.push(value);
    // The next start bit is a falling edge after the stop bit.
    at = stop;
    while (at < n && level(at) === 0) at = Math.floor(at) + 1;
  }
  return { bytes: Uint8Array.from(out), framingErrors };
}
