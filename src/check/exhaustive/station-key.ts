/** What of a station's own state makes a difference to what can happen, as 64 bits. */

import type { Station } from "../../../firmware/types.d.ts";
import { Hash } from "./hash.ts";
import { ownerOf, searchOf } from "./station-parts.ts";

/** The fields that are looked at below or in canonical.ts, or make no difference. */
const KNOWN: { readonly [part: string]: string } = {
  "": `id bootId settings bypassed refused joined coordinator epoch hop electionRound predecessor heardAt othersAt monitorAt tokenAt
    tokenSeen wants inside fenceEpoch fenceGrant outbox outboxTo`,
  token: "held epoch hop grant",
  monitor: `duty announced tokens twice probe probing probedAt preempting purging dutyEpoch markedAt marker busyAt lastAnnouncer
    lastAnnounced lastProber lastProbe`,
  beacon: "sending number lastOrigin lastNumber brokenAt",
};

/** Fields beyond these enter the key as they are: [part or "", field]. */
type Rest = readonly (readonly [part: string, field: string])[];
const rests = new Map<object, Rest>();

function restOf(s: Station): Rest {
  const rest: [string, string][] = [];
  for (const part of ["", ...Object.keys(s)]) {
    const values = part ? s[part] : s;
    if (part === "settings" || typeof values !== "object" || values === null) continue;
    const owner = ownerOf(part);
    // Elections that are not in use never change; the one in use says itself what counts, where it can.
    if (owner !== undefined && (owner !== s.settings.election || searchOf(s))) continue;
    const known = (KNOWN[part] ?? "").split(/\s+/);
    for (const [field, value] of Object.entries(values)) {
      if (typeof value !== "object" && !known.includes(field)) rest.push([part, field]);
    }
  }
  return rest;
}

function addRest(hash: Hash, s: Station): void {
  let rest = rests.get(s.settings);
  if (!rest) {
    rest = restOf(s);
    rests.set(s.settings, rest);
  }
  for (let i = 0; i < rest.length; i++) {
    const [part, field] = rest[i] as readonly [string, string];
    hash.add(Number(part ? (s[part] as { [field: string]: unknown })[field] : s[field]));
  }
}

/** @returns the round of elections above which a station numbers its next */
export function roundOf(s: Station): number {
  return Math.max(s.electionRound, Math.floor(s.epoch / s.settings.step));
}

/**
 * Left out: by how much tokens grow in a rotation, for here is no second one, and a ring that loses one station at a time
 * never makes the only one look like one; what only leases and beacons use, which the model does not have, and what is kept
 * by an election protocol that holds no election, by a station that is not the monitor, or beside a token that is not held:
 * it is overwritten before it is read.
 */
export function digestOf(s: Station): Hash {
  const hash = new Hash();
  const { token, monitor } = s;
  hash.add(
    (s.joined ? 1 : 0) |
      (s.wants ? 2 : 0) |
      (s.inside ? 4 : 0) |
      (monitor.duty ? 8 : 0) |
      (monitor.duty && monitor.probing ? (s.tokenSeen ? 48 : 16) : 0) |
      (monitor.preempting ? 64 : 0) |
      (s.othersAt < 0 ? 128 : 0),
  );
  hash.add(s.coordinator);
  hash.add(s.epoch);
  hash.add(roundOf(s));
  hash.add(s.inside ? s.fenceEpoch : -1);
  hash.add(token.held ? token.epoch : -1);
  hash.add(monitor.purging);
  hash.add(monitor.duty ? monitor.dutyEpoch : -1);
  searchOf(s)?.key(s, hash);
  addRest(hash, s);
  return hash;
}
