/**
 * What a simulated ring is made of. A plan, a script and a seed determine a run completely.
 */

import { LAST_ID } from "../../firmware/frame.js";
import { computeLimits, LEAST_ROTATIONS, type RingTiming } from "../../firmware/limits.js";
import { DEFAULT_ELECTION, DEFAULT_MUTEX } from "../../firmware/protocols.js";
import type { Limits, Settings } from "../../firmware/types.d.ts";
import { UsageError } from "../errors.ts";
import { traitsOf } from "../protocols/registry.ts";

export type Wiring = "hub" | "wired";

export interface Plan {
  /** Ids in ring order. */
  ids: number[];
  wiring: Wiring;
  /** Bits per second of every link. */
  baud: number;
  /** Time that a station takes for one frame, microseconds. */
  boardMicros: number;
  /** Time that the hub takes for one frame, microseconds; 0 on a wired ring. */
  hostMicros: number;
  /** Name of the election protocol. */
  election: string;
  /** Name of the mutual exclusion protocol. */
  mutex: string;
  holdMs: number;
  criticalMs: number;
  leaseMs: number;
  preemptMs: number;
  /** Limits that replace the computed ones, ms. */
  limits: Partial<Limits>;
  seed: number;
}

/** The longest time that a ring may have to do with, ms: 24 days, a little less than the longest timer of Node. */
export const MOST_MS = 24 * 86_400_000;

/** A ring of boards like the Raspberry Pi Pico at 115200 baud on a hub. */
export const DEFAULT_PLAN: Plan = {
  ids: [1, 2, 3, 4, 5],
  wiring: "hub",
  baud: 115200,
  // Measured: 2.1 ms of interpreter a hop on an RP2040; 0.46 ms round trip through two ttys.
  boardMicros: 2100,
  hostMicros: 230,
  election: DEFAULT_ELECTION,
  mutex: DEFAULT_MUTEX,
  holdMs: 0,
  criticalMs: 20,
  leaseMs: 0,
  preemptMs: 0,
  limits: {},
  seed: 1,
};

/** @returns how long a higher id waits before it takes over, ms, where nobody says it: at once, or never (-1) */
export function defaultPreemptMs(election: string): number {
  return traitsOf(election).takesOver ? 0 : -1;
}

/** @returns ids 1 to n in ring order; in rings wider than any board's, the reserved addresses 251 to 255 are left out */
export function consecutiveIds(n: number): number[] {
  return Array.from({ length: n }, (_, i) => (i < LAST_ID ? i + 1 : i + 6));
}

/** @returns what the limits of this plan are computed from */
export function timing(plan: Plan): RingTiming {
  return {
    stations: plan.ids.length,
    baud: plan.baud,
    lines: plan.wiring === "hub" ? 2 : 1,
    boardMs: plan.boardMicros / 1000,
    hostMs: plan.wiring === "hub" ? plan.hostMicros / 1000 : 0,
    holdMs: plan.holdMs,
  };
}

/**
 * @returns the limits of a ring, the given ones in the place of computed ones
 * @throws UsageError when one is below its stated multiple of a rotation
 */
export function limitsOf(plan: Plan): Limits {
  const limits = computeLimits(timing(plan));
  for (const [name, least] of Object.entries(LEAST_ROTATIONS)) {
    const given = plan.limits[name as keyof Limits];
    if (given === undefined) continue;
    const floor = least * limits.rotation;
    if (!(given <= MOST_MS)) {
      throw new UsageError(`limit ${name}: ${given} ms is too long: write at most ${MOST_MS} ms (24 days)`);
    }
    if (!(given >= floor)) {
      throw new UsageError(
        `limit ${name}: ${given} ms is below ${least} rotations of this ring (${floor.toFixed(1)} ms): raise it, or leave it out`,
      );
    }
    limits[name as keyof Limits] = given;
  }
  return limits;
}

/** @returns the settings that every station of the plan shares */
export function settingsOf(plan: Plan): Settings {
  const highest = plan.ids.reduce((a, b) => Math.max(a, b), 0);
  return {
    members: [...plan.ids].sort((a, b) => a - b),
    election: plan.election,
    mutex: plan.mutex,
    holdMs: plan.holdMs,
    criticalMs: plan.criticalMs,
    leaseMs: plan.leaseMs,
    preemptMs: plan.preemptMs,
    step: highest <= 255 ? 256 : 2 ** Math.ceil(Math.log2(highest + 1)),
    limits: limitsOf(plan),
  };
}
