import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireLine } from "../../../src/log/crc.ts";
import { pcapng } from "../../../src/log/export/pcapng.ts";
import { packetBlock } from "../../../src/log/export/pcapng-blocks.ts";
import { PcapngOutput } from "../../../src/log/export/pcapng-output.ts";
import { ethers, lua } from "../../../src/log/export/wireshark-files.ts";
import { openOutput } from "../../../src/log/file/open-output.ts";
import { memorySource } from "../../../src/log/file/source.ts";
import { formatRecord } from "../../../src/log/format.ts";
import { type FrameRecord, isFrameRecord, type RunRecord } from "../../../src/log/records.ts";
import { toolTest } from "../../tools.ts";
import { header, records, toColumns } from "../arbitrary.ts";
import { eventfulRun, sampleRun } from "../sample.ts";
import { allRecords, exported, exportTo, hops, run, testFolder } from "./help.ts";

const folder = testFolder();
const source = eventfulRun();
const all = allRecords(source);
const tshark = toolTest(["tshark"]);

type Row = { [name: string]: string };

/** One row per packet, its fields as text. Wireshark gives some fields twice: only the first counts. */
function read(file: string, names: readonly string[]): Row[] {
  const options = names.flatMap((name) => ["-e", name]);
  const text = run("tshark", ["-r", file, "-T", "fields", "-E", "occurrence=f", ...options]).toString();
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => Object.fromEntries(line.split("\t").map((value, k) => [names[k] as string, value])));
}

const FRAME = [
  "frame.time_epoch",
  "frame.packet_id",
  "frame.interface_name",
  "frame.comment",
  "_ws.malformed",
];
const RING = ["tr.frame", "tr.monitor_cnt", "tr.src", "tr.dst", "trmac.mvec"];

let known: Row[] | undefined;
/** The packets of the run as tshark reads them. */
const rows = (): Row[] => {
  known ??= read(exportTo(join(folder, "run.pcapng"), pcapng, source), [...FRAME, ...RING]);
  return known;
};

const isHop = (record: RunRecord): record is FrameRecord => record.event === "hop";
const address = (id: number) => `40:00:00:00:00:${id.toString(16).padStart(2, "0")}`;

