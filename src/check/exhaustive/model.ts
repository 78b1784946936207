/**
 * The unchanged firmware in a ring without time. What may happen next is chosen from outside: a frame arrives or is lost, a
 * timer runs out, a station asks, crashes or starts again. On a hub a dead station is bypassed at once.
 *
 * Time: a limit may run out at any moment, except while what it waits for is still under way. That is what the limits are
 * made for (firmware/limits.js keeps each above a stated multiple of a rotation); the rules stand in timer-rules.ts.
 */
import { installAll } from "../../../firmware/protocols.js";
import { timers as timerHandlers } from "../../../firmware/registry.js";
import { holdsToken } from "../../../firmware/ring/token-ring.js";
import { boot, createStation, handleFrame, handleTimer, request } from "../../../firmware/station.js";
import type { Frame, Io, Settings, Station } from "../../../firmware/types.d.ts";
import { type Budget, copyStation, type Node, predecessor, prepared, successor } from "./node.ts";
import { mayFire } from "./timer-rules.ts";

installAll();

/**
 * Every timer name; the index is its bit. Left out are the quiet limit, since on a hub the ring is never broken, and that of
 * the test for a duplicate id.
 */
export const TIMERS = [...Object.keys(timerHandlers), "critical"].filter(
  (name) => name !== "quiet" && name !== "dup",
);
const TIMER_BIT = Object.fromEntries(TIMERS.map((name, i) => [name, 1 << i]));

/** A time at which every limit that was set before has run out. */
const LATE = 1e9;

export type Step =
  | { kind: "deliver" | "lose" | "crash" | "restart" | "request"; position: number }
  | { kind: "timer"; position: number; timer: string };

/** @returns a step as a person reads it */
export function describe(step: Step, ids: readonly number[]): string {
  const id = ids[step.position];
  switch (step.kind) {
    case "deliver":
      return `the next frame from ${id} arrives`;
    case "lose":
      return `the next frame from ${id} is lost`;
    case "timer":
      return `${step.timer} runs out at ${id}`;
    default:
      return `${step.kind} ${id}`;
  }
}

export class Model implements Io {
  readonly ids: readonly number[];
  readonly settings: Settings;
  /** What the last step did wrong; "" when nothing. */
  violation = "";
  #work!: Node;
  #now = 0;
  readonly #position = new Map<number, number>();

  constructor(ids: readonly number[], settings: Settings) {
    this.ids = ids;
    this.settings = settings;
    ids.forEach((id, p) => {
      this.#position.set(id, p);
    });
  }

