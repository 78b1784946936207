/**
 * Makes the boot code of a board: the firmware with the protocols that it is to carry, in one minified piece.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const FIRMWARE = fileURLToPath(new URL("../../firmware/", import.meta.url));

/** Each protocol that a board may carry beside the core, with its file and its exported name. */
const FILES: { [protocol: string]: [file: string, exported: string] } = {
  bully: ["bully.js", "bully"],
  ring: ["ring-election.js", "ringElection"],
  "chang-roberts": ["chang-roberts.js", "changRoberts"],
};

/** What every board carries. */
const CORE: [file: string, exported: string][] = [
  ["token-ring.js", "tokenRing"],
  ["active-monitor.js", "activeMonitor"],
  ["beacon.js", "beacon"],
  ["data.js", "data"],
  ["hello.js", "hello"],
];

/** Names of the protocols that a board may carry. */
export const LOADABLE = Object.keys(FILES);

/**
 * @param protocols names from LOADABLE
 * @param minify off only to read the result
 * @returns JavaScript in ASCII for `.bootcde`; a flat script, since functions of a top level stay in flash
 */
export async function bundleFirmware(protocols: readonly string[], minify = true): Promise<string> {
  const parts = [...CORE, ...protocols.map((name) => FILES[name] as [string, string])];
  const entry = [
    `import { powerUp } from "./main.js";`,
    ...parts.map(([file, exported]) => `import { ${exported} } from "./${file}";`),
    `powerUp([${parts.map(([, exported]) => exported).join(", ")}]);`,
  ].join("\n");
  const result = await build({
    stdin: { contents: entry, resolveDir: FIRMWARE, loader: "js" },
    bundle: true,
    write: false,
    minify,
    // Keeps `require("Storage")` as it is; nothing is exported, so the script stays flat.
    format: "cjs",
    external: ["Storage"],
    target: "es2015",
    charset: "ascii",
    legalComments: "none",
  });
  return (result.outputFiles[0]?.text ?? "").trimEnd();
}
