/**
 * Frames of the ring in the layout of IEEE 802.5, as capture files hold it: from the access control byte to the end of
 * the information field, without delimiters, frame check and frame status.
 *
 * A token has the token bit clear. A real 802.5 token has no addresses; here it has those of holder and successor, and
 * its line behind a SNAP header, since no capture format can hold a bare one. Election and monitor frames are the MAC
 * frames of the same duty; their own line rides in a subvector that the standard does not use. All else is LLC data.
 *
 * Source: IEEE Std 802.5, frame formats and MAC frames (major vectors and subvectors).
 */
import { EVERY, NEIGHBOUR } from "../../../firmware/frame.js";
import { wireLine } from "../crc.ts";
import type { FrameRecord } from "../records.ts";

/** Bits of the access control byte: priority, token (0) or frame (1), monitor. */
const FRAME = 0x10;
const MONITOR = 0x08;
const SEVENTH_PRIORITY = 0xe0;

const LLC = 0x40;
/** Access control, frame control and the two addresses, bytes. */
const HEADER = 14;
/** SNAP header with the ethertype for local experiments. */
const SNAP = Buffer.from([0xaa, 0xaa, 0x03, 0, 0, 0, 0x88, 0xb5]);

/** Flag: the active monitor has seen the frame pass (frame.js). */
const SEEN = 2;

/** Ring broadcast of MAC frames. */
const BROADCAST = Buffer.from([0xc0, 0, 0xff, 0xff, 0xff, 0xff]);

interface MacFrame {
  /** Major vector identifier. */
  vector: number;
  /** The control bits of the frame control byte, by which an adapter tells urgent frames. */
  control: number;
  /** Destination class in the upper half, source class in the lower. */
  classes: number;
}

const CLAIM: MacFrame = { vector: 0x03, control: 3, classes: 0 };
const NEW_MONITOR: MacFrame = { vector: 0x25, control: 0, classes: 0x40 };

/** The MAC frames by type of our frames: candidates claim the token, results report the new active monitor. */
const MAC_FRAMES: { readonly [type: string]: MacFrame } = {
  BCN: { vector: 0x02, control: 2, classes: 0 },
  ELN: CLAIM,
  BEL: CLAIM,
  CHE: CLAIM,
  PRG: { vector: 0x04, control: 4, classes: 0 },
  AMP: { vector: 0x05, control: 5, classes: 0 },
  HEL: { vector: 0x06, control: 6, classes: 0 },
  DUP: { vector: 0x07, control: 1, classes: 0 },
  BOK: { vector: 0x00, control: 0, classes: 0 },
  CRD: NEW_MONITOR,
  BCO: NEW_MONITOR,
  CHD: NEW_MONITOR,
};

const ACTIVE_MONITOR_PRESENT = 0x05;
const BEACON = 0x02;

const BEACON_TYPE = 0x01;
const UPSTREAM_NEIGHBOUR = 0x02;
const CORRELATOR = 0x09;
const PHYSICAL_DROP = 0x0b;
const RESPONSE_CODE = 0x20;
/** Not used by the standard: the frame's own line. */
const OWN_LINE = 0x70;

/** Beacon type "signal loss". */
const SIGNAL_LOSS = [0, 1];

/** Longest value of one subvector, and longest line that is kept whole, bytes. */
const SUBVECTOR = 250;
const LONGEST_LINE = 16 * SUBVECTOR;

/** A station's address: locally administered, the id in the last four bytes. */
export function address(id: number): Buffer {
  const bytes = Buffer.from([0x40, 0, 0, 0, 0, 0]);
  bytes.writeUInt32BE(id >>> 0, 2);
  return bytes;
}

/**
 * @param record a hop
 * @param upstream the predecessor in ring order of a station
 * @returns at least 15 bytes: readers of this format look at the byte behind the addresses
 */
export function ringFrame(record: FrameRecord, upstream: (id: number) => number): Buffer {
  const { type, src, dst, from, to, flags } = record;
  const line = Buffer.from(wireLine(record).slice(0, LONGEST_LINE).trimEnd(), "latin1");
  const monitor = flags & SEEN ? MONITOR : 0;
  const destination = dst === NEIGHBOUR ? address(to) : dst === EVERY ? BROADCAST : address(dst);
  const source = address(dst === NEIGHBOUR ? from : src);
  const mac = MAC_FRAMES[type];
  if (mac === undefined) {
    const access = type === "TOK" ? monitor : FRAME | monitor;
    const bytes = Buffer.allocUnsafe(HEADER + SNAP.length + line.length);
    bytes[0] = access;
    bytes[1] = LLC;
    bytes.set(destination, 2);
    bytes.set(source, 8);
    bytes.set(SNAP, HEADER);
    bytes.set(line, HEADER + SNAP.length);
    return bytes;
  }
  const urgent = mac.vector === ACTIVE_MONITOR_PRESENT ? SEVENTH_PRIORITY : 0;
  return Buffer.concat([
    Uint8Array.of(urgent | FRAME | monitor, mac.control),
    destination,
    source,
    macVector(mac, record, line, upstream),
  ]);
}

function macVector(
  mac: MacFrame,
  record: FrameRecord,
  line: Buffer,
  upstream: (id: number) => number,
): Buffer {
  const parts: Buffer[] = [];
  const subvector = (id: number, value: readonly number[] | Uint8Array) => {
    parts.push(Buffer.from([value.length + 2, id, ...value]));
  };
  if (mac.vector === 0) {
    subvector(CORRELATOR, [0, 0]);
    subvector(RESPONSE_CODE, [0, 1, 0, CLAIM.vector]);
  } else {
    if (mac.vector === BEACON) subvector(BEACON_TYPE, SIGNAL_LOSS);
    subvector(PHYSICAL_DROP, address(record.src).subarray(2));
    // A beacon names the predecessor that it does not hear.
    const neighbour = mac.vector === BEACON ? Number(record.args[0]) : upstream(record.src);
    subvector(UPSTREAM_NEIGHBOUR, address(neighbour));
  }
  for (let at = 0; at < line.length; at += SUBVECTOR) subvector(OWN_LINE, line.subarray(at, at + SUBVECTOR));
  const body = Buffer.concat(parts);
  const head = Buffer.from([0, 0, mac.classes, mac.vector]);
  head.writeUInt16BE(head.length + body.length, 0);
  return Buffer.concat([head, body]);
}
