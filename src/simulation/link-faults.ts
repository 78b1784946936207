/**
 * Faults of links: which frames are dropped, corrupted, doubled or late. Rules are tried in the order in which they were
 * made; the first that fits decides the fate of the frame.
 */
import type { Frame } from "../../firmware/types.d.ts";
import type { Disturbance } from "./medium.ts";
import type { Random } from "./random.ts";

export type LinkFaultKind = "drop" | "corrupt" | "duplicate" | "delay";
export const LINK_FAULTS: readonly LinkFaultKind[] = ["drop", "corrupt", "duplicate", "delay"];

/** More bits than any frame has; the medium takes the remainder. */
const BITS = 1 << 20;

export interface LinkRule {
  /** Position of the transmitter. */
  position: number;
  /** Undefined: one of the kinds at random. */
  kind?: LinkFaultKind;
  /** Type of frame; undefined: every type. */
  type?: string;
  /** How many frames are still to be disturbed. */
  left: number;
  /** Until when the rule holds, microseconds. */
  until: number;
  /** Share of the frames that are disturbed, 0 to 1. */
  chance: number;
  /** Microseconds by which a frame is late; at random up to this when the kind is. */
  delay: number;
}

export class LinkFaults {
  readonly #random: Random;
  #rules: LinkRule[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  add(rule: LinkRule): void {
    this.#rules.push(rule);
  }

  /** Takes back every rule. */
  clear(): void {
    this.#rules = [];
  }

  /** @returns what happens to a frame that leaves `position` at `now` */
  decide(position: number, frame: Frame, now: number): Disturbance | null {
    if (this.#rules.length === 0) return null;
    for (const rule of this.#rules) {
      if (rule.position !== position || now > rule.until) continue;
      if (rule.type !== undefined && rule.type !== frame.type) continue;
      if (rule.chance < 1 && this.#random.next() >= rule.chance) continue;
      if (--rule.left <= 0) this.#rules = this.#rules.filter((other) => other !== rule);
      return this.#disturbance(rule);
    }
    return null;
  }

  #disturbance(rule: LinkRule): Disturbance {
    switch (rule.kind ?? this.#random.pick(LINK_FAULTS)) {
      case "drop":
        return { drop: true };
      case "corrupt":
        return { flipBit: this.#random.below(BITS) };
      case "duplicate":
        return { duplicate: true };
      case "delay":
        return { delay: rule.kind ? rule.delay : Math.ceil(this.#random.next() * rule.delay) };
    }
  }
}
