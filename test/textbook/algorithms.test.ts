/** The table of algorithms: every one that there is, and each scenario shows what it says. */

import { describe, expect, test } from "vitest";
import { ELECTIONS, EXTRAS, MUTEXES } from "../../firmware/protocols.js";
import { ALGORITHMS } from "../../src/textbook/algorithms.ts";
import { ringlab } from "../cli/ringlab.ts";

test("the table names every algorithm of the firmware, once", () => {
  const names = [...MUTEXES, ...ELECTIONS, ...EXTRAS].map(({ name }) => name);
  expect(ALGORITHMS.map(({ name }) => name).sort()).toEqual(names.sort());
});

test("each has a source with a year, and no cell of the table is empty", () => {
  for (const algorithm of ALGORITHMS) {
    const { title, source, messages, order, breaks, scenario } = algorithm;
    for (const cell of [title, source, messages, order, breaks, scenario]) expect(cell.trim()).not.toBe("");
    expect(`${algorithm.name}: ${algorithm.source}`).toMatch(/\b(19|20)\d\d\b|Tanenbaum and Van Steen/);
  }
});

describe("the scenario of", () => {
  test.each(ALGORITHMS)("$name: $scenario", async ({ scenario, stops, shows }) => {
    const args = [...scenario.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    expect(args[0]).toBe("ringlab");
    const { code, stdout, stderr } = await ringlab(...args.slice(1));
    const said = stdout + stderr;
    if (stops) expect(said).toMatch(stops);
    else {
      expect(said).not.toMatch(/not served|is dead/);
      expect(said).toMatch(shows ?? "");
      expect(code).toBe(0);
    }
  });
});