  /** All stations have just powered up. */
  start(left: Budget): Node {
    const n = this.ids.length;
    this.#work = {
      stations: this.ids.map((id) => this.#create(id)),
      digests: this.ids.map(() => null),
      links: Array.from({ length: n }, () => []),
      timers: new Array<number>(n).fill(0),
      results: Array.from({ length: n }, () => [0, -1] as const),
      hostEpoch: 0,
      left,
    };
    for (const s of this.#work.stations) this.#boot(s as Station, 1);
    return this.#work;
  }

  /** The ring has formed: one election was held, by the first station alone, and the token goes round. */
  startFormed(left: Budget): Node {
    let node = this.start({ crashes: 0, restarts: 0, losses: 0, requests: 0 });
    node = this.after(node, { kind: "timer", position: 0, timer: "standby" });
    const quiet = (n: Node) => n.links.every((frames) => frames.every((f) => f.type === "TOK"));
    while (!quiet(node) || !node.hostEpoch) {
      const position = node.links.findIndex((frames) => frames.length > 0);
      node = this.after(node, { kind: "deliver", position });
    }
    return { ...node, left };
  }

  /** @returns everything that may happen next */
  steps(node: Node): Step[] {
    const steps: Step[] = [];
    for (let position = 0; position < this.ids.length; position++) {
      const s = node.stations[position];
      if ((node.links[position] as readonly Frame[]).length > 0) {
        steps.push({ kind: "deliver", position });
        if (node.left.losses > 0) steps.push({ kind: "lose", position });
      }
      if (!s) {
        if (node.left.restarts > 0) steps.push({ kind: "restart", position });
        continue;
      }
      if (node.left.requests > 0 && !s.wants && !s.early && !s.inside)
        steps.push({ kind: "request", position });
      if (node.left.crashes > 0) steps.push({ kind: "crash", position });
      const armed = node.timers[position] as number;
      if (!armed) continue;
      for (let i = 0; i < TIMERS.length; i++) {
        const timer = TIMERS[i] as string;
        if (armed & (1 << i) && mayFire(node, s, timer)) steps.push({ kind: "timer", position, timer });
      }
    }
    return steps;
  }

  /** @returns the state after a step; `violation` says what went wrong in it */
  after(node: Node, step: Step): Node {
    const work: Node = {
      stations: node.stations.slice(),
      digests: node.digests.slice(),
      links: node.links.slice(),
      timers: node.timers.slice(),
      results: node.results.slice(),
      hostEpoch: node.hostEpoch,
      left: node.left,
    };
    this.#work = work;
    this.violation = "";
    const p = step.position;
    switch (step.kind) {
      case "deliver":
        this.#deliver(p);
        break;
      case "lose":
        work.links[p] = (work.links[p] as readonly Frame[]).slice(1);
        work.left = { ...work.left, losses: work.left.losses - 1 };
        break;
      case "crash":
        this.#crash(p);
        break;
      case "restart":
        work.left = { ...work.left, restarts: work.left.restarts - 1 };
        this.#insert(p);
        work.stations[p] = this.#create(this.ids[p] as number);
        work.digests[p] = null;
        this.#boot(work.stations[p] as Station, 2);
        break;
      case "request":
        work.left = { ...work.left, requests: work.left.requests - 1 };
        request(this, this.#own(p));
        break;
      case "timer": {
        work.timers[p] = (work.timers[p] as number) & ~(TIMER_BIT[step.timer] as number);
        const before = node.stations[p] as Station;
        const s = this.#own(p);
        this.#now = LATE;
        handleTimer(this, s, step.timer);
        this.#now = 0;
        forgetTimes(s);
        if (s.monitor.purging > before.monitor.purging && tokensOf(work, before.epoch) > 0)
          this.#wrong(`${s.id} purges a token that is there`);
        if (holdsToken(before) && tokensOf(work, before.epoch) === 0)
          this.#wrong(`the token of epoch ${before.epoch} ends at ${s.id}`);
      }
    }
    return work;
  }

  // What a station can do to the world.

  send(s: Station, frame: Frame): void {
    // A hello changes nothing but who is taken for the predecessor, which only beacons use; of duplicate ids there are none.
    if (frame.type === "HEL" || frame.type === "DUP") return;
    const p = this.#at(s);
    const { type, src, dst, args, flags } = frame;
    this.#work.links[p] = [
      ...(this.#work.links[p] as readonly Frame[]),
      { type, src, dst, args: args.slice(), flags },
    ];
  }

  arm(s: Station, timer: string): void {
    const p = this.#at(s);
    this.#work.timers[p] = (this.#work.timers[p] as number) | (TIMER_BIT[timer] ?? 0);
  }

  disarm(s: Station, timer: string): void {
    const p = this.#at(s);
    this.#work.timers[p] = (this.#work.timers[p] as number) & ~(TIMER_BIT[timer] ?? 0);
  }

  record(s: Station, event: string, a?: number | string, b?: number | string): void {
    const { stations, results } = this.#work;
    const others = stations.filter((other): other is Station => other !== null && other !== s);
    if (event === "enter") {
      const other = others.find((o) => o.inside);
      if (other)
        this.#wrong(`${s.id} enters in epoch ${a} while ${other.id} is inside in epoch ${other.fenceEpoch}`);
    } else if (event === "lost") {
      if (tokensOf(this.#work, s.epoch) > 0) this.#wrong(`${s.id} gives a token up for lost that is there`);
    } else if (event === "regenerated") {
      this.#work.hostEpoch = Math.max(this.#work.hostEpoch, a as number);
    } else if (event === "coordinator" && (b as number) > 0) {
      const before = results.find(([election]) => election === b);
      if (before && before[1] !== a)
        this.#wrong(`election ${b} made ${before[1]} coordinator, and at ${s.id} ${a}`);
      results[this.#at(s)] = [b as number, a as number];
    }
  }

  now(): number {
    return this.#now;
  }

  random(): number {
    return 0;
  }

  #wrong(text: string): void {
    if (!this.violation) this.violation = text;
  }

  #at(s: Station): number {
    return this.#position.get(s.id) as number;
  }

  #create(id: number): Station {
    return prepared(createStation(id, this.settings));
  }

  /** Power-up ends where the test for a duplicate id does: until then the station is bypassed, as one without power is. */
  #boot(s: Station, bootId: number): void {
    boot(this, s, bootId, this.#work.hostEpoch);
    s.bypassed = false;
  }

  /** @returns the station at a position, ready to be changed */
  #own(p: number): Station {
    const copy = copyStation(this.#work.stations[p] as Station);
    this.#work.stations[p] = copy;
    this.#work.digests[p] = null;
    return copy;
  }

  #deliver(p: number): void {
    const work = this.#work;
    const [frame, ...rest] = work.links[p] as readonly Frame[];
    work.links[p] = rest;
    const to = successor(work, p);
    if (!frame || !work.stations[to]) return;
    const known = (work.stations[to] as Station).epoch;
    const s = this.#own(to);
    // A station alone has long found out that it is.
    this.#now = to === p ? LATE : 0;
    handleFrame(this, s, { ...frame, args: frame.args.slice() });
    this.#now = 0;
    forgetTimes(s);
    const epoch = frame.type === "TOK" ? (frame.args[0] as number) : -1;
    if (epoch < 0) return;
    const tokens = tokensOf(work, epoch);
    if (tokens > 1) this.#wrong(`there are two tokens of epoch ${epoch}`);
    // One that comes back to its sender, past a station inserted meanwhile, is an echo.
    if (tokens === 0 && epoch >= known && frame.src !== s.id)
      this.#wrong(`the token of epoch ${epoch} ends at ${s.id}`);
  }

  /** What is under way past the station arrives before anything that it sends. */
  #insert(p: number): void {
    const { links } = this.#work;
    const before = predecessor(this.#work, p);
    if (before === p) return;
    links[p] = links[before] as readonly Frame[];
    links[before] = [];
  }

  /** What is under way to the station is lost with it; what it has sent arrives, before anything sent later. */
  #crash(p: number): void {
    const work = this.#work;
    work.left = { ...work.left, crashes: work.left.crashes - 1 };
    const before = predecessor(work, p);
    if (before !== p) {
      work.links[before] = work.links[p] as readonly Frame[];
      work.links[p] = [];
    }
    work.stations[p] = null;
    work.timers[p] = 0;
    work.results[p] = [0, -1];
  }
}

/** @returns the tokens of an epoch: those under way and those held */
export function tokensOf(node: Node, epoch: number): number {
  let count = 0;
  for (const frames of node.links) {
    for (const frame of frames) if (frame.type === "TOK" && frame.args[0] === epoch) count++;
  }
  for (const s of node.stations) if (s?.token.held && s.token.epoch === epoch) count++;
  return count;
}

/** Without time a moment is only past (0) or never (-1). */
function forgetTimes(s: Station): void {
  s.heardAt = 0;
  s.monitorAt = 0;
  s.tokenAt = 0;
  if (s.othersAt > 0) s.othersAt = 0;
  s.monitor.probedAt = 0;
  if (s.monitor.markedAt > 0) s.monitor.markedAt = 0;
  if (s.monitor.busyAt > 0) s.monitor.busyAt = 0;
  if (s.beacon.brokenAt > 0) s.beacon.brokenAt = 0;
}
