/** Boards that go and come back: the MAU bypasses at once, inserts when the board answers, and keeps nothing of the old port. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BoardStation } from "../../src/host/board-station.ts";
import { emulateTtys } from "../../src/host/emulated-ttys.ts";
import type { PortInfo } from "../../src/link/ports.ts";
import { toolTest } from "../tools.ts";
import { INFO, type Peer, peer, stationAnswers } from "./peer.ts";
import { benchOf, TestRing } from "./rings.ts";

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
