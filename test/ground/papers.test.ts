/** What the papers say is there. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";
import { read } from "./files.ts";

const PAPERS = [
  "CONTRIBUTING.md",
  ...["firmware", "src", "boards", "test"].map((folder) => `${folder}/README.md`),
];
const exists = (path: string) => existsSync(new URL(`../../${path}`, import.meta.url));

test.each(PAPERS)("%s names only paths that are there", (paper) => {
  const text = read(paper);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) =>
    join(dirname(paper), match[1] as string),
  );
  const paths = [...text.matchAll(/`((?:src|firmware|boards|test)\/[\w./-]*)(?<!NAME\.\w+)`/g)].map(
    (match) => match[1] as string,
  );
  expect([...links, ...paths].filter((path) => !path.includes("NAME") && !exists(path))).toEqual([]);
});

test("the folders of each part are in its README", () => {
  for (const [folder, rooms] of [
    ["firmware", ["ring", "mutex", "election", "clocks", "deadlock", "board"]],
    [
      "src",
      [
        "cli",
        "page",
        "panel",
        "host",
        "textbook",
        "simulation",
        "check",
        "link",
        "emulator",
        "log",
        "protocols",
        "bench-file",
      ],
    ],
    ["test", ["claims", "scenarios", "conformance", "ground", "fixtures"]],
  ] as const) {
    const text = read(`${folder}/README.md`);
    for (const room of rooms) {
      expect(text).toContain(`\`${room}/\``);
      expect(exists(`${folder}/${room}`)).toBe(true);
    }
  }
});

test("every npm script that CONTRIBUTING.md names is there", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { [name: string]: string } };
  const named = [...read("CONTRIBUTING.md").matchAll(/npm run (?:-s )?([\w:]+)/g)].map(
    (match) => match[1] as string,
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(named.length).toBeGreaterThan(3);
});
