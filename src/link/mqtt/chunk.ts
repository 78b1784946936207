/**
 * What passes on the topics of a station: pieces of the byte stream of its console, numbered. MQTT with quality of
 * service 1 keeps the order and loses nothing while a connection lives, but may deliver a message twice (MQTT 3.1.1,
 * 4.3.2 and 4.6); the numbers let each count once and show where something is missing.
 *
 * A message is one line of ASCII, `<kind>,<session>,<number>`, a newline, and bytes.
 */

/**
 * open, close: the host begins and ends a session. opened, closed: the station's answers; the text of `closed` is why. data: bytes; their number grows by one. more: so many bytes have been used up.
 */
export const KINDS = ["open", "opened", "close", "closed", "data", "more"] as const;
export type Kind = (typeof KINDS)[number];

export interface Chunk {
  kind: Kind;
  /** Made by chance for each session, 1 to 16 characters of a-z and 0-9. */
  session: string;
  /** 0 to 2^53 - 1. */
  number: number;
  bytes: Buffer;
}

/** The longest message: a piece of the line below and its head. Anything longer is somebody else's. */
export const LONGEST_CHUNK = 4096;
const HEAD = /^(open|opened|close|closed|data|more),([a-z0-9]{1,16}),(\d{1,16})$/;
const LONGEST_HEAD = 48;
const NONE = Buffer.alloc(0);

export function encodeChunk(kind: Kind, session: string, number: number, bytes: Uint8Array = NONE): Buffer {
  return Buffer.concat([Buffer.from(`${kind},${session},${number}\n`, "latin1"), bytes]);
}

/** @returns undefined for anything that `encodeChunk` does not make */
export function decodeChunk(message: Buffer): Chunk | undefined {
  if (message.length > LONGEST_CHUNK) return undefined;
  const end = message.subarray(0, LONGEST_HEAD).indexOf(10);
  if (end < 0) return undefined;
  const match = HEAD.exec(message.toString("latin1", 0, end));
  const number = Number(match?.[3]);
  if (!match || !Number.isSafeInteger(number)) return undefined;
  return { kind: match[1] as Kind, session: match[2] as string, number, bytes: message.subarray(end + 1) };
}

/** Bytes that may be under way to somebody who has not used up any of them. */
export const WINDOW = 65_536;
/** What has been used up is told after so many bytes. */
const TELL = 16_384;

/** The receiving end: takes each piece once and in order. */
export class Inflow {
  #next = 1;
  #used = 0;
  #told = 0;
  #given = 0;
  /** Pieces that came a second time. */
  repeated = 0;

  /** @returns "take" the bytes, "repeated": they have been taken, "missing": a piece before them never came */
  judge(chunk: Chunk): "take" | "repeated" | "missing" | "too-much" {
    if (chunk.number < this.#next) {
      this.repeated += 1;
      return "repeated";
    }
    if (chunk.number > this.#next) return "missing";
    if (this.#given + chunk.bytes.length - this.#used > WINDOW) return "too-much";
    this.#next += 1;
    this.#given += chunk.bytes.length;
    return "take";
  }

  /** So many bytes have been used up. @returns the total to tell the other end, undefined: not yet */
  used(count: number): number | undefined {
    this.#used += count;
    if (this.#used - this.#told < TELL) return undefined;
    this.#told = this.#used;
    return this.#used;
  }
}

/** The sending end: holds back what the other end has no room for. */
export class Outflow {
  #number = 0;
  #sent = 0;
  #used = 0;
  #waiting: { bytes: Buffer; done: () => void } | undefined;
  readonly #publish: (number: number, bytes: Buffer) => void;

  constructor(publish: (number: number, bytes: Buffer) => void) {
    this.#publish = publish;
  }

  /** @param done called once there was room for the bytes; one call at a time */
  send(bytes: Buffer, done: () => void): void {
    if (this.#sent + bytes.length - this.#used > WINDOW) {
      this.#waiting = { bytes, done };
      return;
    }
    this.#number += 1;
    this.#sent += bytes.length;
    this.#publish(this.#number, bytes);
    done();
  }

  /** The other end has used up so many bytes in all. A number that cannot be is ignored. */
  more(used: number): void {
    if (used <= this.#used || used > this.#sent) return;
    this.#used = used;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.send(waiting.bytes, waiting.done);
  }
}
