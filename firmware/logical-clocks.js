/**
 * Logical clocks, as arithmetic on plain numbers and arrays.
 * Sources: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978;
 * C. J. Fidge 1988 and F. Mattern 1989 for vector clocks; S. Kulkarni et al., "Logical Physical Clocks", 2014.
 */

/**
 * A Lamport clock after it has seen a timestamp (rule IR2): later than both.
 * @param {number} clock
 * @param {number} seen
 */
export function afterSeeing(clock, seen) {
  return Math.max(clock, seen) + 1;
}

/**
 * The total order of requests: by (timestamp, id).
 * @param {number} stamp
 * @param {number} id
 * @param {number} otherStamp
 * @param {number} otherId
 */
export function precedes(stamp, id, otherStamp, otherId) {
  return stamp < otherStamp || (stamp === otherStamp && id < otherId);
}
