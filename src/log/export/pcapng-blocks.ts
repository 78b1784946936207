/**
 * Blocks of a pcapng file, little endian.
 * Source: PCAP Next Generation (pcapng) Capture File Format, draft-ietf-opsawg-pcapng, sections 4.1 to 4.3.
 */

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

export function packetBlock({ interfaceId, micros, data, id, outbound, comment }: PacketInfo): Buffer {
  const body = Buffer.alloc(20 + padded(data.length));
  const nanos = BigInt(Math.max(0, Math.round(micros))) * 1000n;
  body.writeUInt32LE(interfaceId, 0);
  body.writeUInt32LE(Number(nanos >> 32n), 4);
  body.writeUInt32LE(Number(nanos & 0xffffffffn), 8);
  body.writeUInt32LE(data.length, 12);
  body.writeUInt32LE(data.length, 16);
  body.set(data, 20);
  const options: Option[] = [];
  if (comment) options.push([COMMENT, Buffer.from(comment)]);
  if (outbound) options.push([EPB_FLAGS, Uint8Array.of(OUTBOUND, 0, 0, 0)]);
  options.push([EPB_PACKETID, u64(id)]);
  return block(PACKET, body, options);
}

function block(type: number, body: Buffer, options: readonly Option[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const [code, value] of options) {
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

function u64(n: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(n));
  return bytes;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
