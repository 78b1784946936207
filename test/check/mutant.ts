/** The fault search on a firmware with a mistake in it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { trialOf } from "../../src/simulation/fault-plan.ts";
import type { shrink } from "../../src/simulation/shrink.ts";
import type { traceOf } from "../../src/simulation/trace.ts";
import type { runTrial } from "../../src/simulation/trial.ts";
import type { Mutation } from "./mutations.ts";

const SIMULATION = fileURLToPath(new URL("../../src/simulation/", import.meta.url));

const ENTRY = `
export { trialOf } from "./fault-plan.ts";
export { shrink } from "./shrink.ts";
export { traceOf } from "./trace.ts";
export { runTrial } from "./trial.ts";`;

export interface Mutant {
  trialOf: typeof trialOf;
  shrink: typeof shrink;
  traceOf: typeof traceOf;
  runTrial: typeof runTrial;
}

/**
 * @returns the simulation with this mistake in its firmware
 * @throws Error when the text to replace is not there exactly once
 */
export async function mutantOf({ file, text, replacement }: Mutation): Promise<Mutant> {
  const folder = mkdtempSync(join(tmpdir(), "ringlab-mutant-"));
  try {
    const outfile = join(folder, "simulation.mjs");
    let replaced = 0;
    await build({
      stdin: { contents: ENTRY, resolveDir: SIMULATION, loader: "ts" },
      bundle: true,
      outfile,
      platform: "node",
      format: "esm",
      plugins: [
        {
          name: "mutation",
          setup: ({ onLoad }) => {
            onLoad({ filter: /\/firmware\/[\w-]+\.js$/ }, ({ path }) => {
              if (basename(path) !== file) return null;
              const parts = readFileSync(path, "utf8").split(text);
              if (parts.length !== 2) throw new Error(`${file}: the text is there ${parts.length - 1} times`);
              replaced++;
              return { contents: parts.join(replacement), loader: "js" };
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
