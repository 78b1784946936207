import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringlab-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs test files, given by their text, in a process of their own; vitest's functions are globals there. */
function run(files: Record<string, string>, env: Record<string, string> = {}) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const args = ["run", "--root", folder, "--globals", `--reporter=${path("test/closing-line.ts")}`];
  const { CI, ESPRUINO, ...inherited } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [path("node_modules/vitest/vitest.mjs"), ...args], {
    env: { ...inherited, ...env },
    encoding: "utf8",
  });
  return { status, lastLine: stdout.trimEnd().split("\n").at(-1) };
}

test("the closing line counts tests, files that do not load, failed hooks and errors outside of any test", () => {
  const result = run({
    "results.test.ts":
      "test('a', () => {}); test('b', () => {}); test('c', () => expect(1).toBe(2)); test.skip('d', () => {}); test.todo('e');",
    "load.test.ts": "import './absent.ts'; test('f', () => {});",
    "hook.test.ts":
      "describe('x', () => { beforeAll(() => { throw new Error('x'); }); test('g', () => {}); });",
    "error.test.ts": "test('h', () => { Promise.reject(new Error('nobody waits')); });",
  });
  expect(result).toEqual({ status: 1, lastLine: "3 passed, 4 failed, 3 skipped" });
});

describe("a test that needs programs from outside", () => {
  const tools = JSON.stringify(path("test/tools.ts"));
  const files = {
    "a.test.ts": `import { espruinoTest, toolTest } from ${tools};
      toolTest(["node", "npm"])("runs", () => {});
      toolTest(["node", "no-such-program"])("lacks one", () => {});
      espruinoTest("on a real Espruino", () => {});`,
  };

  test("is skipped where one is missing", () => {
    expect(run(files)).toEqual({ status: 0, lastLine: "1 passed, 0 failed, 2 skipped" });
    expect(run(files, { ESPRUINO: process.execPath }).lastLine).toBe("2 passed, 0 failed, 1 skipped");
  });

  test("fails there in continuous integration, but for the real Espruino", () => {
    expect(run(files, { CI: "true" })).toEqual({ status: 1, lastLine: "1 passed, 1 failed, 1 skipped" });
  });

  test("fails on a wrong path of the real Espruino", () => {
    const absent = { ESPRUINO: join(folder, "absent") };
    expect(run(files, absent)).toEqual({ status: 1, lastLine: "1 passed, 1 failed, 1 skipped" });
  });
});
