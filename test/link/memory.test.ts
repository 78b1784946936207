import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Delivery, type MemoryPair, memoryPair } from "../../src/link/memory.ts";
import { linkContract } from "./contract.ts";
import type { Peer } from "./rig.ts";
import { ManualTime, settle } from "./time.ts";

linkContract("memory", async () => {
  let pair: MemoryPair | undefined;
  const made = () => {
    if (!pair) throw new Error("make the link first");
    return pair;
  };
  return {
    link(options) {
      const { listener = {}, ...rest } = options;
      pair = memoryPair({ ...rest, listeners: { a: listener } });
      pair.hold("b", true);
      return pair.a;
    },
    async peer(): Promise<Peer> {
      const { b, hold } = made();
      let received = "";
      b.listener = {
        onBytes(bytes) {
          received += Buffer.from(bytes).toString("latin1");
        },
      };
      await b.open();
      return {
        async send(bytes) {
          const text = Buffer.from(bytes).toString("latin1");
          while (!b.write(text)) await settle();
          await b.flush(1);
        },
        received: () => received,
        read: () => hold("b", false),
      };
    },
    async unplug() {
      made().unplug();
    },
    async plug() {
      made().plug();
      made().hold("b", true);
    },
    async end() {
      await made().b.close();
    },
  };
});

describe("a memory pair", () => {
  /** A pair on manual time, both ends open, and what arrives at b with the time in milliseconds. */
  async function timedPair(options: Parameters<typeof memoryPair>[0] = {}) {
    const time = new ManualTime();
    const heard: [number, string][] = [];
    const b = { onLine: (text: string, at: number) => heard.push([at / 1000, text]) };
    const pair = memoryPair({ ...options, clock: time.clock, timers: time.timers, listeners: { b } });
    await Promise.all([pair.a.open(), pair.b.open()]);
    return { ...pair, time, heard };
  }

  test("carries bytes in the time that it is given", async () => {
    const { a, time, heard } = await timedPair({ delayMs: 3 });
    a.write("first\n");
    await time.advance(1);
    a.write("second\n");
    await time.advance(10);
    expect(heard).toEqual([
      [3, "first"],
      [4, "second"],
    ]);
  });

  test("never delivers within a write: a ping-pong does not grow the stack", async () => {
    const { a, b, time } = await timedPair();
    let turns = 0;
    const answer = (link: typeof a) => ({
      onLine() {
        turns += 1;
        if (turns < 20_000) link.write("ball\n");
      },
    });
    a.listener = answer(a);
    b.listener = answer(b);
    a.write("ball\n");
    expect(turns).toBe(0);
    while (turns < 20_000) await time.advance(0);
  });

  test("drops, doubles, changes and delays as the fault says, and keeps the order", async () => {
    const { a, time, heard } = await timedPair({
      delayMs: 1,
      fault(bytes, from): Delivery[] {
        const text = bytes.toString();
        if (from !== "a" || text.startsWith("drop")) return [];
        if (text.startsWith("double")) return [{ bytes }, { bytes }];
        if (text.startsWith("change")) return [{ bytes: Buffer.from("changed\n") }];
        return [{ bytes, delayMs: text.startsWith("late") ? 5 : 0 }];
      },
    });
    for (const line of ["drop", "double", "change", "late", "last"]) {
      a.write(`${line}\n`);
      await time.advance(0);
    }
    await time.advance(10);
    expect(heard).toEqual([
      [1, "double"],
      [1, "double"],
      [1, "changed"],
      [6, "late"],
      [6, "last"],
    ]);
  });

  test("gives the same bytes in the same order whatever the delays", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 30 }), async (delays) => {
        let i = 0;
        const { a, time, heard } = await timedPair({
          fault: (bytes) => [{ bytes, delayMs: delays[i++ % delays.length] as number }],
        });
        const lines = delays.map((_, n) => `${n}`);
        for (const line of lines) {
          a.write(`${line}\n`);
          await time.advance(1);
        }
        await time.advance(100);
        expect(heard.map(([, text]) => text)).toEqual(lines);
      }),
      { numRuns: 50 },
    );
  });

  test("loses what arrives at an end that is not open", async () => {
    const { a, b, time, heard } = await timedPair({ delayMs: 1 });
    await b.close();
    a.write("to nobody\n");
    await time.advance(2);
    await b.open();
    a.write("to somebody\n");
    await time.advance(2);
    expect(heard.map(([, text]) => text)).toEqual(["to somebody"]);
  });

  test("has nothing for an end that opens which came while nobody read there", async () => {
    const { a, b, time, heard, hold } = await timedPair();
    hold("b", true);
    a.write("stale\n");
    await b.close();
    await time.advance(1);
    await b.open();
    hold("b", false);
    a.write("fresh\n");
    await time.advance(1);
    expect(heard.map(([, text]) => text)).toEqual(["fresh"]);
  });

  test("does not carry what a closed end still had to send", async () => {
    const { a, b, time, hold } = await timedPair({ capacity: 100, lineLimit: 5000 });
    let arrived = 0;
    b.listener = {
      onBytes(bytes) {
        arrived += bytes.length;
      },
    };
    hold("b", true);
    for (let i = 0; i < 10; i++) a.write("x".repeat(100));
    await a.close();
    await a.open();
    hold("b", false);
    await time.advance(1);
    expect(arrived).toBe(a.counters.bytesOut);
    expect(a.counters.unsent).toBe(1000 - arrived);
  });

  test("loses what is on the way when it is unplugged, and has the names that it is given", async () => {
    const { a, b, time, heard, unplug, plug } = await timedPair({
      delayMs: 5,
      paths: { a: "host", b: "board" },
    });
    a.write("on the way\n");
    await time.advance(1);
    unplug();
    expect([a.state, b.state]).toEqual(["lost", "lost"]);
    await expect(a.open()).rejects.toThrow("host: unplugged: plug the pair in first");
    plug();
    await Promise.all([a.open(), b.open()]);
    await time.advance(20);
    expect(heard).toEqual([]);
    expect(time.pending).toBe(0);
  });
});
