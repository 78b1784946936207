/** Who runs a ring on a broker: one host at a time, known by name. */
import { hostname } from "node:os";
import { escapeControls } from "../../errors.ts";
import type { RingClient } from "./client.ts";

/** Topic of the claim, retained: JSON of name, instance and whether the ring is held. */
export const HOST_TOPIC = "host";
/** A host that asks where nobody has left a word waits so long for another that asks, ms ... */
const ALONE_MS = 150;
/** ... and so long for the answer of one that has: if there is none, a crash has left the word behind. */
const ANSWER_MS = 700;
const LONGEST_NAME = 60;
const LONGEST = 500;

export interface Claim {
  name: string;
  instance: string;
  /** False: it asks. */
  held: boolean;
}

/** @returns undefined for what no host of ours wrote; the name comes back escaped and clipped */
export function readClaim(payload: Buffer): Claim | undefined {
  if (payload.length === 0 || payload.length > LONGEST) return undefined;
  try {
    const { name, instance, held } = JSON.parse(payload.toString("utf8")) as Claim;
    if (typeof name !== "string" || typeof instance !== "string" || !/^[a-z0-9]{1,16}$/.test(instance))
      return undefined;
    return { name: escapeControls(name.slice(0, LONGEST_NAME)), instance, held: held === true };
  } catch {
    return undefined;
  }
}

export interface ClaimOptions {
  client: RingClient;
  /** Made by chance. */
  instance: string;
  /** @returns whether the ring is still used: one that is not gives way */
  used(): boolean;
  /** Another host has the ring: two claimed it at one moment. */
  onLost(by: Claim): void;
}

/** Holds the claim of this process on a ring, or finds out who has it. */
export class HostClaim {
  readonly #options: ClaimOptions;
  readonly #name = `${hostname()}, process ${process.pid}`;
  #held = false;
  #rival: Claim | undefined;
  /** Somebody has left a claim here, who may be gone. */
  #left = false;

  constructor(options: ClaimOptions) {
    this.#options = options;
  }

  /** To be called with every message on HOST_TOPIC. */
  heard(payload: Buffer, retained: boolean): void {
    const other = readClaim(payload);
    if (!other || other.instance === this.#options.instance) return;
    if (retained) {
      this.#left = true;
      return;
    }
    const isFirst = other.instance < this.#options.instance;
    if (!this.#held) {
      if (other.held || isFirst) this.#rival = other;
    } else if (other.held && (isFirst || !this.#options.used())) {
      this.#held = false;
      this.#options.onLost(other);
    } else if (this.#options.used()) this.publish();
  }

  /** Asks for the ring. @returns who has it; undefined: it is ours now */
  async take(wait: (ms: number) => Promise<void>): Promise<Claim | undefined> {
    this.publish();
    await wait(this.#left ? ANSWER_MS : ALONE_MS);
    if (this.#rival) return this.#rival;
    this.#held = true;
    this.publish();
    return undefined;
  }

  /** Says who is here; also what brings the claim back after the broker was away. */
  publish(): void {
    const { client, instance } = this.#options;
    client.publish(HOST_TOPIC, JSON.stringify({ name: this.#name, instance, held: this.#held }), true);
  }
}