describe("pcapng, read by tshark", () => {
  tshark("has a packet for every record, none malformed, at its time to the nanosecond", () => {
    expect(rows()).toHaveLength(all.length);
    rows().forEach((row, i) => {
      const record = all[i]!;
      const micros = String(record.t % 1e6).padStart(6, "0");
      expect(row["frame.time_epoch"]).toBe(`${Math.floor(record.t / 1e6)}.${micros}000`);
      expect(row["frame.packet_id"]).toBe(String(record.seq));
      expect(row["frame.interface_name"]).toBe(isHop(record) ? `${record.from}-${record.to}` : "events");
      expect(row["_ws.malformed"]).toBe("");
    });
  });

  tshark("shows tokens by their token bit (tr.frame == 0), with holder and successor", () => {
    const found = rows().filter((row) => row["tr.frame"] === "0");
    const tokens = hops(all).filter(({ type }) => type === "TOK");
    expect(found.map((row) => [row["tr.src"], row["tr.dst"]])).toEqual(
      tokens.map(({ from, to }) => [address(from), address(to)]),
    );
    const seen = rows().filter((row) => row["tr.monitor_cnt"] === "1");
    expect(seen).toHaveLength(hops(all).filter(({ flags }) => flags & 2).length);
  });

  tshark("names the MAC frames of IEEE 802.5 by trmac.mvec", () => {
    // Major vectors: 03 claim token, 04 ring purge, 05 active monitor present, 06 standby monitor present,
    // 07 duplicate address test, 25 report new active monitor, 00 response.
    const vectors = {
      BEL: "0x03",
      PRG: "0x04",
      AMP: "0x05",
      HEL: "0x06",
      DUP: "0x07",
      BCO: "0x25",
      BOK: "0x00",
    };
    rows().forEach((row, i) => {
      const record = all[i]!;
      const vector = isHop(record) ? vectors[record.type as keyof typeof vectors] : undefined;
      expect(row["trmac.mvec"]).toBe(vector ?? "");
    });
    for (const type of Object.keys(vectors)) expect(hops(all).some((hop) => hop.type === type)).toBe(true);
    // Where nobody bypasses a broken ring, its stations beacon: major vector 02.
    const broken = sampleRun(["3s cut 2", "5s mend 2"], 6, { wiring: "wired" });
    const file = exportTo(join(folder, "beacon.pcapng"), pcapng, broken);
    const beacons = hops(allRecords(broken)).filter(({ type }) => type === "BCN");
    expect(beacons.length).toBeGreaterThan(0);
    const found = read(file, ["trmac.mvec", "trmac.naun", "_ws.col.Info"]).filter(
      (row) => row["trmac.mvec"] === "0x02",
    );
    expect(found.map((row) => row["trmac.naun"])).toEqual(
      beacons.map(({ args }) => address(args[0] as number)),
    );
    expect(found[0]?.["_ws.col.Info"]).toBe("Beacon");
  });

  tshark("has the words of every event as the comment of its packet", () => {
    rows().forEach((row, i) => {
      const { who, what } = formatRecord(all[i]!);
      expect(row["frame.comment"]).toBe(isHop(all[i]!) ? "" : `${who} ${what}`);
    });
  });

  tshark("is read live from a pipe while it is written, new links too", async () => {
    const pipe = join(folder, "pipe");
    run("mkfifo", [pipe]);
    const reader = spawn("tshark", ["-l", "-i", pipe], { stdio: ["ignore", "pipe", "ignore"] });
    let shown = 0;
    reader.stdout.on("data", (bytes: Buffer) => {
      for (const byte of bytes) if (byte === 10) shown++;
    });
    const { columns } = source;
    const half = columns.length >> 1;
    const output = new PcapngOutput(await openOutput(pipe), source.header);
    for (let i = 0; i < half; i += 100) output.write(columns, i, Math.min(half, i + 100));
    while (shown === 0) await once(reader.stdout, "data");
    // Packets are shown although the other half is not yet written.
    output.write(columns, half, columns.length);
    await output.close();
    await once(reader, "close");
    expect(shown).toBe(all.length);
  });

  it("ends in one line when its reader is gone, and for a folder or a full disk", async () => {
    const script = `
      import { PcapngOutput } from "./src/log/export/pcapng-output.ts";
      import { PipeOutput } from "./src/log/file/pipe-output.ts";
      import { header, toColumns } from "./test/log/arbitrary.ts";
      const columns = toColumns([{ seq: 0, t: 1, event: "request", station: 1, fields: {} }]);
      try { for (const output = new PcapngOutput(new PipeOutput("stdout", process.stdout), header); ; await new Promise(setImmediate)) output.write(columns, 0, 1); } catch (error) { process.stderr.write(error.message); }`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (bytes) => {
      err += bytes;
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    await once(child, "close");
    expect(err).toBe('"stdout": the program that reads it is gone');
    await expect(openOutput(folder)).rejects.toThrow(/is a folder/);
    const full = await openOutput("/dev/full");
    expect(() => new PcapngOutput(full, header)).toThrow(/the disk is full/);
  });

  tshark("shows frames and events in words with the Lua dissector, and the stations' names", () => {
    const home = join(folder, "home");
    mkdirSync(join(home, ".config", "wireshark"), { recursive: true });
    writeFileSync(join(home, ".config", "wireshark", "ethers"), exported(ethers, source));
    const script = exportTo(join(folder, "ringlab.lua"), lua, source);
    const file = exportTo(join(folder, "lua.pcapng"), pcapng, source);
    const lines = run("env", [`HOME=${home}`, "tshark", "-X", `lua_script:${script}`, "-N", "m", "-r", file])
      .toString()
      .split("\n");
    const token = all.findIndex(
      (record) => record.event === "hop" && isFrameRecord(record) && record.type === "TOK",
    );
    const { args, from, to } = all[token] as unknown as { args: number[]; from: number; to: number };
    expect(lines[token]).toMatch(new RegExp(`station-${from} → station-${to} +ringlab`));
    expect(lines[token]).toContain(`TOK epoch=${args[0]} hop=${args[1]} grant=${args[2]}`);
    const claim = all.findIndex((record) => isFrameRecord(record) && record.type === "BEL");
    expect(lines[claim]).toMatch(/Claim Token: BEL \d to \d election=\d+/);
    const enter = all.findIndex(({ event }) => event === "enter");
    expect(lines[enter]).toContain(`${formatRecord(all[enter]!).who} enters, epoch`);
    const entered = all.filter(({ event }) => event === "enter").length;
    const filter = [
      "-X",
      `lua_script:${script}`,
      "-r",
      file,
      "-Y",
      'ringlab.event == "enter" && ringlab.grant > 0',
    ];
    expect(run("tshark", filter).toString().split("\n").length - 1).toBe(entered);
  });

  tshark("reads whatever records there are: long lists, rings of hundreds, texts of any kind", () => {
    const ids = Array.from({ length: 300 }, (_, i) => (i < 250 ? i + 1 : i + 6));
    const wide = sampleRun([], 1, { ids });
    const random = fc.sample(records(30), 30).flat();
    const any = memorySource(header, toColumns(random.map((record, seq) => ({ ...record, seq }))));
    for (const some of [wide, any]) {
      const found = read(exportTo(join(folder, "any.pcapng"), pcapng, some), [
        "frame.number",
        "_ws.malformed",
      ]);
      expect(found).toHaveLength(allRecords(some).length);
      expect(found.filter((row) => row["_ws.malformed"])).toEqual([]);
    }
  });
});

describe("pcapng", () => {
  it("holds the frame's own line in each frame", () => {
    const bytes = exported(pcapng, source).toString("latin1");
    for (const record of hops(all).slice(0, 300)) expect(bytes).toContain(wireLine(record).trimEnd());
  });

  it("is made of whole blocks, whose length stands at both ends", () => {
    fc.assert(
      fc.property(records(20), (list) => {
        const bytes = exported(pcapng, memorySource(header, toColumns(list)));
        let at = 0;
        let packets = 0;
        while (at < bytes.length) {
          const size = bytes.readUInt32LE(at + 4);
          expect(size % 4).toBe(0);
          expect(bytes.readUInt32LE(at + size - 4)).toBe(size);
          if (bytes.readUInt32LE(at) === 6) {
            packets++;
            // Readers of link type 6 look at the byte behind the addresses.
            const isEvent = bytes.readUInt32LE(at + 8) === 0;
            if (!isEvent) expect(bytes.readUInt32LE(at + 20)).toBeGreaterThanOrEqual(15);
          }
          at += size;
        }
        expect(packets).toBe(list.length);
      }),
    );
  });
});

describe("a text longer than 16 bits can say", () => {
  it("is cut between two characters, and the block stays whole", () => {
    const packet = { interfaceId: 0, micros: 1, data: new Uint8Array(3), id: 1, outbound: false };
    const bytes = packetBlock({ ...packet, comment: "\u20ac".repeat(40_000) });
    // Behind 28 bytes of head and 4 of data: code and length of the comment.
    expect([bytes.readUInt16LE(32), bytes.readUInt16LE(34)]).toEqual([1, 65_532]);
    expect(bytes.readUInt32LE(4)).toBe(bytes.length);
    expect(bytes.readUInt32LE(bytes.length - 4)).toBe(bytes.length);
    expect(bytes.toString("utf8", 36, 36 + 65_532)).toBe("\u20ac".repeat(65_532 / 3));
  });
});
