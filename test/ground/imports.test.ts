import { describe, expect, test } from "vitest";
import { filesIn, read } from "./files.ts";
import { importsOf, wrongArrow } from "./imports.ts";

const files = [...filesIn("src"), ...filesIn("firmware")].filter((path) => /\.[cm]?[jt]s$/.test(path));

describe("the imports of a module", () => {
  test.each([
    ["import a from './a.js';", "./a.js", 1],
    ['import {\n  type A,\n  b,\n} from "./a.ts";', "./a.ts", 4],
    ["import type { A } from './a.ts';", "./a.ts", 1],
    ["\nimport './a.ts';", "./a.ts", 2],
    ["export * from './a.ts';", "./a.ts", 1],
    ["export { a } from './a.ts';", "./a.ts", 1],
    ["const a = await import('./a.ts');", "./a.ts", 1],
    ["/** @param {import('./a.ts').A} a */", "./a.ts", 1],
    ["/** @import { A } from './a.ts' */", "./a.ts", 1],
  ])("%j imports %s on line %i", (source, specifier, line) => {
    expect(importsOf(source)).toEqual([{ line, specifier }]);
  });

  test("are nothing else that comes from somewhere", () => {
    expect(importsOf("export const a = Array.from('./a.ts'); export const b = Buffer.from(a);")).toEqual([]);
  });
});

describe("an arrow", () => {
  test.each([
    ["src/cli/run.ts", "../host/ring.ts"],
    ["src/cli/run.ts", "../simulation/ring.ts"],
    ["src/host/ring.ts", "../link/serial.ts"],
    ["src/simulation/ring.ts", "../../firmware/station.js"],
    ["src/check/invariants.ts", "../log/records.ts"],
    ["src/emulator/board.ts", "../bench-file/profiles.ts"],
    ["src/link/serial.ts", "../errors.ts"],
    ["src/link/serial.ts", "serialport"],
    ["src/index.ts", "./cli/main.ts"],
    ["firmware/station.js", "./frame.js"],
    ["firmware/board/console.js", "../frame.js"],
  ])("from %s to %s is right", (from, to) => {
    expect(wrongArrow(from, to)).toBeUndefined();
  });

  test.each([
    ["src/host/ring.ts", "../cli/main.ts"],
    ["src/simulation/ring.ts", "../host/ring.ts"],
    ["src/page/server.ts", "../cli/table.ts"],
    ["src/link/serial.ts", "../simulation/clock.ts"],
    ["src/link/serial.ts", "../emulator/board.ts"],
    ["src/check/invariants.ts", "../log/ndjson-reader.ts"],
    ["src/bench-file/profiles.ts", "../link/ports.ts"],
    ["src/errors.ts", "./link/serial.ts"],
    ["src/link/serial.ts", "../index.ts/../host/ring.ts"],
    ["src/link/serial.ts", "../../test/tools.ts"],
    ["src/other/a.ts", "../link/serial.ts"],
    ["firmware/station.js", "../src/errors.ts"],
    ["firmware/station.js", "node:fs"],
  ])("from %s to %s is wrong", (from, to) => {
    expect(wrongArrow(from, to)).toEqual(expect.any(String));
  });
});

test("the program has only right arrows", () => {
  const wrong = files.flatMap((path) =>
    importsOf(read(path)).flatMap(({ line, specifier }) => {
      const reason = wrongArrow(path, specifier);
      return reason ? [`${path}:${line}: imports ${specifier}: ${reason}`] : [];
    }),
  );
  expect(files).not.toEqual([]);
  expect(wrong).toEqual([]);
});

test("time and chance are handed in to the simulation and the checks", () => {
  const own = /\b(?:Date|performance|setTimeout|setInterval|setImmediate|Math\.random|crypto|hrtime)\b/;
  const wrong = [...filesIn("src/simulation"), ...filesIn("src/check")].flatMap((path) =>
    read(path)
      .split("\n")
      .map((line) => line.replace(/^\s*(?:\/\/|\/?\*).*$|\s\/\/.*$/, ""))
      .flatMap((line, index) => (own.test(line) ? [`${path}:${index + 1}: ${own.exec(line)?.[0]}`] : [])),
  );
  expect(wrong).toEqual([]);
});
