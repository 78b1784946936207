/** What Johnny-Five costs those who do not use it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Packages of the CommonJS modules that importing some files loads. */
function loadedBy(...files: string[]): string[] {
  const program = `
    import { createRequire } from "node:module";
    for (const file of ${JSON.stringify(files)}) await import(file);
    const { cache } = createRequire(import.meta.url);
    const names = Object.keys(cache).map((path) => /node_modules.((?:@[^\\\\/]+.)?[^\\\\/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names)]));
  `;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", timeout: 20_000 }));
}

describe("Johnny-Five, board-io and firmata-io", () => {
  test("are loaded by nobody who does not ask for them", () => {
    const loaded = loadedBy(
      "./src/index.ts",
      "./src/cli/commands/panel.ts",
      "./src/cli/commands/run.ts",
      "./src/panel/bench-panel.ts",
    );
    expect(loaded).toContain("serialport");
    for (const name of ["johnny-five", "board-io", "firmata-io"]) expect(loaded).not.toContain(name);
  });

  test("bring no second serialport", () => {
    const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as { packages: object };
    const copies = Object.keys(packages).filter((path) => /(^|\/)node_modules\/serialport$/.test(path));
    expect(copies).toEqual(["node_modules/serialport"]);
  });
});
