import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runScenario } from "./runner.ts";

const FOLDER = new URL("./", import.meta.url);
const UPDATE = process.env.UPDATE_SCENARIOS === "1";

const files = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

describe("scenario", () => {
  test.each(files)("%s", (name) => {
    const path = new URL(name, FOLDER);
    const text = readFileSync(path, "utf8");
    const outcome = runScenario(text);
    if (UPDATE) writeFileSync(path, outcome.text);
    expect(outcome.failures).toEqual([]);
    if (!UPDATE) expect(outcome.text).toBe(text);
  });
});

describe("the runner", () => {
  const ring = "ring stations=3\nrun until=3s show=coordinator@1";

  test("says what a block says now, and nothing else of it changes", () => {
    const text = `# why\n${ring}\n----\nwhat was said before\n\n# an end\n`;
    const { text: now, failures } = runScenario(text);
    expect(now).toMatch(
      /^# why\nring stations=3\nrun .*\n----\n +\d\.\d{6} {2}1 {6}coordinator .*\n\n# an end\n$/,
    );
    expect(failures).toEqual([]);
    expect(runScenario(now).text).toBe(now);
  });

  test.each([
    ["one-coordinator 2", /^line 3: assert one-coordinator 2: station 1 takes 3 for the coordinator/],
    ["no-token", /^line 3: assert no-token: a token is /],
    ["count regenerated=2", /^line 3: assert count regenerated=2: regenerated 1 instead of 2/],
    ["broken-between 3 1", /^line 3: assert broken-between 3 1: beacons come from \[\]/],
  ])("fails for an assertion that does not hold: %s", (assertion, message) => {
    const { failures } = runScenario(`${ring}\nassert ${assertion}\n----\nok\n`);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(message);
  });

  test("fails for two tokens, and for none", () => {
    const two = "inject 1 TOK,1,253,999,1,0\nrun for=1ms\nassert one-token";
    const none = "run to=TOK@3\ncrash 1\nassert one-token";
    for (const text of [two, none])
      expect(runScenario(`${ring}\n${text}\n----\nok\n`).failures).toHaveLength(1);
  });

  test("says what is wrong with a command, and goes on", () => {
    const { text } = runScenario("crash 1\nring stations=x\nflip 3\nassert luck\n----\n");
    expect(text.split("\n").slice(5)).toEqual([
      expect.stringMatching(/^error: there is no ring yet/),
      expect.stringMatching(/^error: .*--stations/),
      expect.stringMatching(/^error: "flip" is no command: use one of ring, run,/),
      expect.stringMatching(/^error: there is no ring yet/),
      "",
    ]);
  });

  test("refuses commands without a rule below them", () => {
    expect(() => runScenario(`# text\n\n${ring}\n`)).toThrow("line 3: a block needs a line ----");
  });
});
