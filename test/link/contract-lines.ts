import { describe, expect } from "vitest";
import type { toolTest } from "../tools.ts";
import { ANY_BYTES, FRAME, latin1, type Rig } from "./rig.ts";
import { settle, until } from "./time.ts";

/** What a link promises of what comes in. */
export function linesContract(rig: Rig, test: ReturnType<typeof toolTest>): void {
  describe("lines", () => {
    test("are whole however the frame was cut on its way (LF-01)", async () => {
      const peer = await rig.connected();
      for (let at = 0; at <= FRAME.length; at++) {
        await peer.send(latin1(FRAME.slice(0, at)));
        await settle();
        await peer.send(latin1(`${FRAME.slice(at)}\n`));
      }
      await rig.linesAre(Array(FRAME.length + 1).fill(FRAME));
    });

    test("are whole when they come byte by byte (LF-01)", async () => {
      const peer = await rig.connected();
      for (const char of `${FRAME}\r\n`) await peer.send(latin1(char));
      await rig.linesAre([FRAME]);
    });

    test("are ten when ten come in one chunk, with either line end (LF-04, LF-05)", async () => {
      const peer = await rig.connected();
      const ten = Array.from({ length: 10 }, (_, i) => `$TOK,${i}`);
      await peer.send(latin1(ten.map((line, i) => line + (i % 2 ? "\r\n" : "\n")).join("")));
      await rig.linesAre(ten);
    });

    test("keep a lone carriage return, and lose that of a line end cut in two (LF-04)", async () => {
      const peer = await rig.connected();
      await peer.send(latin1("a\rb\r"));
      await settle();
      await peer.send(latin1("\n"));
      await rig.linesAre(["a\rb"]);
    });

    test("carry every byte value as one character (EN-03, EN-04)", async () => {
      const peer = await rig.connected();
      await peer.send(latin1(`${ANY_BYTES}\n`));
      await rig.linesAre([ANY_BYTES]);
    });

    test("follow 1 MB without a newline, which is thrown away and counted", async () => {
      const peer = await rig.connected();
      const block = Buffer.alloc(16_384, "\xff", "latin1");
      for (let i = 0; i < 64; i++) await peer.send(block);
      await peer.send(latin1(`\n${FRAME}\n`));
      await rig.linesAre([FRAME]);
      expect(rig.heard.overflow).toBe(1_048_576);
      expect(rig.link.counters.discarded).toBe(1_048_576);
    });

    test("cut off by the end of the connection are told as truncated, never as lines (LF-05)", async () => {
      const peer = await rig.connected();
      await peer.send(latin1(`${FRAME}\n$TOK,3,2`));
      await until(() => rig.heard.bytes === FRAME.length + 9, "the bytes");
      await rig.bench.unplug();
      await rig.lost();
      expect(rig.heard.lines).toEqual([FRAME]);
      expect(rig.heard.truncated).toEqual(["$TOK,3,2"]);
    });

    test("do not run on into the next connection", async () => {
      const peer = await rig.connected();
      await peer.send(latin1("half a line"));
      await until(() => rig.heard.bytes > 0, "the bytes");
      await rig.bench.unplug();
      await rig.lost();
      await rig.bench.plug();
      await (await rig.connected()).send(latin1(" and the rest\n"));
      await rig.linesAre([" and the rest"]);
    });

    test("have the time that the clock had, in whole microseconds, never going back", async () => {
      let now = 1_000_000;
      rig.link = rig.bench.link({
        clock: () => {
          now += 5;
          return now;
        },
        listener: rig.listener(),
      });
      const peer = await rig.connected();
      for (let i = 0; i < 20; i++) await peer.send(latin1(`${i}\n`));
      await until(() => rig.heard.lines.length === 20, "20 lines");
      expect(rig.heard.times.every((at) => at > 1_000_000 && (at - 1_000_000) % 5 === 0)).toBe(true);
      expect(rig.heard.times).toEqual(rig.heard.times.toSorted((a, b) => a - b));
      expect(rig.link.counters.lastInAt).toBe(rig.heard.times.at(-1));
    });
  });
}
