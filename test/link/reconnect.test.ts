import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Link } from "../../src/link/link.ts";
import { ReconnectingLink, type ReconnectOptions } from "../../src/link/reconnect.ts";
import { serialLink } from "../../src/link/serial.ts";
import { toolTest } from "../tools.ts";
import { Lab, portInfo } from "./lab.ts";
import { ptyPair } from "./pty.ts";
import { until } from "./time.ts";

const GONE = "/dev/ttyACM0: unplugged: plug the pair in first";

describe("a link that is kept alive", () => {
  let lab: Lab;
  let log: string[];
  let link: ReconnectingLink;

  beforeEach(async () => {
    lab = new Lab();
    log = [];
    await lab.plug("/dev/ttyACM0", { id: 3, bootId: "aa" });
  });

  afterEach(async () => {
    await link.close();
    expect(lab.time.pending).toBe(0);
  });

  const make = (options: Partial<ReconnectOptions> = {}) => {
    link = new ReconnectingLink({
      path: "/dev/ttyACM0",
      connect: lab.connect,
      ports: async () => lab.listed,
      timers: lab.time.timers,
      listener: {
        onLine: (text) => log.push(`line ${text}`),
        onState: (state) => log.push(state),
        onLost: (reason) => log.push(`lost: ${reason}`),
      },
      onAttempt: (attempt, reason, nextMs) =>
        log.push(`attempt ${attempt} in vain, next in ${nextMs}: ${reason}`),
      onReturn: ({ path, board, attempts }) =>
        log.push(`back on ${path} after ${attempts}: ${board ? `${board.id} ${board.bootId}` : "not asked"}`),
      onGivenUp: (reason) => log.push(`given up: ${reason}`),
      ...options,
    });
    return link;
  };

  /** Opens the link, with the time that a probe needs, and forgets what was said until then. */
  async function opened(options?: Partial<ReconnectOptions>): Promise<void> {
    const opening = make(options).open();
    await lab.time.advance(10);
    await opening;
    log.length = 0;
    lab.tried.length = 0;
  }

  test("is an ordinary link as long as nothing happens", async () => {
    await opened();
    lab.socket("/dev/ttyACM0").b.write("hello\n");
    expect(link.write("hello\n")).toBe(true);
    await lab.time.advance(1);
    expect(await link.flush(10)).toBe(true);
    expect(log).toEqual(["line hello"]);
    expect(link.counters).toMatchObject({ linesIn: 1, bytesOut: 6, openings: 1, losses: 0 });
    await link.close();
    expect(log).toEqual(["line hello", "closed"]);
    expect(link.write("more\n")).toBe(false);
  });

  test("fails at the first opening as any link does, without trying again", async () => {
    lab.unplug("/dev/ttyACM0");
    await expect(make().open()).rejects.toThrow(GONE);
    await lab.time.advance(60_000);
    expect(lab.tried).toHaveLength(1);
    expect(log).toEqual(["opening", "closed"]);
  });

  test("comes back after the stated waits, and refuses writes until then", async () => {
    await opened({ intervalMs: 100, backOff: 2, maxIntervalMs: 350 });
    lab.unplug("/dev/ttyACM0");
    expect(link.write("stale\n")).toBe(false);
    await lab.time.advance(100 + 200 + 350 + 349);
    await lab.plug("/dev/ttyACM0");
    expect(link.state).toBe("lost");
    await lab.time.advance(1);
    expect(log).toEqual([
      "lost",
      "lost: unplugged",
      `attempt 1 in vain, next in 200: ${GONE}`,
      `attempt 2 in vain, next in 350: ${GONE}`,
      `attempt 3 in vain, next in 350: ${GONE}`,
      "open",
      "back on /dev/ttyACM0 after 4: not asked",
    ]);
    expect(link.counters).toMatchObject({ openings: 2, losses: 1, refused: 1 });
  });

  test("gives up after the stated number of attempts, and can be opened again", async () => {
    await opened({ attempts: 3, intervalMs: 100, backOff: 1 });
    lab.unplug("/dev/ttyACM0");
    await lab.time.advance(10_000);
    expect(lab.tried).toHaveLength(3);
    expect(log.at(-1)).toBe(`given up: ${GONE}`);
    expect(link.state).toBe("lost");
    await lab.plug("/dev/ttyACM0");
    await link.open();
    expect(link.state).toBe("open");
  });

  test("tries for ever when no number is stated, every 5 s in the end", async () => {
    await opened();
    lab.unplug("/dev/ttyACM0");
    await lab.time.advance(600_000);
    const early = lab.tried.length;
    await lab.time.advance(600_000);
    expect(lab.tried.length - early).toBe(120);
  });

  test("stops at once when it is closed while it waits", async () => {
    await opened();
    lab.unplug("/dev/ttyACM0");
    await lab.time.advance(200);
    await link.close();
    await lab.plug("/dev/ttyACM0");
    await lab.time.advance(60_000);
    expect(lab.tried).toEqual([]);
    expect(log).toEqual(["lost", "lost: unplugged", "closed"]);
  });

  test("stops at once when it is closed while it probes, and leaves that port closed", async () => {
    await opened({ probe: lab.probe });
    lab.unplug("/dev/ttyACM0");
    await lab.plug("/dev/ttyACM0");
    await lab.time.advance(500);
    const { a } = lab.socket("/dev/ttyACM0");
    expect(a.state).toBe("open");
    await link.close();
    expect(a.state).toBe("closed");
    expect(log).toEqual(["lost", "lost: unplugged", "closed"]);
  });

  test("opens at once when asked while it waits or probes", async () => {
    await opened({ probe: lab.probe });
    lab.unplug("/dev/ttyACM0");
    await lab.plug("/dev/ttyACM0");
    await lab.time.advance(510);
    await lab.plug("/dev/ttyACM0", { id: 3, bootId: "bb" });
    const opening = link.open();
    await lab.time.advance(10);
    await opening;
    expect(log).toEqual(["lost", "lost: unplugged", "opening", "open"]);
    expect(link.board?.bootId).toBe("bb");
    await lab.time.advance(60_000);
    expect(link.state).toBe("open");
    expect(lab.tried).toHaveLength(2);
  });

  describe("by the USB serial number, where that is unique", () => {
    beforeEach(() => {
      lab.listed = [portInfo("/dev/ttyACM0", { serialNumber: "48D1", unique: true })];
    });

    test("is found under another path", async () => {
      await opened();
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM7");
      lab.listed = [portInfo("/dev/ttyACM7", { serialNumber: "48D1", unique: true })];
      await lab.time.advance(500);
      expect(log.slice(2)).toEqual(["open", "back on /dev/ttyACM7 after 1: not asked"]);
      expect(link.path).toBe("/dev/ttyACM7");
      lab.socket("/dev/ttyACM7").b.write("hello\n");
      await lab.time.advance(1);
      expect(log.at(-1)).toBe("line hello");
      expect(link.counters).toMatchObject({ openings: 2, losses: 1, linesIn: 1 });
    });

    test("is not mixed up with another board on the path it had", async () => {
      await opened();
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0", { id: 9, bootId: "zz" });
      lab.listed = [portInfo("/dev/ttyACM0", { serialNumber: "48D9", unique: true })];
      await lab.time.advance(5000);
      expect(lab.tried).toEqual([]);
      expect(log[2]).toContain("not back yet: no port looks like it");
    });
  });

  describe("by what the board says of itself", () => {
    test("knows the board by its id, and tells a restart by the boot id", async () => {
      await opened({ probe: lab.probe });
      expect(link.board).toEqual({ id: 3, bootId: "aa" });
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0", { id: 3, bootId: "bb" });
      await lab.time.advance(510);
      expect(log.slice(2)).toEqual(["open", "back on /dev/ttyACM0 after 1: 3 bb"]);
    });

    test("finds it on another port of the same USB id, and leaves the other ports alone", async () => {
      lab.listed = ["0", "1", "2", "3"].map((n) => portInfo(`/dev/ttyACM${n}`));
      lab.listed.push(portInfo("/dev/ttyUSB0", { kind: "bridge", usbId: "10c4:ea60" }));
      await lab.plug("/dev/ttyACM1", { id: 1, bootId: "x" });
      await lab.plug("/dev/ttyACM2", { id: 2, bootId: "y" });
      await opened({ probe: lab.probe, inUse: (path) => path === "/dev/ttyACM1" });
      lab.unplug("/dev/ttyACM0");
      lab.listed = lab.listed.filter(({ path }) => path !== "/dev/ttyACM0");
      await lab.plug("/dev/ttyACM3", { id: 3, bootId: "aa" });
      await lab.time.advance(520);
      expect(log.slice(2)).toEqual(["open", "back on /dev/ttyACM3 after 1: 3 aa"]);
      expect(lab.tried).toEqual(["/dev/ttyACM0", "/dev/ttyACM2", "/dev/ttyACM3"]);
      expect(lab.socket("/dev/ttyACM2").a.state).toBe("closed");
    });

    test("does not take another station on the path it had", async () => {
      await opened({ probe: lab.probe });
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0", { id: 9, bootId: "zz" });
      await lab.time.advance(510);
      expect(log.at(-1)).toBe("attempt 1 in vain, next in 750: /dev/ttyACM0: station 9 is there, not 3");
      expect(link.state).toBe("lost");
    });

    test("goes on when nothing answers within the limit, or the probe fails", async () => {
      let fail = false;
      const probe = (other: Link) => (fail ? Promise.reject(new Error("probe broken")) : lab.probe(other));
      await opened({ probe, probeLimitMs: 300 });
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0");
      await lab.time.advance(500 + 300);
      expect(log.at(-1)).toContain("/dev/ttyACM0: opened, but no station answers");
      fail = true;
      await lab.time.advance(750);
      expect(log.at(-1)).toContain("probe broken");
      expect(lab.socket("/dev/ttyACM0").a.state).toBe("closed");
    });

    test("does not take a board that answers and goes", async () => {
      let goes = false;
      const probe = async (other: Link) => {
        const board = await lab.probe(other);
        if (goes) lab.unplug("/dev/ttyACM0");
        return board;
      };
      await opened({ probe });
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0", { id: 3, bootId: "bb" });
      goes = true;
      await lab.time.advance(510);
      expect(log.at(-1)).toBe("attempt 1 in vain, next in 750: /dev/ttyACM0: lost again at once");
      expect(link.state).toBe("lost");
    });

    test("tries again when the board goes in the middle of the probe", async () => {
      await opened({ probe: lab.probe });
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0");
      await lab.time.advance(510);
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0", { id: 3, bootId: "cc" });
      await lab.time.advance(5000 + 750);
      expect(log.at(-1)).toBe("back on /dev/ttyACM0 after 2: 3 cc");
    });
  });

  test("survives a listing and callbacks that fail", async () => {
    const broken = () => {
      throw new Error("broken");
    };
    const ports = () => Promise.reject(new Error("no udev"));
    await opened({ ports, onAttempt: broken, onReturn: broken });
    lab.unplug("/dev/ttyACM0");
    await lab.time.advance(500);
    await lab.plug("/dev/ttyACM0");
    await lab.time.advance(750);
    expect(link.state).toBe("open");
    expect(link.counters.listenerErrors).toBe(2);
  });

  test("comes back every time in 50 unplugs, with no timer left over", async () => {
    await opened({ probe: lab.probe });
    for (let i = 0; i < 50; i++) {
      lab.unplug("/dev/ttyACM0");
      await lab.plug("/dev/ttyACM0", { id: 3, bootId: `${i}` });
      await lab.time.advance(510);
      expect(link.state).toBe("open");
      expect(lab.time.pending).toBe(0);
    }
    expect(link.counters).toMatchObject({ openings: 51, losses: 50 });
  });
});

