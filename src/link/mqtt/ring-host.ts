/** The host's end of a ring on a broker: one connection for all its stations, kept while any of them is used. */
import { randomBytes } from "node:crypto";
import { isId } from "../../bench-file/id.ts";
import { LinkError } from "../errors.ts";
import { hostTimers, pause } from "../time.ts";
import type { RingAddress } from "./address.ts";
import { type Chunk, decodeChunk, encodeChunk, type Kind } from "./chunk.ts";
import { connectRing, type RingClient } from "./client.ts";
import { HOST_TOPIC, HostClaim } from "./host-claim.ts";
import { type Presence, readPresence } from "./presence.ts";

/** What is retained arrives right behind the subscription, within this on a slow line, ms. */
const RETAINED_MS = 300;
const SUBSCRIBED_MS = 50;
/** A ring that nobody uses is kept for so long: a link that is lost is opened again at once. Ms. */
const LINGER_MS = 300;

/** Who listens to one station. */
export interface StationListener {
  chunk(chunk: Chunk): void;
  /** The station's program came, went (undefined) or began anew. */
  present(presence: Presence | undefined): void;
  /** The ring is out of reach. */
  lost(reason: string): void;
}

export class RingHost {
  readonly address: RingAddress;
  /** Stations that are there now. */
  readonly present = new Map<number, Presence>();
  /** Messages on the ring's topics that no program of ours makes. */
  refused = 0;
  readonly #listeners = new Map<number, StationListener>();
  #client!: RingClient;
  #claim!: HostClaim;

  private constructor(address: RingAddress) {
    this.address = address;
  }

  /** @throws LinkError: no broker, no right, or another host has the ring */
  static async open(address: RingAddress): Promise<RingHost> {
    const host = new RingHost(address);
    const client = await connectRing(address, {
      will: HOST_TOPIC,
      onMessage: (topic, payload, retained) => host.#message(topic, payload, retained),
      onLost: () => host.#lost("the broker is gone"),
      onBack: () => host.#claim.publish(),
    });
    host.#client = client;
    host.#claim = new HostClaim({
      client,
      instance: sessionName(),
      used: () => !host.idle,
      onLost: (by) => host.#lost(`${by.name} has taken the ring over`),
    });
    try {
      await client.subscribe(HOST_TOPIC, "+/up", "+/here");
      // What is retained comes right behind.
      await pause(SUBSCRIBED_MS);
      const rival = await host.#claim.take(pause);
      if (rival) {
        throw new LinkError(
          "busy",
          address.path,
          `${rival.name} runs this ring: end it there, or use another ring`,
        );
      }
    } catch (error) {
      await client.end();
      throw error;
    }
    return host;
  }

  get connected(): boolean {
    return this.#client.connected;
  }

  listen(id: number, listener: StationListener): void {
    this.#listeners.set(id, listener);
  }

  unlisten(id: number, listener: StationListener): void {
    if (this.#listeners.get(id) === listener) this.#listeners.delete(id);
  }

  get idle(): boolean {
    return this.#listeners.size === 0;
  }

  send(id: number, kind: Kind, session: string, number: number, bytes?: Uint8Array): void {
    this.#client.publish(`${id}/down`, encodeChunk(kind, session, number, bytes));
  }

  end(): Promise<void> {
    return this.#client.end(HOST_TOPIC);
  }

  #message(topic: string, payload: Buffer, retained: boolean): void {
    if (topic === HOST_TOPIC) {
      this.#claim.heard(payload, retained);
      return;
    }
    const [id, end] = topicOf(topic);
    if (id === undefined || (end !== "up" && end !== "here")) this.refused += 1;
    else if (end === "here") this.#here(id, payload);
    else {
      // What is retained on it was never meant for this session.
      const chunk = retained ? undefined : decodeChunk(payload);
      if (chunk) this.#listeners.get(id)?.chunk(chunk);
      else this.refused += 1;
    }
  }

  #here(id: number, payload: Buffer): void {
    const presence = readPresence(payload);
    // One that does not know yet whether the id is its own is not there yet.
    if (presence && !presence.settled) return;
    if (presence) this.present.set(id, presence);
    else if (payload.length === 0) this.present.delete(id);
    else {
      this.refused += 1;
      return;
    }
    this.#listeners.get(id)?.present(presence);
  }

  #lost(reason: string): void {
    if (!this.connected) this.present.clear();
    for (const listener of [...this.#listeners.values()]) listener.lost(reason);
  }
}

interface Shared {
  host: Promise<RingHost>;
  users: number;
  endLinger(): void;
}

const hosts = new Map<string, Shared>();

/** The host of a ring in this process, made at the first call. To be given back with `leaveRing`. @throws LinkError */
export async function joinRing(address: RingAddress): Promise<RingHost> {
  const shared = hosts.get(address.path) ?? { host: RingHost.open(address), users: 0, endLinger() {} };
  hosts.set(address.path, shared);
  shared.endLinger();
  shared.users += 1;
  try {
    return await shared.host;
  } catch (error) {
    if (hosts.get(address.path) === shared) hosts.delete(address.path);
    throw error;
  }
}

/** Gives the host of a ring back. Whoever is last takes its claim away, after a moment in which it may be joined again. */
export function leaveRing(address: RingAddress): void {
  const shared = hosts.get(address.path);
  if (!shared) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  shared.endLinger = hostTimers.after(LINGER_MS, () => {
    hosts.delete(address.path);
    void shared.host.then((host) => host.end());
  });
}

/** @returns the stations that are on a ring now, by id @throws LinkError */
export async function stationsOn(address: RingAddress): Promise<Map<number, Presence>> {
  const present = new Map<number, Presence>();
  const client = await connectRing(address, {
    will: `visitor/${sessionName()}`,
    onMessage(topic, payload) {
      const [id, end] = topicOf(topic);
      const presence = readPresence(payload);
      if (id !== undefined && end === "here" && presence?.settled) present.set(id, presence);
    },
    onLost() {},
    onBack() {},
  });
  try {
    await client.subscribe("+/here");
    await pause(RETAINED_MS);
  } finally {
    await client.end();
  }
  return new Map([...present].sort(([a], [b]) => a - b));
}

/** @returns the station that a topic is of, and what of it; no id where it is of none */
function topicOf(topic: string): [id: number | undefined, end: string] {
  const [, digits, end = ""] = /^(0|[1-9]\d{0,2})\/(.*)$/s.exec(topic) ?? [];
  const id = digits === undefined ? undefined : Number(digits);
  return [isId(id) ? id : undefined, end];
}

/** A name that no other session has. */
export function sessionName(): string {
  return BigInt(`0x${randomBytes(8).toString("hex")}`)
    .toString(36)
    .slice(0, 12);
}
