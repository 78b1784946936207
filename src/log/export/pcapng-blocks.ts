/**
 * Blocks of a pcapng file, little endian.
 * Source: PCAP Next Generation (pcapng) Capture File Format, draft-ietf-opsawg-pcapng, sections 4.1 to 4.3.
 */

import { putBytes } from "../file/bytes.ts";

/** Link types (www.tcpdump.org/linktypes.html). */
export const IEEE802_5 = 6;
export const USER0 = 147;

const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const PACKET = 6;

const END_OF_OPTIONS = 0;
const COMMENT = 1;
const HARDWARE = 2;
const APPLICATION = 4;
const IF_NAME = 2;
const IF_DESCRIPTION = 3;
const IF_SPEED = 8;
const IF_TSRESOL = 9;
const EPB_FLAGS = 2;
const EPB_PACKETID = 5;

/** Size of a packet block without data, comment and flags, bytes. */
const PACKET_FIXED = 48;
const WORD = 2 ** 32;

const LONGEST_OPTION = 65_532;
const NANOSECONDS = 9;
const OUTBOUND = 2;

type Option = [code: number, value: Uint8Array];

export interface SectionInfo {
  hardware: string;
  application: string;
  comment: string;
}

export function sectionBlock({ hardware, application, comment }: SectionInfo): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(0x1a2b3c4d, 0);
  body.writeUInt16LE(1, 4);
  // The length of the section is not known beforehand.
  body.writeBigInt64LE(-1n, 8);
  return block(SECTION, body, [
    [COMMENT, Buffer.from(comment)],
    [HARDWARE, Buffer.from(hardware)],
    [APPLICATION, Buffer.from(application)],
  ]);
}

export interface InterfaceInfo {
  linkType: number;
  name: string;
  description: string;
  /** Bits per second; 0: not known. */
  speed: number;
}

export function interfaceBlock({ linkType, name, description, speed }: InterfaceInfo): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt16LE(linkType, 0);
  const options: Option[] = [
    [IF_NAME, Buffer.from(name)],
    [IF_DESCRIPTION, Buffer.from(description)],
  ];
  if (speed) options.push([IF_SPEED, u64(speed)]);
  options.push([IF_TSRESOL, Uint8Array.of(NANOSECONDS)]);
  return block(INTERFACE, body, options);
}

export interface PacketInfo {
  interfaceId: number;
  /** Microseconds; before 0 there is no time in this format. */
  micros: number;
  data: Uint8Array;
  /** Becomes epb_packetid. */
  id: number;
  outbound: boolean;
  comment?: string;
}

/** Written field by field into one buffer: captures have millions of these. */
export function packetBlock({ interfaceId, micros, data, id, outbound, comment }: PacketInfo): Buffer {
  const words = comment ? clipped(Buffer.from(comment)) : undefined;
  const commentSize = words ? 4 + padded(words.length) : 0;
  const size = PACKET_FIXED + padded(data.length) + commentSize + (outbound ? 8 : 0);
  const bytes = Buffer.allocUnsafe(size);
  const [high, low] = nanoseconds(Math.max(0, Math.round(micros)));
  let p = put32(bytes, 0, PACKET);
  p = put32(bytes, p, size);
  p = put32(bytes, p, interfaceId);
  p = put32(bytes, p, high);
  p = put32(bytes, p, low);
  p = put32(bytes, p, data.length);
  p = put32(bytes, p, data.length);
  p = putPadded(bytes, p, data);
  if (words) p = putPadded(bytes, put32(bytes, p, COMMENT | (words.length << 16)), words);
  if (outbound) p = put32(bytes, put32(bytes, p, EPB_FLAGS | (4 << 16)), OUTBOUND);
  p = put32(bytes, p, EPB_PACKETID | (8 << 16));
  p = put32(bytes, p, id % WORD);
  p = put32(bytes, p, Math.floor(id / WORD));
  p = put32(bytes, p, END_OF_OPTIONS);
  put32(bytes, p, size);
  return bytes;
}

/** @returns upper and lower half of the 64-bit number of nanoseconds */
function nanoseconds(micros: number): [number, number] {
  if (micros > Number.MAX_SAFE_INTEGER / 1000) {
    const nanos = BigInt(micros) * 1000n;
    return [Number(nanos >> 32n), Number(nanos & 0xffffffffn)];
  }
  const nanos = micros * 1000;
  return [Math.floor(nanos / WORD), nanos % WORD];
}

function put32(bytes: Buffer, at: number, n: number): number {
  bytes[at] = n;
  bytes[at + 1] = n >>> 8;
  bytes[at + 2] = n >>> 16;
  bytes[at + 3] = n >>> 24;
  return at + 4;
}

function putPadded(bytes: Buffer, at: number, piece: Uint8Array): number {
  let end = putBytes(bytes, at, piece);
  while ((end - at) & 3) bytes[end++] = 0;
  return end;
}

function block(type: number, body: Buffer, options: readonly Option[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [code, whole] of options) {
    const value = clipped(whole);
    const option = Buffer.alloc(4 + padded(value.length));
    option.writeUInt16LE(code, 0);
    option.writeUInt16LE(value.length, 2);
    option.set(value, 4);
    parts.push(option);
  }
  parts.push(Buffer.from([END_OF_OPTIONS, 0, 0, 0]));
  const size = 12 + body.length + parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(size, 4);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(size, 0);
  return Buffer.concat([head, body, ...parts, tail], size);
}

/** The length of an option has 16 bits. A text is cut between characters. */
function clipped(text: Uint8Array): Uint8Array {
  if (text.length <= LONGEST_OPTION) return text;
  let end = LONGEST_OPTION;
  while (((text[end] as number) & 0xc0) === 0x80) end--;
  return text.subarray(0, end);
}

function u64(n: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(n));
  return bytes;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
