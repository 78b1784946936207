/**
 * pcapng for Wireshark and tshark: an interface per link for its hops, and one interface of link type USER0 for all
 * other records, each with its words as a comment. One packet per record, at the same microsecond, its sequence number
 * as packet id.
 */

import { escapeControls } from "../../errors.ts";
import type { RecordColumns } from "../columns.ts";
import { wireLine } from "../crc.ts";
import { recordJson } from "../file/lines.ts";
import type { RunSource } from "../file/source.ts";
import { formatRecord } from "../format.ts";
import { isFrameRecord, type RunHeader, type RunRecord } from "../records.ts";
import type { Exporter } from "./exporter.ts";
import { ringFrame } from "./ieee802-5.ts";
import { IEEE802_5, interfaceBlock, packetBlock, sectionBlock, USER0 } from "./pcapng-blocks.ts";

const PIECE = 64 * 1024;
const EVENTS = 0;

/**
 * Writes pcapng record by record, to a file or live: `run --pcapng - | wireshark -k -i -`.
 * A consumer of records, as the run has them.
 */
export class PcapngStream {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #header: RunHeader;
  readonly #upstream = new Map<number, number>();
  /** By transmitter and receiver. */
  readonly #interfaces = new Map<number, Map<number, number>>();
  #interfaceCount = 0;
  readonly #upstreamOf = (id: number) => this.#upstream.get(id) ?? id;

  /** @param write called with whole blocks */
  constructor(write: (bytes: Uint8Array) => void, header: RunHeader) {
    this.#write = write;
    this.#header = header;
    const { stations } = header;
    stations.forEach((id, i) => {
      this.#upstream.set(id, stations.at(i - 1) as number);
    });
    write(
      Buffer.concat([
        sectionBlock({
          hardware: `${header.kind}, ${header.wiring}`,
          application: header.program,
          comment: sectionComment(header),
        }),
        interfaceBlock({
          linkType: USER0,
          name: "events",
          description: "what stations and host did; ringlab.lua shows it in words",
          speed: 0,
        }),
      ]),
    );
    for (let i = 0; i < stations.length && stations.length > 1; i++) {
      this.#interface(stations[i] as number, stations[(i + 1) % stations.length] as number);
    }
  }

  /** Adds records `from` to `to` (exclusive). */
  write(columns: RecordColumns, from = 0, to = columns.length): void {
    let blocks: Buffer[] = [];
    let size = 0;
    for (let i = from; i < to; i++) {
      const block = this.#packet(columns.get(i));
      blocks.push(block);
      size += block.length;
      if (size < PIECE) continue;
      this.#write(Buffer.concat(blocks, size));
      blocks = [];
      size = 0;
    }
    if (size) this.#write(Buffer.concat(blocks, size));
  }

  #packet(record: RunRecord): Buffer {
    const common = { micros: record.t, id: record.seq };
    if (isFrameRecord(record) && record.event === "hop") {
      const interfaceId = this.#interface(record.from, record.to);
      const data = ringFrame(record, this.#upstreamOf);
      return packetBlock({ ...common, interfaceId, data, outbound: true });
    }
    const { who, what } = formatRecord(record);
    const data = Buffer.from(eventText(record));
    return packetBlock({ ...common, interfaceId: EVENTS, data, outbound: false, comment: `${who} ${what}` });
  }

  #interface(from: number, to: number): number {
    let byReceiver = this.#interfaces.get(from);
    const known = byReceiver?.get(to);
    if (known !== undefined) return known;
    byReceiver ??= new Map();
    this.#interfaces.set(from, byReceiver);
    const id = EVENTS + ++this.#interfaceCount;
    byReceiver.set(to, id);
    const { baud: speed } = this.#header;
    const description = `link from station ${from} to station ${to}`;
    this.#write(interfaceBlock({ linkType: IEEE802_5, name: `${from}-${to}`, description, speed }));
    return id;
  }
}

/** The payload of a packet on the events interface: its words, then `name=value`, all separated by tabs. */
function eventText(record: RunRecord): string {
  const { who, what } = formatRecord(record);
  const fields = isFrameRecord(record)
    ? {
        event: record.event,
        from: record.from,
        to: record.to,
        type: record.type,
        line: wireLine(record).trimEnd(),
      }
    : recordJson(record);
  const parts = Object.entries(fields)
    .filter(([name]) => name !== "seq" && name !== "t")
    .map(([name, value]) => `${name}=${escapeControls(String(value))}`);
  return [`${who} ${what}`, ...parts].join("\t");
}

function sectionComment({ stations, election, seed, baud }: RunHeader): string {
  const shown = stations.length > 32 ? `${stations.slice(0, 32).join(" ")} ...` : stations.join(" ");
  const random = seed === undefined ? "" : `, seed ${seed}`;
  return escapeControls(`ring of ${stations.length}: ${shown}; ${baud} baud, election ${election}${random}`);
}

export const pcapng: Exporter = {
  name: "pcapng",
  ending: ".pcapng",
  begins: "\n\r\r\n",
  about: "Wireshark and tshark; --to lua gives the dissector, --to ethers the stations' names",
  *pieces(source: RunSource) {
    let written: Uint8Array[] = [];
    const stream = new PcapngStream((bytes) => written.push(bytes), source.header);
    for (const columns of source.blocks()) {
      stream.write(columns);
      yield* written;
      written = [];
    }
    yield* written;
  },
};
