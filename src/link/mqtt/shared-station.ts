/** The station's end of a ring on a broker: a console, whatever carries it, on the topics of its id. */
import { hostname } from "node:os";
import { escapeControls } from "../../errors.ts";
import { LinkError } from "../errors.ts";
import type { Link } from "../link.ts";
import { pause } from "../time.ts";
import { ringOf, type StationAddress } from "./address.ts";
import { type Chunk, decodeChunk, encodeChunk, Inflow, type Kind, Outflow } from "./chunk.ts";
import { connectRing, type RingClient } from "./client.ts";
import { HOST_TOPIC, readClaim } from "./host-claim.ts";
import { type Presence, presenceText, readPresence } from "./presence.ts";
import { sessionName } from "./ring-host.ts";

/** Pieces that a message carries. */
const PIECE = 1024;
/** Bytes of the board that wait for room, at most: 40 s at 1 M baud. */
const MOST_WAITING = 4_194_304;
/** The board's line is asked after so many bytes ... */
const TELL_BYTES = 16_384;
/** ... and takes them within this, ms: 16 kB take 17 s at 9600 baud. */
const BOARD_MS = 30_000;
/** Another program that has left its word here answers within this, ms ... */
const ANSWER_MS = 700;
/** ... and one that comes at the same moment within this. */
const ALONE_MS = 150;

export interface SharedOptions {
  /** What the station is, for people: a port, "emulated". */
  what: string;
  /** Something happened that a person may want to read: one line. */
  onNews?(line: string): void;
}

interface Session {
  name: string;
  inflow: Inflow;
  outflow: Outflow;
  /** Bytes of the board that wait for room. */
  waiting: Buffer[];
  waitingBytes: number;
  sending: boolean;
  /** Bytes of the host that the board's line may not have taken yet. */
  unread: number;
  telling: boolean;
}

export class SharedStation {
  readonly address: StationAddress;
  /** Messages that were none of ours, or of no session. */
  refused = 0;
  readonly #link: Link;
  readonly #options: SharedOptions;
  readonly #instance = sessionName();
  #client!: RingClient;
  #session: Session | undefined;
  #host: string | undefined;
  #rival: Presence | undefined;
  /** Somebody has left a word with this id, who may be gone. */
  #left = false;
  #settled = false;
  #stopped = false;

  private constructor(address: StationAddress, link: Link, options: SharedOptions) {
    this.address = address;
    this.#link = link;
    this.#options = options;
  }