describe("on real terminals", () => {
  const test = toolTest(["socat"]);

  test("a board comes back under another path", async () => {
    const first = await ptyPair();
    const lines: string[] = [];
    let listed = [portInfo(first.a, { serialNumber: "48D1", unique: true })];
    const link = new ReconnectingLink({
      path: first.a,
      connect: (path) => serialLink(path),
      ports: async () => listed,
      intervalMs: 5,
      listener: { onLine: (text) => lines.push(text) },
    });
    await link.open();
    await first.end();
    await until(() => link.state === "lost", "the loss");
    const second = await ptyPair();
    listed = [portInfo(second.a, { serialNumber: "48D1", unique: true })];
    await until(() => link.state === "open", "the return");
    expect(link.path).toBe(second.a);
    const board = serialLink(second.b);
    await board.open();
    board.write("back\n");
    await until(() => lines.length === 1, "a line");
    expect(lines).toEqual(["back"]);
    await Promise.all([link.close(), board.close()]);
    await second.end();
  });

  test("a board that is named by a link is found where that link leads now", async () => {
    const dir = mkdtempSync(join(tmpdir(), "ringlab-byid-"));
    const byId = join(dir, "usb-Espruino_Pico-if00");
    const first = await ptyPair();
    symlinkSync(first.a, byId);
    const link = new ReconnectingLink({
      path: byId,
      connect: (path) => serialLink(path),
      ports: async () => [],
      intervalMs: 5,
    });
    await link.open();
    await first.end();
    await until(() => link.state === "lost", "the loss");
    const second = await ptyPair();
    unlinkSync(byId);
    symlinkSync(second.a, byId);
    await until(() => link.state === "open", "the return");
    await link.close();
    await second.end();
    rmSync(dir, { recursive: true });
  });
});
