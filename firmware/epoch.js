/**
 * Epochs of the token and numbers of elections: both are round * step + id, so that no two
 * stations ever make the same one.
 *
 * @typedef {import("./types.d.ts").Io} Io
 * @typedef {import("./types.d.ts").Station} Station
 */

/**
 * Takes notice of an epoch; a token of an older one is stale here from now on.
 * @param {Station} s
 * @param {number} epoch
 */
export function raiseEpoch(s, epoch) {
  if (epoch <= s.epoch) return;
  s.epoch = epoch;
  s.hop = -1;
}

/**
 * The lowest epoch that is this station's own and above all it knows.
 * @param {Station} s
 */
export function nextEpoch(s) {
  return (Math.floor(s.epoch / s.settings.step) + 1) * s.settings.step + s.id;
}

/**
 * Takes notice of an election's number.
 * @param {Station} s
 * @param {number} election
 */
export function noticeElection(s, election) {
  const round = Math.floor(election / s.settings.step);
  if (round > s.electionRound) s.electionRound = round;
}

/**
 * A number for a new election, above all numbers known here. A station that has lost its memory learns the epoch again,
 * so the round of that is one to start from.
 * @param {Station} s
 */
export function nextElection(s) {
  noticeElection(s, s.epoch);
  s.electionRound++;
  return s.electionRound * s.settings.step + s.id;
}
