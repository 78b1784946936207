// Writes the tables of README.md that the program knows: `npm run readme`. With --check it only says whether they are so.
import { readFileSync, writeFileSync } from "node:fs";
import { algorithmTable } from "../src/textbook/algorithm-table.ts";

const README = new URL("../README.md", import.meta.url);
const before = readFileSync(README, "utf8");
const after = before.replace(
  /(<!-- algorithms: .*-->\n)[\s\S]*?(\n<!-- end -->)/,
  (_, begin: string, end: string) => begin + algorithmTable() + end,
);
if (!process.argv.includes("--check")) writeFileSync(README, after);
else if (after !== before) {
  process.stderr.write("README.md: its table of algorithms is not the program's: npm run readme\n");
  process.exitCode = 1;
}
