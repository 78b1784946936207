/**
 * How long recovery takes at the most: for each single fault a sum of the ring's own time limits.
 * Counted from the fault where the ring goes on without the station, else from the end of the fault, until the
 * last record of recovery. What they rest on: frames reach their end within the times that limits.ts computes.
 */
import type { Limits } from "../../firmware/types.d.ts";
import { circulates, traitsOf } from "../protocols/registry.ts";

/** What the bounds are computed from. */
export interface BoundedRing {
  ids: readonly number[];
  wiring: string;
  /** Name of the mutual exclusion protocol. */
  mutex: string;
  /** Milliseconds. */
  limits: Limits;
  /** Below 0: a higher id never takes over. */
  preemptMs: number;
  /** Longest entry; below 0 it lasts until it is released, and no bound holds while it does. */
  criticalMs: number;
  /** 0: no leases. */
  leaseMs: number;
  /**
   * On a hub of boards, one whose port stays open is bypassed when it has not answered a frame for so long. Absent in a
   * simulation, where the hub waits for two announcements.
   */
  answerMs?: number;
  /** How long an idle station keeps the token. */
  holdMs: number;
}

export interface Bound {
  fault: string;
  /** Milliseconds are counted from here. */
  from: string;
  /** The sum, in the names of the limits. */
  formula: string;
  ms: number;
}

export const TOKEN_LOST = "token lost";
/** Several faults, after the last of them has ended. */
export const SEVERAL = "several faults";

/** @returns the bounds of a ring, the last for several faults at once */
export function bounds(ring: BoundedRing): Bound[] {
  const hub = ring.wiring === "hub";
  // Whoever is left alone takes its own frames for an echo until it has heard nobody for so long.
  const alone = ring.ids.length === 2 ? "2 announce + " : "";
  const silent = bound(ring, "STANDBY + election + 5 rotation");
  const boards = ring.answerMs !== undefined;
  // The frame that is not answered is the monitor's probe; the next one finds the station out of the ring.
  const open = boards ? "token + answer + probe + 5 rotation" : "2 announce + probe + 4 rotation";
  // That of an election, which begins anew when the station is out.
  const hung = boards ? bound(ring, "STANDBY + answer + 2 election + 5 rotation") : silent;
  // The monitors meet at the next announcement; the higher id may take over; the token may be lost on top of it.
  const meet = bound(ring, "announce + PREEMPT + 2 election + token + 5 rotation");
  const back = bound(ring, "standby + slot x highest id + 3 election + 5 rotation");
  const rows: [fault: string, from: string, sum: Sum][] = [
    [TOKEN_LOST, "the loss", bound(ring, "token + 4 rotation")],
    hub
      ? ["holder crash", "the crash", bound(ring, `${alone}token + 4 rotation`)]
      : ["holder crash", "the restart", meet],
    ...(hub
      ? [["holder dead, port open", "its death", bound(ring, `${alone}${open}`)] as [string, string, Sum]]
      : []),
    hub ? ["coordinator crash", "the crash", silent] : ["coordinator crash", "the restart", back],
    hub ? ["hang", "the hang", hung] : ["hang", "its end", meet],
    ["cut and mend", "the mend", meet],
    ["deaf and mended", "the mend", meet],
    ["pause", "its end", meet],
    ...(hub ? [["partition and heal", "the heal", meet] as [string, string, Sum]] : []),
    ["power-up", "the last power-up", bound(ring, "announce + STANDBY + PREEMPT + 4 election + 5 rotation")],
    [SEVERAL, "the end of the last", bound(ring, several(ring))],
  ];
  return rows.map(([fault, from, sum]) => ({ fault, from, ...sum }));
}

/** A request is served within this, in a ring that has formed and that no fault has touched since it must have recovered. */
export const SERVICE = "request served";

/**
 * @returns how long a station that asks waits at the most: all others go before it. Where chance decides, the bound is one
 * that a run is most unlikely to reach
 */
export function serviceBound(ring: BoundedRing): Bound {
  const waits = circulates(ring.mutex)
    ? "2 stations x critical + 2 stations x hold + 4 rotation"
    : traitsOf(ring.mutex).byChance
      ? "8 stations x critical + 400 rotation + 16 stations x rotation"
      : "2 stations x critical + 4 rotation + 3 stations x rotation";
  return { fault: SERVICE, from: "the request, or the end of a recovery", ...bound(ring, waits) };
}

/** @returns the bound of one fault; for a fault without a bound of its own, that of several */
export function boundOf(ring: BoundedRing, fault: string): Bound {
  const all = bounds(ring);
  return all.find((b) => b.fault === fault) ?? (all[all.length - 1] as Bound);
}

/** Elections under way are given up, everyone is silent once more, and then each single recovery comes after the other. */
function several(ring: BoundedRing): string {
  const terms = ["announce", "2 STANDBY", "PREEMPT", "5 election", "token", "critical", "8 rotation"];
  if (ring.leaseMs > 0) terms.push("lease");
  terms.push(ring.wiring === "wired" ? "2 quiet" : "2 announce");
  return terms.join(" + ");
}

interface Sum {
  formula: string;
  ms: number;
}

/**
 * Adds up `factor name` terms. STANDBY is the time until the first station misses the coordinator; PREEMPT the time until
 * a higher id has taken over, where it does.
 */
function bound(ring: BoundedRing, text: string): Sum {
  const { limits, ids } = ring;
  const values: { [name: string]: number } = {
    ...limits,
    "slot x lowest id": limits.slot * Math.min(...ids),
    "slot x highest id": limits.slot * Math.max(...ids),
    critical: Math.max(ring.criticalMs, 0),
    "stations x critical": ids.length * Math.max(ring.criticalMs, 0),
    "stations x hold": ids.length * ring.holdMs,
    "stations x rotation": ids.length * limits.rotation,
    lease: ring.leaseMs,
    preempt: Math.max(ring.preemptMs, 0),
    answer: ring.answerMs ?? 0,
  };
  const preempt = ring.preemptMs < 0 ? "" : "preempt + election + 2 rotation";
  const terms = text.split(" + ").flatMap((term) => {
    const [, factor = "", name] = /^(?:(\d+) )?(.*)$/.exec(term) as RegExpExecArray;
    const times = (words: string) => words.split(" + ").map((word) => `${factor} ${word}`.trim());
    if (name === "STANDBY") return times("standby + slot x lowest id");
    if (name === "PREEMPT") return preempt ? preempt.split(" + ") : [];
    return [term];
  });
  const ms = terms.reduce((sum, term) => {
    const [, factor = "1", name = ""] = /^(?:(\d+) )?(.*)$/.exec(term) as RegExpExecArray;
    return sum + Number(factor) * (values[name] as number);
  }, 0);
  return { formula: terms.join(" + "), ms };
}
