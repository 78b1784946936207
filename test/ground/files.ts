import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/** The text of a file of the project, by its path from the top with forward slashes. */
export function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** Paths of the files below a folder, in order. A folder that is not there has none. */
export function filesIn(folder: string): string[] {
  const url = new URL(folder, root);
  if (!existsSync(url)) return [];
  return readdirSync(url, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll("\\", "/"))
    .map((path) => path.slice(fileURLToPath(root).replaceAll("\\", "/").length))
    .sort();
}

/** Paths of the files that git tracks. */
export function trackedFiles(): string[] {
  const list = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  return list.split("\0").filter((path) => path !== "" && existsSync(new URL(path, root)));
}
