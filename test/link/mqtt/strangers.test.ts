/** Who else may be on a broker: strangers, second hosts, second programs with an id, and brokers that refuse. */
import mqtt from "mqtt";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LinkError } from "../../../src/link/errors.ts";
import { memoryPair } from "../../../src/link/memory.ts";
import { ringAddress, stationAddress } from "../../../src/link/mqtt/address.ts";
import { mqttLink } from "../../../src/link/mqtt/mqtt-link.ts";
import { RingHost, stationsOn } from "../../../src/link/mqtt/ring-host.ts";
import { SharedStation } from "../../../src/link/mqtt/shared-station.ts";
import { until } from "../time.ts";
import { embedded, freePort, type TestBroker } from "./brokers.ts";

let broker: TestBroker;
let ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  broker = await embedded();
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
  await broker.stop();
});

const ring = () => `mqtt://127.0.0.1:${broker.port}/ring7`;

/** A station whose board repeats every line. */
async function echoing(id: number, news: string[] = []) {
  const pair = memoryPair({ listeners: { b: { onLine: (text) => void pair.b.write(`${text}!\n`) } } });
  await Promise.all([pair.a.open(), pair.b.open()]);
  const shared = await SharedStation.open(stationAddress(`${ring()}/${id}`), pair.a, {
    what: "a test",
    onNews: (line) => news.push(line),
  });
  ends.push(() => shared.stop());
  return shared;
}

async function stranger() {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  ends.push(() => client.endAsync(true));
  return client;
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: LinkError) => error.message,
  );

test("a stranger's messages cost a counted refusal each and disturb nothing", async () => {
  const shared = await echoing(3);
  const lines: string[] = [];
  const link = mqttLink(`${ring()}/3`, { listener: { onLine: (text) => lines.push(text) } });
  ends.push(() => link.close());
  await link.open();
  const client = await stranger();
  const junk = [
    "",
    "data,zzz,1\nforged",
    "open",
    "more,a,99999999999999999",
    "\x00".repeat(5000),
    "$TOK,1,253,9,9,9*00000000",
  ];
  for (const text of junk) {
    for (const topic of ["3/up", "3/down", "300/up", "x/up", "3/here/more"])
      await client.publishAsync(`ring7/${topic}`, text, { qos: 1 });
  }
  for (let n = 0; n < 500; n++) client.publish("ring7/3/up", "flood");
  await client.publishAsync("ring7/3/down", Buffer.alloc(60_000), { qos: 1, retain: true });
  link.write("one\ntwo\n");
  await until(() => lines.length === 2, "the answers");
  expect(lines).toEqual(["one!", "two!"]);
  expect(link.state).toBe("open");
  expect(shared.refused).toBeGreaterThan(5);
});

test("a word of a stranger that is no presence lists nobody, and hostile names are escaped", async () => {
  const client = await stranger();
  await client.publishAsync("ring7/9/here", "{}", { qos: 1, retain: true });
  await client.publishAsync(
    "ring7/999/here",
    JSON.stringify({ instance: "a", name: "x", what: "y", settled: true }),
    {
      qos: 1,
      retain: true,
    },
  );
  await client.publishAsync(
    "ring7/8/here",
    JSON.stringify({ instance: "a", name: `\x1b]0;x\x07${"n".repeat(500)}`, what: "y", settled: true }),
    { qos: 1, retain: true },
  );
  const found = await stationsOn(ringAddress(ring()));
  expect([...found.keys()]).toEqual([8]);
  expect(found.get(8)?.name).not.toMatch(/[\x00-\x1f]/);
});

test("a second host of a ring is refused with the first one's name, and may come when the first has gone", async () => {
  const first = await RingHost.open(ringAddress(ring()));
  first.listen(1, { chunk() {}, present() {}, lost() {} });
  expect(await failure(RingHost.open(ringAddress(ring())))).toMatch(
    /process \d+ runs this ring: end it there/,
  );
  await first.end();
  const second = await RingHost.open(ringAddress(ring()));
  await second.end();
});

test("of two hosts that come at one moment one has the ring", async () => {
  const both = await Promise.allSettled([
    RingHost.open(ringAddress(ring())),
    RingHost.open(ringAddress(ring())),
  ]);
  const hosts = both.filter((one) => one.status === "fulfilled");
  expect(hosts).toHaveLength(1);
  for (const { value } of hosts as PromiseFulfilledResult<RingHost>[]) await value.end();
});

test("a second program with an id is refused with the first one's name, and the first goes on", async () => {
  const news: string[] = [];
  await echoing(3, news);
  expect(await failure(echoing(3))).toMatch(/shares station 3 already: take another id/);
  expect(news.join()).toMatch(/wants to share station 3 too/);
  expect([...(await stationsOn(ringAddress(ring()))).keys()]).toEqual([3]);
});

test("a station is there again after the broker was away", async () => {
  await echoing(3);
  const states: string[] = [];
  const link = mqttLink(`${ring()}/3`, { listener: { onState: (state) => states.push(state) } });
  ends.push(() => link.close());
  await link.open();
  await broker.restart();
  await until(() => link.state === "lost", "the loss");
  // Both programs look for the broker, each in its own time.
  while (link.state !== "open")
    await link.open().catch(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(states.slice(0, 3)).toEqual(["opening", "open", "lost"]);
  expect(states.at(-1)).toBe("open");
}, 30_000);

describe("a bad day", () => {
  test("no broker", async () => {
    const port = await freePort();
    expect(await failure(stationsOn(ringAddress(`mqtt://127.0.0.1:${port}/r`)))).toMatch(
      /no broker answers there/,
    );
  });

  test("a name that is nobody's", async () => {
    expect(await failure(stationsOn(ringAddress("mqtt://no-such-computer.invalid/r")))).toMatch(/name/);
  });

  test("a wrong password, which is not printed", async () => {
    const closed = await embedded("right");
    ends.push(() => closed.stop());
    const said = await failure(stationsOn(ringAddress(`mqtt://ring:wr0ng@127.0.0.1:${closed.port}/r`)));
    expect(said).toMatch(/refuses user or password/);
    expect(said).not.toContain("wr0ng");
    expect((await stationsOn(ringAddress(`mqtt://ring:right@127.0.0.1:${closed.port}/r`))).size).toBe(0);
  });

  test("nobody shares the station", async () => {
    const link = mqttLink(`${ring()}/4`);
    expect(await failure(link.open())).toMatch(/nobody shares station 4/);
  });
});
