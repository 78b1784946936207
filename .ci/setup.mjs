// Installs the packages of package-lock.json when they are not there yet. Runs before every npm script, so it is quick
// when there is nothing to do, and it keeps stdout free for the script itself.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {string} file path below the project's folder
 * @returns {Record<string, Record<string, unknown>> | undefined} the packages it lists, undefined when it can't be read
 */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(root + file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** @returns {boolean} whether every package that the lock file asks for is installed in that version */
function isInstalled() {
  const wanted = packagesIn("package-lock.json");
  // npm writes this list last, so a cut-off installation has none.
  const installed = packagesIn("node_modules/.package-lock.json");
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    // Optional packages for other systems are not installed here.
    if (!found) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** @param {string} line what is going on, or what went wrong and what to try */
function say(line) {
  process.stderr.write(`ringlab: ${line}\n`);
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(`Node ${process.versions.node} is too old: install Node 20.19 or newer`);
  process.exit(2);
}

if (!isInstalled()) {
  say("installing the packages of package-lock.json (once)");
  const run = npm([
    "ci",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  if (run.status !== 0) {
    process.stderr.write(run.stderr ?? "");
    say(
      `npm ci failed (${run.error?.message ?? `exit code ${run.status}`}): check the network and run it again`,
    );
    process.exit(1);
  }
}

/** @param {string[]} args */
function npm(args) {
  /** @type {import("node:child_process").SpawnSyncOptionsWithStringEncoding} */
  const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
  const script = process.env.npm_execpath;
  if (script) return spawnSync(process.execPath, [script, ...args], options);
  return spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
}
