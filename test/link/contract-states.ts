import { afterEach, describe, expect } from "vitest";
import { LinkError } from "../../src/link/errors.ts";
import type { toolTest } from "../tools.ts";
import { FRAME, latin1, type Rig } from "./rig.ts";
import { settle, until } from "./time.ts";

/** What a link promises of its states, its port and its listener. */
export function statesContract(rig: Rig, test: ReturnType<typeof toolTest>): void {
  describe("opening and closing", () => {
    test("goes through opening, open and closed, each told once", async () => {
      expect(rig.link.state).toBe("closed");
      await rig.link.open();
      await rig.link.open();
      expect(rig.link.state).toBe("open");
      await rig.link.close();
      await rig.link.close();
      expect(rig.link.state).toBe("closed");
      expect(rig.heard.states).toEqual(["opening", "open", "closed"]);
      expect(rig.link.counters.openings).toBe(1);
    });

    test("is one opening for all who ask while it is under way", async () => {
      await Promise.all([rig.link.open(), rig.link.open()]);
      expect(rig.link.counters.openings).toBe(1);
    });

    test("that is closed meanwhile is refused with the reason, and the port is free again", async () => {
      const opening = rig.link.open();
      const closing = rig.link.close();
      await expect(opening).rejects.toMatchObject({ code: "closed" });
      await closing;
      expect(rig.link.state).toBe("closed");
      await rig.link.open();
      expect(rig.link.state).toBe("open");
    });

    test("right after a close, not waited for, gets the port once that is free", async () => {
      for (let i = 0; i < 10; i++) {
        await rig.link.open();
        rig.link.close();
        await rig.link.open();
        expect(rig.link.state).toBe("open");
        await rig.link.close();
      }
    });

    test("with nothing there fails with one clear line, and works once it is there", async () => {
      await rig.bench.unplug();
      const failure = await rig.link.open().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(LinkError);
      const { message } = failure as LinkError;
      expect(message).toContain(rig.link.path);
      expect(message).not.toContain("\n");
      expect(rig.link.state).toBe("closed");
      expect(rig.heard.states).toEqual(["opening", "closed"]);
      await rig.bench.plug();
      await rig.link.open();
      expect(rig.link.state).toBe("open");
    });

    test("that fails with nobody waiting for it is no unhandled rejection", async () => {
      await rig.bench.unplug();
      rig.link.open();
      await until(() => rig.heard.states.includes("closed"), "the failure");
    });

    test("again and again leaves nothing behind", async () => {
      await rig.leavesNothing(async () => {
        await rig.link.open();
        await rig.link.close();
      }, 50);
    });

    test("50 unplugs in a row leave no descriptor, timer or listener behind", async () => {
      await rig.leavesNothing(async () => {
        await rig.link.open();
        await rig.bench.unplug();
        await rig.lost();
        await rig.bench.plug();
      }, 50);
      expect(rig.link.counters).toMatchObject({ openings: 51, losses: 51 });
    }, 60_000);
  });

  describe("an unplug (DR-01, DR-02)", () => {
    afterEach(() => {
      expect(rig.heard.lost).toHaveLength(1);
      expect(rig.heard.lost[0]).toMatch(/\S/);
      expect(rig.heard.states).toEqual(["opening", "open", "lost"]);
    });

    test("while idle is told once, without a write", async () => {
      await rig.connected();
      await rig.bench.unplug();
      await rig.lost();
      await settle();
    });

    test("while bytes come in is told once", async () => {
      const peer = await rig.connected();
      const flood = (async () => {
        for (let i = 0; i < 200 && rig.link.state === "open"; i++) await peer.send(latin1(`${FRAME}\n`));
      })();
      await until(() => rig.heard.lines.length > 20, "lines");
      await rig.bench.unplug();
      await rig.lost();
      await Promise.race([flood, settle()]);
      expect(rig.heard.lines.every((line) => line === FRAME)).toBe(true);
    });

    test("while a write is pending is told once", async () => {
      await rig.link.open();
      await rig.fill();
      await rig.bench.unplug();
      await rig.lost();
      await settle();
    });
  });

  describe("a listener", () => {
    test("that throws or rejects disturbs nothing and is counted, with one warning", async () => {
      const warnings: string[] = [];
      const onWarning = (warning: Error) => warnings.push(warning.message);
      process.on("warning", onWarning);
      const seen: string[] = [];
      rig.link.listener = {
        onBytes() {
          throw new Error("broken\nlistener");
        },
        async onLine(text) {
          seen.push(text);
          throw new Error("broken too");
        },
      };
      const peer = await rig.connected();
      await peer.send(latin1("a\nb\n"));
      await until(() => seen.length === 2, "both lines");
      await settle();
      process.removeListener("warning", onWarning);
      expect(seen).toEqual(["a", "b"]);
      expect(rig.link.counters.listenerErrors).toBeGreaterThanOrEqual(3);
      expect(warnings).toEqual([`a listener of ${rig.link.path} failed: broken\\nlistener`]);
      rig.link.listener = {};
    });

    test("that closes the link in the middle of a chunk hears no further line", async () => {
      const seen: string[] = [];
      rig.link.listener = {
        onLine(text) {
          seen.push(text);
          rig.link.close();
        },
      };
      const peer = await rig.connected();
      await peer.send(latin1("a\nb\nc\n"));
      await until(() => rig.link.state === "closed", "the close");
      await settle();
      expect(seen).toEqual(["a"]);
    });

    test("that opens again in onLost gets a fresh connection", async () => {
      let again: Promise<void> | undefined;
      rig.link.listener = {
        onLost() {
          again = rig.bench.plug().then(() => rig.link.open());
        },
      };
      await rig.connected();
      await rig.bench.unplug();
      await until(() => again !== undefined, "the loss");
      await again;
      expect(rig.link.state).toBe("open");
      expect(rig.link.counters).toMatchObject({ openings: 2, losses: 1 });
    });

    test("can be replaced while the link is open", async () => {
      const peer = await rig.connected();
      await peer.send(latin1("to the first\n"));
      await rig.linesAre(["to the first"]);
      const seen: string[] = [];
      rig.link.listener = { onLine: (text) => seen.push(text) };
      await peer.send(latin1("to the second\n"));
      await until(() => seen.length === 1, "the line");
      expect(rig.heard.lines).toEqual(["to the first"]);
    });
  });
}
