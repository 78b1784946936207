import { describe, expect, test } from "vitest";
import { ELECTIONS, MUTEXES } from "../../firmware/protocols.js";
import type { Station } from "../../firmware/types.d.ts";
import { algorithmNames } from "./algorithm-names.ts";
import { filesIn, read } from "./files.ts";

const ALL = [...MUTEXES, ...ELECTIONS];
/** Timestamps of logs are Lamport's, whatever the ring runs. */
const SHARED = new Set(["lamport"]);
const known = {
  names: ALL.map(({ name }) => name).filter((name) => !SHARED.has(name)),
  parts: ALL.flatMap(({ create }) => {
    const made = {} as Station;
    create?.(made);
    return Object.keys(made);
  }).filter((part) => !SHARED.has(part)),
};
const namesIn = (path: string, source: string) => algorithmNames(path, source, known);

describe("an algorithm's name", () => {
  test("stands in the tables and in its own files, and in no other", () => {
    const files = [...filesIn("src"), ...filesIn("firmware")].filter((path) => /\.[jt]sx?$/.test(path));
    const found = files.flatMap((path) => namesIn(path, read(path)).map((name) => `${path}: ${name}`));
    expect(found).toEqual([]);
  });

  test.each([
    ['if (plan.mutex === "token-ring") go();', ['"token-ring"']],
    ['switch (name) { case "raymond": go(); }', ['"raymond"']],
    ['const all = ["bully", "ring"];', ['"bully"']],
    ['const plan = { election: "ring" };', ['"ring"']],
    ['if (plan.election === "ring") go();', ['"ring"']],
    ['option("--protocols", "what", "bully,ring");', ['"bully,ring"']],
    ["const late = s.suzuki.held;", ["suzuki"]],
    ["const theory = { maekawa: 3 };", ["maekawa"]],
    [
      'import { quorumOf } from "../../firmware/mutex/maekawa.js"; quorumOf();',
      ["../../firmware/mutex/maekawa.js"],
    ],
  ])("is found in: %s", (source, found) => {
    expect(namesIn("src/host/any.ts", source)).toEqual(expect.arrayContaining(found));
  });

  test.each([
    'rows([["ring", words]]);',
    'if (view === "ring") show();',
    'const help = "ringlab elect --algorithm bully --stations 7";',
    "// as in bully\nconst a = view.ring;",
    'import { startElection } from "../../firmware/election/election.js"; startElection();',
  ])("is not seen in: %s", (source) => {
    expect(namesIn("src/host/any.ts", source)).toEqual([]);
  });

  test("may stand in its own file", () => {
    expect(namesIn("firmware/election/bully.js", 'export const bully = { name: "bully" };')).toEqual([]);
  });
});
