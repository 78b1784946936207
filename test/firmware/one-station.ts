/** One station of the real firmware, with all that goes in and out of it in the test's hands. */
import { NEIGHBOUR } from "../../firmware/frame.js";
import { computeLimits } from "../../firmware/limits.js";
import { installAll } from "../../firmware/protocols.js";
import { boot, createStation, handleFrame, handleTimer } from "../../firmware/station.js";
import type { Frame, Io, Settings, Station } from "../../firmware/types.d.ts";

installAll();

const RING = { stations: 5, baud: 115200, lines: 2, boardMs: 2.1, hostMs: 0.23, holdMs: 0 };

export function settings(changes: Partial<Settings> = {}): Settings {
  return {
    members: [1, 2, 3, 4, 5],
    election: "bully",
    mutex: "token-ring",
    holdMs: 0,
    criticalMs: -1,
    leaseMs: 0,
    preemptMs: -1,
    step: 256,
    limits: computeLimits(RING),
    ...changes,
  };
}

export class OneStation implements Io {
  readonly station: Station;
  /** Milliseconds. */
  time = 0;
  #sent: Frame[] = [];
  #records: string[] = [];
  readonly armed = new Map<string, number>();

  /** @param id 1 to 5 */
  constructor(id: number, changes: Partial<Settings> = {}) {
    this.station = createStation(id, settings(changes));
    boot(this, this.station, 7, 0);
    // Its test for a duplicate id is over.
    this.station.bypassed = false;
    this.sent();
    this.records();
  }

  send(_: Station, frame: Frame): void {
    this.#sent.push({ ...frame, args: [...frame.args] });
  }
  arm(_: Station, timer: string, ms: number): void {
    this.armed.set(timer, this.time + ms);
  }
  disarm(_: Station, timer: string): void {
    this.armed.delete(timer);
  }
  record(_: Station, event: string, ...values: (number | string | undefined)[]): void {
    this.#records.push([event, ...values].join(" "));
  }
  now(): number {
    return this.time;
  }
  random(): number {
    return 0.5;
  }

  /** A frame from the predecessor. */
  hear(type: string, src: number, dst: number, args: (number | string)[], flags = 0): void {
    handleFrame(this, this.station, { type, src, dst, args, flags });
  }

  hearToken(epoch: number, hop: number, grant = 0): void {
    this.hear("TOK", 4, NEIGHBOUR, [epoch, hop, grant]);
  }

  /** Lets time pass to a timer's deadline. */
  fire(timer: string): void {
    const at = this.armed.get(timer);
    if (at === undefined) throw new Error(`${timer} is not armed`);
    this.armed.delete(timer);
    this.time = Math.max(this.time, at);
    handleTimer(this, this.station, timer);
  }

  /** What was sent since the last look, as `TYPE src dst args flags`. */
  sent(): string[] {
    const list = this.#sent.map(
      (f) => `${f.type} ${f.src} ${f.dst} ${f.args.join(",")}${["", " c", " m", " cm"][f.flags]}`,
    );
    this.#sent = [];
    return list;
  }

  /** What was recorded since the last look, as `event values`. */
  records(): string[] {
    const list = this.#records;
    this.#records = [];
    return list;
  }
}
