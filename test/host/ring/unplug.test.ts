/** Boards that go and come back: the MAU bypasses at once, inserts when the board answers, and keeps nothing of the old port. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emulateTtys } from "../../../src/host/bench/emulated-ttys.ts";
import { BoardStation } from "../../../src/host/ring/board-station.ts";
import { Ring } from "../../../src/host/ring/ring.ts";
import type { PortInfo } from "../../../src/link/ports.ts";
import { RecordColumns } from "../../../src/log/columns.ts";
import { HOST } from "../../../src/log/records.ts";
import { DEFAULT_PLAN, settingsOf } from "../../../src/simulation/plan.ts";
import { toolTest } from "../../tools.ts";
import { INFO, type Peer, peer, stationAnswers } from "../peer.ts";
import { benchOf, TestRing } from "../rings.ts";

const CYCLES = 50;

const descriptors = () => readdirSync("/proc/self/fd").length;
const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);

toolTest(["socat"])(
  "50 unplugs in a row: bypassed and inserted each time, no descriptor and no listener stays behind",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "ringlab-test-"));
    const ttys = await emulateTtys({ stations: 1, dir });
    // Of the other two the host's side is all there is: what leaks is a port's.
    const bench = benchOf([ttys.paths[0] as string, "simulated", "simulated"]);
    const ring = await TestRing.start(bench, true, { intervalMs: 20, maxIntervalMs: 50 });
    onTestFinished(async () => {
      await ring.stop();
      await ttys.stop();
      rmSync(dir, { recursive: true, force: true });
    });
    await ring.forms();
    let before: number[] = [];
    let worst = 0;
    for (let n = 1; n <= CYCLES; n++) {
      const since = performance.now();
      await ttys.unplug("a");
      await ring.until("bypass", () => ring.count("bypass", 1) === n, 3000);
      worst = Math.max(worst, performance.now() - since);
      await ttys.plug("a");
      await ring.until("insert", () => ring.count("insert", 1) === n, 8000);
      if (n === 2) before = [descriptors(), listeners()];
    }
    expect([descriptors(), listeners()]).toEqual(before);
    expect(ring.count("restart", 1)).toBe(CYCLES);
    expect(ring.events("bypass").every(({ fields }) => fields.cause === "closed")).toBe(true);
    // An unplug closes the port, so the time without an answer is not waited for.
    expect(worst).toBeLessThan(2000);
    const hops = ring.hops("TOK");
    await ring.until("the token goes on", () => ring.hops("TOK") > hops + 20, 10_000);
  },
  90_000,
);

test("a board that reappears under another path is known by its id, where USB tells nothing apart", async () => {
  const usb = (path: string): PortInfo => ({
    path,
    kind: "board",
    why: "",
    usbId: "2e8a:000a",
    unique: false,
  });
  const ports = new Map<string, Peer>([
    ["one", peer(stationAnswers({ ...INFO, id: 3, boot: 7 }), "one")],
    ["two", peer(stationAnswers({ ...INFO, id: 4, boot: 8 }), "two")],
    ["three", peer(stationAnswers({ ...INFO, id: 3, boot: 9 }), "three")],
  ]);
  let listed = ["one", "two"];
  const station = new BoardStation(3, "one", (path) => (ports.get(path) as Peer).link, {
    ports: async () => listed.map(usb),
    intervalMs: 10,
    maxIntervalMs: 20,
  });
  onTestFinished(() => station.stop());
  expect(await station.connect()).toBeNull();
  const back = new Promise<number>((resolve) => {
    station.events = { ...station.events, back: resolve };
  });
  listed = ["two", "three"];
  ports.get("one")?.unplug();
  expect(await back).toBe(9);
  expect(station.where).toBe("three");
});

test("a port that closes for a moment is no restart: the boot id is the same", async () => {
  const far = peer(stationAnswers({ ...INFO, id: 1, boot: 7 }), "one");
  const station = new BoardStation(1, "one", () => far.link, { ports: async () => [], intervalMs: 10 });
  onTestFinished(() => station.stop());
  await station.connect();
  const back = new Promise<number>((resolve) => {
    station.events = { ...station.events, back: resolve };
  });
  far.unplug();
  far.plug();
  expect(await back).toBe(7);
});

test("a board with the id of a running station is refused, once, and both ports are named (hashicorp/serf#119)", async () => {
  const infos = [1, 2].map((id) => ({ ...INFO, id, boot: 10 + id }));
  const ports = infos.map((info) => peer(stationAnswers(info), `port ${info.id}`));
  const stations = infos.map(
    ({ id }, i) =>
      new BoardStation(id, `port ${id}`, () => (ports[i] as Peer).link, {
        ports: async () => [],
        intervalMs: 10,
        maxIntervalMs: 20,
      }),
  );
  for (const station of stations) expect(await station.connect()).toBeNull();
  const records = new RecordColumns();
  const ring = new Ring(stations, {
    wiring: "hub",
    baud: DEFAULT_PLAN.baud,
    settings: settingsOf({ ...DEFAULT_PLAN, ids: [1, 2] }),
    records,
    configOf: () => ({}),
    onRecords() {},
  });
  onTestFinished(() => ring.stop());
  expect(await ring.start()).toEqual([]);
  const seen = (event: string) =>
    Array.from({ length: records.length }, (_, i) => records.get(i))
      .filter((record) => record.event === event)
      .map((record) => ("fields" in record ? [record.station, ...Object.values(record.fields)] : []));
  const comes = async (event: string, times: number) => {
    while (seen(event).length < times) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  // Somebody plugs a second board with the id 1 in where 2 was, and leaves it there for many looks.
  Object.assign(infos[1] as object, { id: 1, boot: 99 });
  ports[1]?.unplug();
  ports[1]?.plug();
  await comes("refused", 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(seen("refused")).toEqual([[1, "duplicate", "port 2", "port 1"]]);
  expect(seen("bypass")).toEqual([[2, "closed"]]);
  expect(ring.mau.isInserted(0)).toBe(true);

  // A board of another id is no duplicate, and not taken for 2 either; 2 itself, started anew, is.
  Object.assign(infos[1] as object, { id: 9, boot: 100 });
  await comes("console", 1);
  expect(seen("console")).toEqual([
    [HOST, "station 9 is on port 2, where station 2 is looked for: it is left alone"],
  ]);
  Object.assign(infos[1] as object, { id: 2, boot: 101 });
  await comes("insert", 1);
  expect(seen("restart")).toEqual([[2, 101]]);
  expect(seen("refused")).toHaveLength(1);
});
