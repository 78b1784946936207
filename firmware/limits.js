/**
 * Every time limit of a ring, computed from the ring itself.
 *
 * @typedef {import("./types.d.ts").Limits} Limits
 */

/** Characters of a frame that carries no list: `$PRB,250,253,250,99999,16777466,251*00000000\n`. */
const FRAME_BYTES = 46;

/**
 * @typedef {object} RingTiming
 * @property {number} stations 1 or more
 * @property {number} baud bits per second of a link; a byte takes ten
 * @property {number} lines serial lines that a hop crosses: 1 wired, 2 through a hub
 * @property {number} boardMs time a station takes for one frame, ms
 * @property {number} hostMs time the hub takes for one frame, ms
 * @property {number} holdMs time an idle station keeps the token, ms
 */

/**
 * Duration of a hop in ms.
 * @param {RingTiming} ring
 * @param {number} bytes
 */
export function hopMs(ring, bytes) {
  return (ring.lines * bytes * 10000) / ring.baud + ring.boardMs + ring.hostMs;
}

/**
 * @param {RingTiming} ring
 * @returns {Limits} milliseconds
 */
export function computeLimits(ring) {
  const n = ring.stations;
  const hop = hopMs(ring, FRAME_BYTES);
  const rotation = n * hop;
  const listHop = hopMs(ring, FRAME_BYTES + 6 * n);
  const announce = 10 * rotation;
  return {
    hop: hop,
    rotation: rotation,
    token: 3 * rotation + 2 * n * ring.holdMs,
    probe: 3 * rotation,
    purge: 3 * rotation,
    announce: announce,
    standby: 4 * announce,
    quiet: 6 * announce,
    slot: 2 * rotation,
    // When all start at once, every link carries about n * n frames of Bully, or n lists of the Ring election.
    election: (n * n + 4 * n) * hop + 4 * n * listHop,
  };
}

/**
 * The least value of each limit that may be overridden, in rotations of the ring.
 * Below it a healthy ring would be taken for a broken one.
 */
export const LEAST_ROTATIONS = {
  token: 2,
  probe: 2,
  purge: 2,
  announce: 2,
  standby: 8,
  quiet: 12,
  slot: 0,
  election: 4,
};