  /**
   * Puts an open link on the ring's topics.
   * @param link to the board's console; it is closed at the end
   * @throws LinkError: no broker, no right, or another program shares this id
   */
  static async open(address: StationAddress, link: Link, options: SharedOptions): Promise<SharedStation> {
    const shared = new SharedStation(address, link, options);
    const { id } = address;
    const client = await connectRing(ringOf(address), {
      will: `${id}/here`,
      onMessage: (topic, payload, retained) => shared.#message(topic, payload, retained),
      onLost: () => shared.#brokerLost(),
      onBack: () => shared.#announce(),
    });
    shared.#client = client;
    try {
      await client.subscribe(`${id}/down`, `${id}/here`, HOST_TOPIC);
      shared.#announce();
      await pause(ALONE_MS);
      if (shared.#left) await pause(ANSWER_MS);
      const rival = shared.#rival as Presence | undefined;
      if (rival) {
        throw new LinkError(
          "busy",
          address.path,
          `${rival.name} shares station ${id} already: take another id`,
        );
      }
    } catch (error) {
      await client.end();
      throw error;
    }
    shared.#settled = true;
    shared.#announce();
    shared.#attach();
    return shared;
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#end("the sharing program ends");
    await this.#client.end(`${this.address.id}/here`);
    await this.#link.close();
  }

  #attach(): void {
    this.#link.listener = {
      onBytes: (bytes) => this.#fromBoard(bytes),
      onLost: (reason) => {
        this.#news(`the board is gone: ${reason}`);
        this.#end(`the board is gone: ${reason}`);
      },
      onState: (state) => {
        if (state === "open") this.#news("the board is there");
      },
    };
  }

  #announce(): void {
    this.#client.publish(
      `${this.address.id}/here`,
      presenceText({
        instance: this.#instance,
        name: hostname(),
        what: this.#options.what,
        settled: this.#settled,
      }),
      true,
    );
    if (this.#settled) this.#news("on the broker");
  }

  #message(topic: string, payload: Buffer, retained: boolean): void {
    if (topic === HOST_TOPIC) this.#hostIs(payload);
    else if (topic === `${this.address.id}/here`) this.#here(payload, retained);
    else if (topic === `${this.address.id}/down`) {
      const chunk = retained ? undefined : decodeChunk(payload);
      if (chunk) this.#take(chunk);
      else this.refused += 1;
    }
  }

  /** Another program with this id: who is settled stays and says so, of two new ones the lower instance. */
  #here(payload: Buffer, retained: boolean): void {
    const other = readPresence(payload);
    if (!other) {
      // Somebody took the word away that this station is here: its own last will, after a short break.
      if (payload.length === 0 && this.#settled && !this.#stopped) this.#announce();
      return;
    }
    if (other.instance === this.#instance) return;
    if (this.#settled) {
      this.#news(`${other.name} wants to share station ${this.address.id} too: it is refused`);
      this.#announce();
    } else if (retained) this.#left = true;
    else if (other.settled || other.instance < this.#instance) this.#rival = other;
  }

  #hostIs(payload: Buffer): void {
    const claim = readClaim(payload);
    this.#host = claim?.name;
    if (!claim && this.#session && payload.length === 0) {
      this.#news("the host has gone");
      this.#session = undefined;
    }
  }

  #take(chunk: Chunk): void {
    const session = this.#session;
    if (chunk.kind === "open") {
      this.#open(chunk.session);
      return;
    }
    if (!session || chunk.session !== session.name) {
      this.refused += 1;
      return;
    }
    if (chunk.kind === "close") this.#session = undefined;
    else if (chunk.kind === "more") {
      session.outflow.more(chunk.number);
    } else if (chunk.kind === "data") this.#toBoard(session, chunk);
  }

  #open(name: string): void {
    if (this.#link.state !== "open") {
      this.#send("closed", name, 0, Buffer.from("its board is not there: plug it in"));
      return;
    }
    this.#session = {
      name,
      inflow: new Inflow(),
      outflow: new Outflow((number, bytes) => this.#send("data", name, number, bytes)),
      waiting: [],
      waitingBytes: 0,
      sending: false,
      unread: 0,
      telling: false,
    };
    this.#send("opened", name, 0);
    this.#news(`${this.#host ?? "a host"} runs it`);
  }

  #toBoard(session: Session, chunk: Chunk): void {
    const verdict = session.inflow.judge(chunk);
    if (verdict === "repeated") return;
    if (verdict !== "take") {
      this.#end("messages were lost on the way");
      return;
    }
    if (!this.#link.write(chunk.bytes.toString("latin1"))) {
      this.#end("the board takes no more: is it hung?");
      return;
    }
    session.unread += chunk.bytes.length;
    this.#tellRead(session);
  }

  /** Lets the host send on once the board's line has taken what came. */
  #tellRead(session: Session): void {
    if (session.telling || session.unread < TELL_BYTES) return;
    const count = session.unread;
    session.telling = true;
    void this.#link.flush(BOARD_MS).then((taken) => {
      session.telling = false;
      if (session !== this.#session) return;
      if (!taken) {
        this.#end("the board takes no more: is it hung?");
        return;
      }
      session.unread -= count;
      const used = session.inflow.used(count);
      if (used !== undefined) this.#send("more", session.name, used);
      this.#tellRead(session);
    });
  }

  #fromBoard(bytes: Uint8Array): void {
    const session = this.#session;
    // Nobody listens: a board prints its records only to a host that asks for them.
    if (!session) return;
    if (session.waitingBytes + bytes.length > MOST_WAITING) {
      this.#end("the host does not read");
      return;
    }
    session.waitingBytes += bytes.length;
    for (let at = 0; at < bytes.length; at += PIECE) {
      session.waiting.push(Buffer.from(bytes.subarray(at, at + PIECE)));
    }
    this.#sendNext(session);
  }

  #sendNext(session: Session): void {
    if (session.sending || session !== this.#session) return;
    const piece = session.waiting.shift();
    if (!piece) return;
    session.sending = true;
    session.outflow.send(piece, () => {
      session.sending = false;
      session.waitingBytes -= piece.length;
      // Not from here: a long queue would be as many calls deep.
      if (session.waiting.length) queueMicrotask(() => this.#sendNext(session));
    });
  }

  #end(reason: string): void {
    const session = this.#session;
    this.#session = undefined;
    if (session) this.#send("closed", session.name, 0, Buffer.from(reason));
  }

  #brokerLost(): void {
    this.#session = undefined;
    this.#host = undefined;
    if (!this.#stopped) this.#news("the broker is gone; it is looked for");
  }

  #send(kind: Kind, session: string, number: number, bytes?: Uint8Array): void {
    this.#client.publish(`${this.address.id}/up`, encodeChunk(kind, session, number, bytes));
  }

  #news(line: string): void {
    this.#options.onNews?.(escapeControls(line));
  }
}
