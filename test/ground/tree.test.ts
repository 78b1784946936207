import { describe, expect, test } from "vitest";
import { filesIn, read, trackedFiles } from "./files.ts";

const TOP_LEVEL = [
  ".ci",
  ".editorconfig",
  ".gitignore",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "boards",
  "firmware",
  "package-lock.json",
  "package.json",
  "src",
  "test",
  "tsconfig.json",
];

const LONGEST_FILE = 400;

/** Each in two parts, so that this file does not hold what it looks for. */
const FORBIDDEN = [
  ["a folder of one machine", ["/ho", "me/"]],
  ["a folder of one machine", ["/ro", "ot/"]],
  ["a folder of one machine", ["/Us", "ers/"]],
  ["a folder of one machine", ["/wo", "rk/"]],
  ["the host of a package registry", ["registry.npm", "js.org"]],
  ["the host of a package registry", ["registry.ya", "rnpkg.com"]],
  ["the host of a package registry", ["npm.pkg.git", "hub.com"]],
  ["the host of a package registry", ["deb.deb", "ian.org"]],
].map(([what, parts]) => ({ what: String(what), text: [...(parts ?? [])].join("") }));

const TEXT = /\.(?:[cm]?[jt]s|json|ndjson|md|txt|csv|ya?ml|html|css|svg|mmd)$|(?:^|\/)(?:\.?[A-Za-z]+)$/;

function forbiddenIn(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      FORBIDDEN.filter((one) => line.includes(one.text)).map(
        (one) => `${index + 1}: ${one.what}: ${one.text}`,
      ),
    );
}

describe("the project's tree", () => {
  const tracked = trackedFiles();

  test("has only the known names at its top", () => {
    const names = new Set(tracked.map((path) => path.split("/")[0] ?? ""));
    expect([...names].filter((name) => !TOP_LEVEL.includes(name))).toEqual([]);
  });

  test(`has no program file over ${LONGEST_FILE} lines`, () => {
    const long = [...filesIn("src"), ...filesIn("firmware")]
      .map((path) => ({ path, lines: read(path).split("\n").length - 1 }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    expect(long).toEqual([]);
  });

  test("names no machine and no package registry", () => {
    const text = tracked.filter((path) => TEXT.test(path));
    expect(text).toContain("package-lock.json");
    expect(text.flatMap((path) => forbiddenIn(read(path)).map((found) => `${path}:${found}`))).toEqual([]);
  });

  test("would be caught naming one", () => {
    for (const { text } of FORBIDDEN) expect(forbiddenIn(`a\nb ${text}c`)).toHaveLength(1);
    expect(forbiddenIn("src/network/serial.ts and frame.ts")).toEqual([]);
  });

  test("locks packages without an address to load them from", () => {
    const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, { resolved?: string }> };
    const addresses = Object.values(lock.packages).flatMap(({ resolved }) => resolved ?? []);
    expect(addresses.filter((address) => address.includes("://"))).toEqual([]);
  });
});
