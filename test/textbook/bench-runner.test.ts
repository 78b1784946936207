/** The textbook's tables measured on three emulated boards in this process, on a hub. */
import { expect, test } from "vitest";
import { makeBench } from "../../src/bench-file/load-bench.ts";
import { benchRunner } from "../../src/host/bench/bench-runner.ts";
import { compareOn } from "../../src/textbook/compare.ts";

function emulated(...ids: number[]) {
  const stations = ids.map((id) => ({ id, port: "emulated", board: "emulated" }));
  return makeBench(
    { title: "a test", wiring: "hub", election: "bully", stations },
    process.cwd(),
    () => "test",
  );
}

test("what boards send is what the textbook counts", async () => {
  const ids = [4, 2, 9];
  const task = { ids, algorithms: ["ricart-agrawala", "token-ring"], contenders: 3, seed: 1 };
  const { perEntry, simultaneous } = await compareOn(task, benchRunner(emulated(...ids)));
  expect(perEntry).toMatchObject([
    { algorithm: "token-ring", case: "token one hop away", messages: 1, hops: 1, delay: 1, matches: true },
    { algorithm: "token-ring", case: "token just gone", messages: 2, hops: 2, delay: 2, matches: true },
    { algorithm: "ricart-agrawala", messages: 4, hops: 12, delay: 2, synchronisation: 1, matches: true },
  ]);
  // The token is at the coordinator, the last of the ring, which enters at once.
  expect(simultaneous).toMatchObject([
    { algorithm: "token-ring", contenders: 3, messages: 2, hops: 2, matches: true },
    { algorithm: "ricart-agrawala", contenders: 3, messages: 12, hops: 36, matches: true },
  ]);
});

test.each([
  [[1], ["token-ring"], "needs 2 stations or more, not 1"],
  [[1, 2], ["bully"], '"bully" is an election'],
])("stations %j and algorithms %j are refused before a port is opened", async (ids, algorithms, message) => {
  const opened = () => Promise.reject(new Error("a ring was opened"));
  await expect(compareOn({ ids, algorithms, contenders: 2, seed: 1 }, opened)).rejects.toThrow(message);
});
