/**
 * Makes the boot code of a board: the firmware with the protocols that it is to carry, in one piece that takes as few
 * variables as can be. Three steps: esbuild makes one flat script of the modules, `forOneStation` takes the parameters
 * out of it that are the same in every call, and terser inlines and renames.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Program, parse } from "acorn";
import { build } from "esbuild";
import { type CompressOptions, type MangleOptions, type MinifyOptions, minify } from "terser";
import { CORE, WIRED } from "../../../firmware/protocols.js";
import { loadableNames, sourceOf } from "../../protocols/registry.ts";
import { declareFirst } from "./declare-first.ts";
import { withoutHostParts } from "./host-parts.ts";
import { inlineShortFunctions } from "./inline-functions.ts";
import { forOneStation } from "./one-station.ts";
import { plainVariables } from "./plain-variables.ts";
import { placeProtocols } from "./protocol-objects.ts";
import { inwardFields } from "./short-names.ts";
import { shortenTimers } from "./short-timers.ts";

const FIRMWARE = fileURLToPath(new URL("../../../firmware/", import.meta.url));

const COMPRESS: CompressOptions = {
  passes: 4,
  toplevel: true,
  inline: 3,
  // A boolean in a field takes two variables, a small number one.
  booleans_as_integers: true,
};

/**
 * @param protocols names of what the board is to carry beside the core, as loadableNames() has them
 * @returns JavaScript in ASCII for `.bootcde`; a flat script, since its functions stay in flash
 * @throws RangeError for another name, or a protocol that was added without its file
 */
export async function bundleFirmware(protocols: readonly string[]): Promise<string> {
  const known = loadableNames();
  const unknown = protocols.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`no protocol ${unknown}`);
  const script = await flatScript(protocols);
  const program = inlineShortFunctions(
    plainVariables(placeProtocols(shortenTimers(forOneStation(withoutHostParts(tree(script)))))),
  );
  const small = await written(program, { compress: COMPRESS, mangle: mangle() });
  return written(declareFirst(tree(small)), { compress: false, mangle: false });
}

function tree(script: string): Program {
  return parse(script, { ecmaVersion: 2020, sourceType: "script" });
}

/** The text of a syntax tree, after what terser is to do with it. */
async function written(program: Program, how: MinifyOptions): Promise<string> {
  const { code } = await minify(program as unknown as string, {
    ...how,
    parse: { spidermonkey: true } as NonNullable<MinifyOptions["parse"]>,
    ecma: 5,
    format: { ascii_only: true },
  });
  if (!code) throw new Error("the firmware came out empty");
  return code;
}

/** The modules as one script: names as in the sources, nothing exported, no scope round it. */
async function flatScript(names: readonly string[]): Promise<string> {
  const core = await Promise.all(CORE.map(({ name }) => moduleOf(name)));
  const more = await Promise.all([...WIRED.map(({ name }) => name), ...names].map((name) => moduleOf(name)));
  const choices = more.map(({ name, exported }) => `"${name}": function () { return ${exported}; }`);
  const entry = [
    `import { powerUp } from "./board/main.js";`,
    ...[...core, ...more].map(({ file, clause }) => `import { ${clause} } from ${JSON.stringify(file)};`),
    `powerUp([${core.map(({ exported }) => exported).join(", ")}], { ${choices.join(", ")} });`,
  ].join("\n");
  const result = await build({
    stdin: { contents: entry, resolveDir: FIRMWARE, loader: "js" },
    bundle: true,
    write: false,
    // Keeps `require("Storage")` as it is.
    format: "cjs",
    external: ["Storage"],
    target: "es2015",
    charset: "ascii",
    legalComments: "none",
  });
  return result.outputFiles[0]?.text ?? "";
}

/** Finds a protocol's module: where it was added from, or through the imports of protocols.js, the one table of ours. */
async function moduleOf(
  name: string,
): Promise<{ name: string; file: string; clause: string; exported: string }> {
  const source = sourceOf(name);
  if (source) {
    // Two people may have exported theirs under one name, or as the default.
    const exported = `added_${name.replaceAll("-", "_")}`;
    return { name, file: source.file, clause: `${source.exported} as ${exported}`, exported };
  }
  const table = readFileSync(`${FIRMWARE}protocols.js`, "utf8");
  for (const [, exported = "", file = ""] of table.matchAll(
    /^import \{ (\w+) \} from "(\.\/[\w/-]+\.js)";$/gm,
  )) {
    const module = (await import(new URL(file, `file://${FIRMWARE}`).href)) as {
      [exported: string]: { name?: unknown };
    };
    if (module[exported]?.name === name) return { name, file, clause: exported, exported };
  }
  throw new RangeError(`firmware/protocols.js imports no protocol ${name}`);
}

function mangle(): MangleOptions {
  return {
    toplevel: true,
    reserved: pinNames(),
    // Some of our fields are called like one of a browser.
    properties: { builtins: true, regex: new RegExp(`^(${inwardFields().join("|")})$`) },
  };
}

/** Two-character names of pins, which are globals of a board: A0 to K9. */
function pinNames(): string[] {
  return [..."ABCDEFGHIJK"].flatMap((port) => [..."0123456789"].map((digit) => port + digit));
}
