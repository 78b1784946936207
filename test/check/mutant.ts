/** The searches on a firmware with a mistake in it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { explore } from "../../src/check/exhaustive/explore.ts";
import type { describe, Model } from "../../src/check/exhaustive/model.ts";
import type { exploreOptions } from "../../src/host/search/small-ring.ts";
import type { trialOf } from "../../src/simulation/search/random-trial.ts";
import type { shrink } from "../../src/simulation/search/shrink.ts";
import type { traceOf } from "../../src/simulation/search/trace.ts";
import type { runTrial } from "../../src/simulation/search/trial.ts";
import type { Mistake } from "./mutations.ts";

const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));

const ENTRY = `
export { explore } from "./check/exhaustive/explore.ts";
export { describe, Model } from "./check/exhaustive/model.ts";
export { exploreOptions } from "./host/search/small-ring.ts";
export { trialOf } from "./simulation/search/random-trial.ts";
export { shrink } from "./simulation/search/shrink.ts";
export { traceOf } from "./simulation/search/trace.ts";
export { runTrial } from "./simulation/search/trial.ts";`;

export interface Mutant {
  describe: typeof describe;
  Model: typeof Model;
  explore: typeof explore;
  exploreOptions: typeof exploreOptions;
  trialOf: typeof trialOf;
  shrink: typeof shrink;
  traceOf: typeof traceOf;
  runTrial: typeof runTrial;
}

/**
 * @returns the simulation and the exhaustive search with this mistake in their firmware
 * @throws Error when the text to replace is not there exactly once
 */
export async function mutantOf({ file, text, replacement, also }: Mistake): Promise<Mutant> {
  const folder = mkdtempSync(join(tmpdir(), "ringlab-mutant-"));
  try {
    const outfile = join(folder, "simulation.mjs");
    let replaced = 0;
    await build({
      stdin: { contents: ENTRY, resolveDir: SOURCE, loader: "ts" },
      bundle: true,
      outfile,
      platform: "node",
      format: "esm",
      plugins: [
        {
          name: "mutation",
          setup: ({ onLoad }) => {
            onLoad({ filter: /\/firmware\/[\w/-]+\.js$/ }, ({ path }) => {
              if (basename(path) !== file) return null;
              let contents = readFileSync(path, "utf8");
              for (const edit of [{ text, replacement }, ...(also ? [also] : [])]) {
                const parts = contents.split(edit.text);
                if (parts.length !== 2)
                  throw new Error(`${file}: the text is there ${parts.length - 1} times`);
                contents = parts.join(edit.replacement);
              }
              replaced++;
              return { contents, loader: "js" };
            });
          },
        },
      ],
    });
    if (replaced !== 1) throw new Error(`${file} is not a part of the simulation`);
    return (await import(pathToFileURL(outfile).href)) as Mutant;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
