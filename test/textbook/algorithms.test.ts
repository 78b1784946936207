/** The table of algorithms: every one that there is, and each scenario shows what it says. */

import { describe, expect, test } from "vitest";
import { ELECTIONS, EXTRAS, MUTEXES } from "../../firmware/protocols.js";
import { ALGORITHMS } from "../../src/textbook/algorithms.ts";
import { ringlab } from "../cli/ringlab.ts";

/** Algorithms that the scenario stops, and what the run says then; the others go on. */
const STOPPED: { [name: string]: RegExp } = {
  decentralised: /station 4 asked and was not served/,
  lamport: /station 3 is dead and stations 1, 2 and 4 wait for its REPLY/,
  "ricart-agrawala": /station 3 is dead and stations 1, 2 and 4 wait for its REPLY/,
  "ricart-agrawala-implicit": /station 3 is dead and stations 1, 2 and 4 wait for its REPLY/,
  maekawa: /station 3 is dead and station 1 waits for its GRANT/,
  "suzuki-kasami": /the token is gone with a dead station \(2\) and station 1 waits for the TOKEN/,
  raymond: /station 1 is dead and station 3 waits for its TOKEN/,
};

/** What the others show. */
const SHOWN: { [name: string]: RegExp } = {
  cristian: /clock offset -\d+ µs ± \d+ µs/,
  berkeley: /5 +clock offset \d+ µs/,
  stamps: /3 +event at Lamport 4, hybrid 4\d\d\d\.\d, vector 1\.2\.1/,
  "edge-chasing": /finds a deadlock: its probe for resource \d is back/,
};

test("the table names every algorithm of the firmware, once", () => {
  const names = [...MUTEXES, ...ELECTIONS, ...EXTRAS].map(({ name }) => name);
  expect(ALGORITHMS.map(({ name }) => name).sort()).toEqual(names.sort());
});

test("each has a source with a year, and no cell of the table is empty", () => {
  for (const algorithm of ALGORITHMS) {
    for (const cell of Object.values(algorithm)) expect(cell.trim()).not.toBe("");
    expect(`${algorithm.name}: ${algorithm.source}`).toMatch(/\b(19|20)\d\d\b|Tanenbaum and Van Steen/);
  }
});

describe("the scenario of", () => {
  test.each(ALGORITHMS)("$name: $scenario", async ({ name, scenario }) => {
    const args = [...scenario.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    expect(args[0]).toBe("ringlab");
    const { code, stdout, stderr } = await ringlab(...args.slice(1));
    const said = stdout + stderr;
    const stopped = STOPPED[name];
    if (stopped) expect(said).toMatch(stopped);
    else {
      expect(said).not.toMatch(/not served|is dead/);
      expect(said).toMatch(SHOWN[name] ?? "");
      expect(code).toBe(0);
    }
  });
});
