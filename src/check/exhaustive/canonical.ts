/**
 * Makes a state a key, so that states which differ only in what nothing depends on are one: how often the token has
 * been passed, how many entries there were, how many probes and announcements.
 */

import type { Frame } from "../../../firmware/types.d.ts";
import { electionFrames } from "../../protocols/frames.ts";
import { Hash } from "./hash.ts";
import type { Node } from "./node.ts";
import { digestOf, roundOf } from "./station-key.ts";
import { searchOf } from "./station-parts.ts";

/** Lowest hop of each epoch in the state. */
class BaseHops {
  readonly #epochs: number[] = [];
  readonly #hops: number[] = [];

  constructor(node: Node) {
    for (const s of node.stations) {
      if (!s) continue;
      this.#take(s.epoch, s.hop);
      if (s.token.held) this.#take(s.token.epoch, s.token.hop);
    }
    for (const frames of node.links) {
      for (const f of frames) if (f.type === "TOK") this.#take(f.args[0] as number, f.args[1] as number);
    }
  }

  /** @returns the hop counted from the lowest of its epoch */
  relative(epoch: number, hop: number): number {
    return hop - (this.#hops[this.#epochs.indexOf(epoch)] as number);
  }

  #take(epoch: number, hop: number): void {
    if (hop < 0) return;
    const i = this.#epochs.indexOf(epoch);
    if (i < 0) {
      this.#epochs.push(epoch);
      this.#hops.push(hop);
    } else if (hop < (this.#hops[i] as number)) this.#hops[i] = hop;
  }
}

/** Numbers that frames under way carry: what a station remembers of another number is never asked for again. */
interface UnderWay {
  /** Probes and announcements, as origin * 2^24 + number. */
  probes: number[];
  announcements: number[];
  elections: number[];
}

const ORIGIN = 1 << 24;

function underWay(node: Node): UnderWay {
  const found: UnderWay = { probes: [], announcements: [], elections: [] };
  for (const frames of node.links) {
    for (const f of frames) {
      const args = f.args as number[];
      switch (f.type) {
        case "TOK":
        case "PRG":
          break;
        case "PRB":
          found.probes.push((args[0] as number) * ORIGIN + (args[1] as number));
          break;
        case "AMP":
          found.announcements.push(f.src * ORIGIN + (args[1] as number));
          break;
        default:
          found.elections.push(args[0] as number);
      }
    }
  }
  return found;
}

/** A result that was taken matters only where an election is under way, or may still be started, with no higher number. */
function applied(found: UnderWay, lowestRound: number, step: number, election: number): number {
  if (election === 0 || Math.floor(election / step) > lowestRound) return election;
  for (const other of found.elections) if (other <= election) return election;
  return 0;
}

/** @returns the lowest round above which a station, also one that is still to start again, may number its next election */
function lowestRoundOf(node: Node, step: number): number {
  let low = node.left.restarts > 0 ? Math.floor(node.hostEpoch / step) : Infinity;
  for (const s of node.stations) if (s) low = Math.min(low, roundOf(s));
  return low;
}

/** @returns the key of a state, 64 bits as two numbers of 32 */
export function keyOf(node: Node): Hash {
  const hash = new Hash();
  const { crashes, restarts, losses, requests } = node.left;
  hash.add(crashes | (restarts << 4) | (losses << 8) | (requests << 12));
  if (restarts > 0) hash.add(node.hostEpoch);
  const base = new BaseHops(node);
  const found = underWay(node);
  let lowestRound = -1;
  for (let p = 0; p < node.stations.length; p++) {
    const s = node.stations[p];
    hash.add(node.timers[p] as number);
    if (!s) {
      hash.add(-7);
      continue;
    }
    const digest = node.digests[p] ?? digestOf(s);
    node.digests[p] = digest;
    hash.add(digest.high);
    hash.add(digest.low);
    const m = s.monitor;
    const { step } = s.settings;
    if (lowestRound < 0) lowestRound = lowestRoundOf(node, step);
    hash.add(s.hop < 0 ? -1 : base.relative(s.epoch, s.hop));
    hash.add(s.token.held ? base.relative(s.token.epoch, s.token.hop) : -1);
    hash.add(found.probes.includes(m.lastProber * ORIGIN + m.lastProbe) ? 1 : 0);
    hash.add(found.announcements.includes(m.lastAnnouncer * ORIGIN + m.lastAnnounced) ? 1 : 0);
    // How many tokens came is asked when the own announcement is back.
    if (m.duty) {
      const away = found.announcements.includes(s.id * ORIGIN + m.announced);
      hash.add((m.twice ? 4 : 0) | (away ? Math.min(m.tokens, 2) : 0));
    }
    hash.add(applied(found, lowestRound, step, searchOf(s)?.applied?.(s) ?? 0));
    const [election, coordinator] = node.results[p] as readonly [number, number];
    if (!found.elections.includes(election)) continue;
    hash.add(election);
    hash.add(coordinator);
  }
  for (const frames of node.links) {
    hash.add(-11);
    for (const f of frames) addFrame(hash, node, base, f);
  }
  hash.finish();
  return hash;
}

/** Is it the last number that the origin has given? An earlier one comes from before. */
function isLatest(node: Node, id: number, number: number, which: "probe" | "announced"): number {
  for (const s of node.stations) if (s && s.id === id) return s.monitor[which] === number ? 1 : 0;
  return 0;
}

const types = ["TOK", "AMP", "PRB", "PRG", ...electionFrames()];

function addFrame(hash: Hash, node: Node, base: BaseHops, f: Frame): void {
  hash.add(types.indexOf(f.type) | (f.flags << 8) | (f.src << 10) | (f.dst << 18));
  const args = f.args as number[];
  switch (f.type) {
    case "TOK":
      hash.add(args[0] as number);
      hash.add(base.relative(args[0] as number, args[1] as number));
      return;
    case "AMP":
      hash.add(args[0] as number);
      hash.add(isLatest(node, f.src, args[1] as number, "announced"));
      return;
    case "PRB":
      hash.add(args[0] as number);
      hash.add(isLatest(node, args[0] as number, args[1] as number, "probe"));
      hash.add(args[2] as number);
      hash.add(args[3] as number);
      return;
    default:
      for (const arg of args) hash.add(arg);
  }
}
