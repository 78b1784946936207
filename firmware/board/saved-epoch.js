/** The epoch that a power cut must not take away: fences that were given stay below those that are to come. */

const FILE = "ring.epoch";

/** @type {any} */
const storage = require("Storage");

export function savedEpoch() {
  return Number(storage.read(FILE)) || 0;
}

/**
 * @param {number} epoch
 */
export function saveEpoch(epoch) {
  try {
    storage.write(FILE, "" + epoch);
  } catch {
    // Flash that is full is no reason to stop a ring.
  }
}
