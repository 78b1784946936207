/**
 * Logical clocks, as arithmetic on plain numbers and arrays.
 * Sources: L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978;
 * C. J. Fidge 1988 and F. Mattern 1989 for vector clocks; S. S. Kulkarni et al., "Logical Physical Clocks", 2014.
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

/**
 * The greatest of each component: what two vector clocks know together.
 * @param {number[]} vector
 * @param {number[]} other as long
 */
export function mergeVectors(vector, other) {
  return vector.map((count, i) => Math.max(count, /** @type {number} */ (other[i])));
}

/**
 * Did the event with the first vector happen before the one with the second?
 * @param {number[]} vector
 * @param {number[]} other as long
 */
export function happenedBefore(vector, other) {
  let less = false;
  for (let i = 0; i < vector.length; i++) {
    const a = /** @type {number} */ (vector[i]);
    const b = /** @type {number} */ (other[i]);
    if (a > b) return false;
    if (a < b) less = true;
  }
  return less;
}

/**
 * The count of a hybrid clock for an event: from 0 in a new time, one up in an old one.
 * @param {number} wall the time of the event: the highest of the three
 * @param {number} ownWall
 * @param {number} ownCount
 * @param {number} seenWall of the message that comes; -1: none does
 * @param {number} seenCount
 */
export function hybridCount(wall, ownWall, ownCount, seenWall, seenCount) {
  if (wall === ownWall && wall === seenWall) return Math.max(ownCount, seenCount) + 1;
  if (wall === ownWall) return ownCount + 1;
  return wall === seenWall ? seenCount + 1 : 0;
}
