import { describe, expect } from "vitest";
import type { toolTest } from "../tools.ts";
import { ANY_BYTES, FRAME, latin1, type Rig } from "./rig.ts";
import { settle, until } from "./time.ts";

/** What a link promises of what goes out. */
export function writingContract(rig: Rig, test: ReturnType<typeof toolTest>): void {
  describe("writing", () => {
    test("carries every byte value and nothing else", async () => {
      const peer = await rig.connected();
      expect(rig.link.write(`${ANY_BYTES}\r\n\x11\x13\n`)).toBe(true);
      await until(() => peer.received().length >= ANY_BYTES.length + 5, "the bytes");
      expect(peer.received()).toBe(`${ANY_BYTES}\r\n\x11\x13\n`);
    });

    test("keeps the order of 2000 lines, both ways at once", async () => {
      const peer = await rig.connected();
      const lines = Array.from({ length: 2000 }, (_, i) => `${FRAME}${i}`);
      for (const [i, line] of lines.entries()) {
        await peer.send(latin1(`${line}\n`));
        while (!rig.link.write(`${line}\n`)) await settle();
        if (i % 100 === 0) await settle();
      }
      await rig.linesAre(lines);
      const sent = lines.map((line) => `${line}\n`).join("");
      await until(() => peer.received().length >= sent.length, "what was written");
      expect(peer.received()).toBe(sent);
    });

    test("refuses a character that is no byte: its low byte might be a newline", async () => {
      const peer = await rig.connected();
      expect(rig.link.write("\u010a")).toBe(false);
      expect(rig.link.write("end\n")).toBe(true);
      await until(() => peer.received().includes("end"), "the end");
      expect(peer.received()).toBe("end\n");
    });

    test("before the first opening and after a close is refused, and never sent later", async () => {
      expect(rig.link.write("stale 1\n")).toBe(false);
      await rig.link.open();
      await rig.link.close();
      expect(rig.link.write("stale 2\n")).toBe(false);
      const peer = await rig.connected();
      expect(rig.link.write("fresh\n")).toBe(true);
      await until(() => peer.received().includes("fresh"), "the fresh line");
      expect(peer.received()).toBe("fresh\n");
      expect(rig.link.counters.refused).toBe(2);
    });

    test("while opening is refused", async () => {
      const opening = rig.link.open();
      expect(rig.link.write("early\n")).toBe(false);
      await opening;
    });

    test("after an unplug is refused, and nothing from before reaches the next connection", async () => {
      await rig.link.open();
      await rig.fill();
      await rig.bench.unplug();
      await rig.lost();
      expect(rig.link.write("stale\n")).toBe(false);
      expect(rig.link.counters.unsent).toBeGreaterThan(0);
      await rig.bench.plug();
      const peer = await rig.connected();
      expect(rig.link.write("fresh\n")).toBe(true);
      await until(() => peer.received().includes("fresh"), "the fresh line");
      expect(peer.received()).toBe("fresh\n");
    });

    test("to a peer that never reads: bounded, refused when full, lost after the limit with the reason", async () => {
      await rig.link.open();
      await rig.fill();
      expect(rig.link.state).toBe("open");
      rig.limits.expire();
      expect(rig.link.state).toBe("lost");
      expect(rig.heard.lost).toEqual([
        expect.stringMatching(/^nothing read for 5000 ms while \d+ bytes wait$/),
      ]);
      expect(rig.link.counters.unsent).toBeGreaterThan(0);
    });
  });

  describe("flush", () => {
    test("is true once everything has left", async () => {
      const peer = await rig.connected();
      for (let i = 0; i < 50; i++) rig.link.write(`${FRAME}\n`);
      expect(await rig.link.flush(1000)).toBe(true);
      expect(rig.link.counters.bytesOut).toBe(50 * (FRAME.length + 1));
      await until(() => peer.received().length === 50 * (FRAME.length + 1), "what was written");
    });

    test("is false when the peer reads nothing within the limit", async () => {
      await rig.link.open();
      await rig.fill();
      const flushed = rig.link.flush(30);
      rig.limits.expire();
      expect(await flushed).toBe(false);
    });

    test("is false when the link goes while it waits, is closed, or was never open", async () => {
      expect(await rig.link.flush(1000)).toBe(false);
      await rig.link.open();
      await rig.fill();
      const byUnplug = rig.link.flush(1000);
      await rig.bench.unplug();
      expect(await byUnplug).toBe(false);
      await rig.bench.plug();
      await rig.link.open();
      await rig.fill();
      const byClose = rig.link.flush(1000);
      await rig.link.close();
      expect(await byClose).toBe(false);
    });
  });
}
