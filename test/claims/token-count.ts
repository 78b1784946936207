/** Counts the tokens of a ring, of whatever epoch, while it goes on. */
import { EVENT_CODE, FRAME_EVENTS } from "../../src/log/records.ts";
import { type FormedRing, oneToken, tokensOf } from "./ring.ts";

const FRAME_CODES = new Set(FRAME_EVENTS.map((event) => EVENT_CODE[event]));

export class TokenCount {
  /** When there was last another number of tokens than one, microseconds. */
  otherAt = 0;
  readonly #ring: FormedRing;
  #underWay: number;

  constructor(ring: FormedRing) {
    this.#ring = ring;
    this.#underWay = tokensOf(ring.sim).length - this.#held();
  }

  /** Lets the ring go on until a time, microseconds. */
  runUntil(time: number): void {
    const { sim } = this.#ring;
    while (sim.clock.peek() <= time) this.step();
    sim.runUntil(time);
  }

  /** Handles the next thing that is due. @returns the record of the token that has arrived just now; -1: none has */
  step(): number {
    const { sim, records } = this.#ring;
    let arrived = -1;
    let i = records.length;
    sim.step();
    for (; i < records.length; i++) {
      const event = records.event[i];
      if (!FRAME_CODES.has(event as number) || records.frameTypes[records.type[i] as number] !== "TOK")
        continue;
      if (event === EVENT_CODE.transmitted || event === EVENT_CODE.duplicated) this.#underWay++;
      else if (event === EVENT_CODE.hop || event === EVENT_CODE.dropped) this.#underWay--;
      if (event === EVENT_CODE.hop) arrived = i;
    }
    if (this.#underWay + this.#held() !== 1) this.otherAt = sim.clock.now;
    return arrived;
  }

  /** @returns "" when there is one token, of the newest epoch, and has been since `time`; else what is wrong */
  oneSince(time: number): string {
    if (this.otherAt <= time) return oneToken(this.#ring.sim);
    const late = ((this.otherAt - time) / this.#ring.rotation).toFixed(2);
    return `for ${late} rotations longer there is not one token; now ${oneToken(this.#ring.sim) || "there is"}`;
  }

  #held(): number {
    const { sim } = this.#ring;
    return sim.stations.reduce((n, { token }) => n + (token.held ? 1 : 0), 0);
  }
}
