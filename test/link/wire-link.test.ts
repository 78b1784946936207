import { beforeEach, describe, expect, test } from "vitest";
import { LinkError } from "../../src/link/errors.ts";
import { type Wire, WireLink, type WireSink } from "../../src/link/wire-link.ts";
import { LimitTime, settle } from "./time.ts";

/** A line that does what the test says, and nothing by itself. */
class HandWire implements Wire {
  readonly sink: WireSink;
  opened: () => void = () => {};
  closed: () => void = () => {};

  constructor(sink: WireSink) {
    this.sink = sink;
  }

  open(): Promise<void> {
    return new Promise((resolve) => {
      this.opened = resolve;
    });
  }

  write(_bytes: Buffer, done: () => void): void {
    done();
  }

  drain(): void {}

  close(done: () => void): void {
    this.closed = done;
  }
}

/** What a link promises even of a line that misbehaves: one that speaks too late, or never gets done. */
describe("a link over a misbehaving line", () => {
  let wires: HandWire[];
  let limits: LimitTime;
  let heard: string[];
  let link: WireLink;

  beforeEach(() => {
    wires = [];
    heard = [];
    limits = new LimitTime();
    const kind = {
      make(sink: WireSink) {
        const wire = new HandWire(sink);
        wires.push(wire);
        return wire;
      },
      explain: (cause: unknown) => new LinkError("failed", "hand", String(cause)),
    };
    const listener = {
      onLine: (text: string) => heard.push(text),
      onBytes: (bytes: Uint8Array) => heard.push(`${bytes.length} bytes`),
      onLost: (reason: string) => heard.push(`lost: ${reason}`),
    };
    link = new WireLink("hand", kind, { timers: limits.timers, listener });
  });

  async function open(): Promise<HandWire> {
    const opening = link.open();
    await settle();
    const wire = wires.at(-1) as HandWire;
    wire.opened();
    await opening;
    return wire;
  }

  test("hears nothing of a connection after its end", async () => {
    const wire = await open();
    wire.sink.bytes(Buffer.from("a\n"));
    wire.sink.lost("gone");
    wire.sink.bytes(Buffer.from("b\n"));
    wire.sink.lost("gone twice");
    wire.closed();
    await open();
    wire.sink.bytes(Buffer.from("c\n"));
    wire.sink.lost("gone a third time");
    expect(heard).toEqual(["2 bytes", "a", "lost: gone"]);
    expect(link.state).toBe("open");
  });

  test("does not open when the line was lost meanwhile", async () => {
    const opening = link.open();
    await settle();
    wires[0]?.sink.lost("gone at once");
    wires[0]?.opened();
    await expect(opening).rejects.toMatchObject({ code: "gone", message: "hand: gone at once" });
    expect(link.state).toBe("closed");
    expect(heard).toEqual([]);
  });

  test("fails with the limit named when the line never opens, and gives that up", async () => {
    const opening = link.open();
    await settle();
    limits.expire();
    await expect(opening).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("did not open within 5000 ms"),
    });
    expect(link.state).toBe("closed");
    wires[0]?.opened();
    await settle();
    expect(link.state).toBe("closed");
  });

  test("waits for the port of the last connection, but not for ever", async () => {
    const first = await open();
    let closed = false;
    link.close().then(() => {
      closed = true;
    });
    link.open();
    await settle();
    expect([closed, wires.length]).toEqual([false, 1]);
    limits.expire();
    await settle();
    expect([closed, wires.length]).toEqual([true, 2]);
    first.closed();
  });

  test("flushes within the limit also when the line never says that it is drained", async () => {
    await open();
    link.write("a\n");
    const flushed = link.flush(100);
    limits.expire();
    expect(await flushed).toBe(false);
    expect(limits.running).toBe(0);
  });
});
