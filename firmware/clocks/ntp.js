/**
 * Offset and delay from one exchange of messages with four timestamps.
 * Source: D. L. Mills, "Internet time synchronization: the Network Time Protocol", IEEE Trans. Communications 39(10), 1991.
 * t1: request sent, t2: it was received, t3: reply sent, t4: it was received; t1 and t4 by the asking clock, t2 and t3
 * by the other.
 */

/**
 * By how much the other clock is ahead; wrong by at most half the delay, when one way took all of it.
 * @param {number} t1
 * @param {number} t2
 * @param {number} t3
 * @param {number} t4
 */
export function offset(t1, t2, t3, t4) {
  return (t2 - t1 + (t3 - t4)) / 2;
}

/**
 * How long the two messages were on their way, both together.
 * @param {number} t1
 * @param {number} t2
 * @param {number} t3
 * @param {number} t4
 */
export function delay(t1, t2, t3, t4) {
  return t4 - t1 - (t3 - t2);
}
