import { afterAll, beforeAll } from "vitest";
import { type MemoryPair, memoryPair } from "../../../src/link/memory.ts";
import { stationAddress } from "../../../src/link/mqtt/address.ts";
import { mqttLink } from "../../../src/link/mqtt/mqtt-link.ts";
import { SharedStation } from "../../../src/link/mqtt/shared-station.ts";
import { linkContract } from "../contract.ts";
import type { Bench } from "../rig.ts";
import { settle } from "../time.ts";
import { embedded, mosquitto, mosquittoMissing, type TestBroker } from "./brokers.ts";

const PIECE = 16_384;
let rings = 0;

/** A station shared on a broker, whose board is a line in this process. */
async function benchOn(broker: TestBroker): Promise<Bench> {
  rings += 1;
  const url = `mqtt://127.0.0.1:${broker.port}/test/ring${rings}/3`;
  let shared: SharedStation | undefined;
  let pair!: MemoryPair;
  const plug = async () => {
    pair = memoryPair({ paths: { a: "the board", b: "the host" } });
    pair.hold("b", true);
    await pair.a.open();
    shared = await SharedStation.open(stationAddress(url), pair.a, { what: "a test" });
  };
  await plug();
  return {
    link: (options) => mqttLink(url, options),
    async peer() {
      const { b, hold } = pair;
      let received = "";
      b.listener = {
        onBytes: (bytes) => {
          received += Buffer.from(bytes).toString("latin1");
        },
      };
      await b.open();
      return {
        async send(bytes) {
          for (let at = 0; at < bytes.length; at += PIECE) {
            const text = Buffer.from(bytes.subarray(at, at + PIECE)).toString("latin1");
            while (!b.write(text)) await settle();
          }
          await b.flush(1000);
        },
        received: () => received,
        read: () => hold("b", false),
      };
    },
    async unplug() {
      await shared?.stop();
      shared = undefined;
    },
    plug,
    async end() {
      await shared?.stop();
    },
  };
}

let broker: TestBroker;
if (!mosquittoMissing) {
  beforeAll(async () => {
    broker = await mosquitto();
  });
  afterAll(() => broker?.stop());
}
linkContract("mqtt, Mosquitto", () => benchOn(broker), mosquittoMissing ? ["mosquitto"] : []);

let small: TestBroker;
beforeAll(async () => {
  small = await embedded();
});
afterAll(() => small.stop());
linkContract("mqtt, embedded broker", () => benchOn(small));
