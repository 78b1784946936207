/** A watch listens and never says a word: on a tap it shows raw frames, on a console the board's records. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { SerialPort } from "serialport";
import { expect, onTestFinished } from "vitest";
import { crc32 } from "../../../firmware/crc32.js";
import { encode } from "../../../firmware/frame.js";
import { PassiveWatch } from "../../../src/host/console/passive-watch.ts";
import { RecordColumns } from "../../../src/log/columns.ts";
import { formatRecord } from "../../../src/log/format.ts";
import { ptyPair } from "../../link/pty.ts";
import { toolTest } from "../../tools.ts";
import { record } from "../peer.ts";

const token = (hop: number) =>
  encode({ type: "TOK", src: 3, dst: 253, args: [258, hop, 57], flags: 0 }, crc32);

async function watched() {
  const pair = await ptyPair();
  const port = new SerialPort({ path: pair.b, baudRate: 9600 });
  port.on("error", () => {});
  await once(port, "open");
  let sent = 0;
  port.on("data", (chunk: Buffer) => {
    sent += chunk.length;
  });
  const records = new RecordColumns();
  const warnings: string[] = [];
  const watch = new PassiveWatch({
    paths: [pair.a],
    baudRate: 9600,
    records,
    onRecords() {},
    onWarning: (words) => warnings.push(words),
    clock: () => 0,
  });
  onTestFinished(async () => {
    await watch.close();
    await new Promise((resolve) => port.close(resolve));
    await pair.end();
  });
  await watch.open();
  return {
    say: (text: string) => port.write(text, "latin1"),
    sent: () => sent,
    warnings,
    lines: () =>
      Array.from({ length: records.length }, (_, i) => formatRecord(records.get(i))).map(
        ({ who, what }) => `${who} ${what}`,
      ),
    /** Waits for so many records. */
    async until(count: number) {
      for (const deadline = performance.now() + 5000; records.length < count; await sleep(10)) {
        if (performance.now() > deadline) throw new Error(`${records.length} records, not ${count}`);
      }
    },
  };
}

toolTest(["socat"])("frames of a tap, records of a console, text, and what is refused", async () => {
  const { say, sent, lines, until } = await watched();
  say(`half a line\x1b[2K\r\n${token(912)}`);
  say("$TOK,3,253,258,913,57*00000000\n");
  const frame = (time: number, way: string, hop: number) => record(`${time},${way},${token(hop).trimEnd()}`);
  say(`>${record("1000,enter,258,58")}${frame(1001, "tx", 914)}${frame(1002, "rx", 915)}`);
  say(`${record("1003,ack,4")}${record("1004,enter,258,59").replace("258", "25")}`);
  await until(7);
  expect(lines()).toEqual([
    "1 console: half a line",
    "3→host TOK epoch 258 hop 912 grant 57",
    "3 refuses a frame: bad-fcs",
    "3 enters, epoch 258 grant 58",
    "3→host TOK epoch 258 hop 914 grant 57",
    "3→3 TOK epoch 258 hop 915 grant 57",
    "3 damaged line on its console, not used",
  ]);
  expect(sent()).toBe(0);
});

toolTest(["socat"])(
  "junk with no good frame in 3 s is said once, and what is shown of it is bounded",
  async () => {
    const { say, sent, lines, warnings } = await watched();
    for (let i = 0; i < 40; i++) {
      say("\xf8\x80\x00\n\xfe\x78\n".repeat(50));
      await sleep(100);
    }
    expect(warnings.length).toBe(1);
    expect(warnings[0]).toMatch(
      /\d+ bytes and no good line in 3 s: is 9600 the right baud rate \(--baud\)\?$/,
    );
    expect(lines().length).toBeLessThan(200);
    expect(sent()).toBe(0);
  },
);
