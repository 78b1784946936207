import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stories } from "../../src/cli/script-file.ts";
import { ALGORITHMS } from "../../src/textbook/algorithms.ts";
import { ringlab } from "./ringlab.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

test("the table of algorithms is the one that the program writes", () => {
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", ".ci/readme.ts", "--check"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  for (const { title, scenario } of ALGORITHMS) {
    expect(readme).toContain(`| ${title} |`);
    expect(readme).toContain(`| \`${scenario}\` |`);
  }
});

/** The text of the first code block behind a line that contains `words`. */
function block(words: string): string[] {
  const from = readme.indexOf(words);
  const [, text = ""] = /```\w*\n([\s\S]*?)```/.exec(readme.slice(from)) ?? [];
  return text.trimEnd().split("\n");
}

test("the table of commands names every command, and no other", async () => {
  const { stdout } = await ringlab("--help");
  const commands = [...stdout.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)].map((match) => match[1]);
  const rows = [...readme.matchAll(/^\| (`[^|]*) \|/gm)].flatMap((row) => [
    ...(row[1] as string).matchAll(/`([a-z-]+)/g),
  ]);
  expect(new Set(rows.map((match) => match[1]))).toEqual(new Set(commands.filter((name) => name !== "help")));
});

test("what the README shows of npm start is what npm start shows", async () => {
  const words = [...(manifest.scripts.start as string).matchAll(/"[^"]*"|\S+/g)].map((match) => match[0]);
  const args = words.slice(words.indexOf("src/cli/main.ts") + 1).map((word) => word.replaceAll('"', ""));
  args[args.indexOf("realtime")] = "max";
  args.splice(args.indexOf("--log"), 2);
  const { stdout, code } = await ringlab(...args);
  expect(code).toBe(0);
  const shown = stdout.split("\n");
  for (const line of block("What `npm start` shows")) expect(shown).toContain(line);
});

test("what the README shows of a lease that runs out is what the story tells", async () => {
  const { stdout, code } = await ringlab("run", "lease");
  expect(code).toBe(0);
  const shown = stdout.split("\n");
  const lines = block("The coordinator gives its\nentry up");
  for (const line of lines) expect(shown).toContain(line);
  expect(lines.filter((line) => /\(lease\)|REFUSED/.test(line))).toHaveLength(2);
});

test("the README names every story", () => {
  for (const name of stories().keys()) expect(readme).toContain(`\`${name}\``);
});
