/**
 * Script files: one action a line, comments, and the options that the script needs in a comment
 * `# ringlab run OPTIONS`. A story is such a file that comes with the program, and has a name.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { readyBenches } from "../bench-file/load-bench.ts";
import { nearest } from "../bench-file/nearest.ts";
import { quote, UsageError } from "../errors.ts";
import { type Action, parseAction } from "../simulation/script/script.ts";
import { planOptions, type RingOptions } from "./options.ts";

const STORIES_FOLDER = fileURLToPath(new URL("stories/", import.meta.url));

/** The line with the options; `check` writes it too. */
const COMMAND = /^#\s*ringlab run\s+(\S.*)$/;

export interface ScriptOptions extends RingOptions {
  duration?: string;
}

export interface ScriptFile {
  /** What the file asks for; the command line has the last word. */
  options: ScriptOptions;
  actions: Action[];
  /** Its lines as a person reads them, without that of the options. */
  text: string[];
}

/** Paths of the stories by name (`lease`). */
export function stories(): Map<string, string> {
  const files = readdirSync(STORIES_FOLDER).filter((file) => file.endsWith(".txt"));
  return new Map(files.sort().map((file) => [basename(file, ".txt"), join(STORIES_FOLDER, file)]));
}

/** @returns name and title of each story, a line each */
export function storyList(): string {
  return [...stories()]
    .map(([name, path]) => {
      const title = readScript(path).text[0] ?? "";
      return `  ${name.padEnd(20)}${title.replace(/^#\s*/, "")}`;
    })
    .join("\n");
}

/**
 * @param name of what is to run; a file of that name comes first, then a ready bench
 * @returns the path of a story; null for a bench
 * @throws UsageError when it is neither
 */
export function storyNamed(name: string): string | null {
  const benches = readyBenches();
  if (existsSync(name) || benches.has(name)) return null;
  const ready = stories();
  const story = ready.get(name);
  if (story !== undefined) return story;
  const near = nearest(name, [...ready.keys(), ...benches.keys()]);
  throw new UsageError(
    `${quote(name)} does not exist: ${
      near === undefined
        ? `give the path of a bench file, the name of a ready bench (${[...benches.keys()].join(", ")}) or of a story (${[...ready.keys()].join(", ")})`
        : `did you mean "${near}"?`
    }`,
  );
}

/** @throws UsageError with file and line */
export function readScript(path: string): ScriptFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--script ${quote(path)} cannot be read: ${code}`);
  }
  const script: ScriptFile = { options: {}, actions: [], text: [] };
  let asked = false;
  text.split(/\r\n?|\n/).forEach((whole, i) => {
    const line = whole.trim();
    const words = asked ? undefined : COMMAND.exec(line)?.[1];
    try {
      if (words !== undefined) {
        script.options = optionsOf(words);
        asked = true;
        return;
      }
      if (line) script.text.push(line);
      if (line && !line.startsWith("#"))
        script.actions.push({ ...parseAction(line), where: `${path}:${i + 1}` });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`${path}:${i + 1}: ${error.message}`);
    }
  });
  return script;
}

/** @returns the options of a script under those of the command line, which says the ids in one of two ways */
export function underCommandLine<T extends ScriptOptions>(script: ScriptOptions, given: T): T {
  const { stations, ids, ...rest } = script;
  const sizes =
    given.stations === undefined && given.ids === undefined
      ? { ...(stations !== undefined && { stations }), ...(ids && { ids }) }
      : {};
  const limit = [...(script.limit ?? []), ...(given.limit ?? [])];
  return { ...sizes, ...rest, ...given, ...(limit.length && { limit }) };
}

/** @throws UsageError for what is no option of a simulated ring */
function optionsOf(words: string): ScriptOptions {
  const parser = planOptions(new Command("run"))
    .option("--duration <time>")
    .option("--script <file>")
    .allowExcessArguments(false)
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    parser.parse(words.split(/\s+/), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(
      `a script can only ask for what describes a simulated ring and how long it runs: ${error.message
        .split("\n")[0]
        ?.replace(/^error: /, "")}`,
    );
  }
  const { script: _, ...options } = parser.opts<ScriptOptions & { script?: string }>();
  return options;
}
