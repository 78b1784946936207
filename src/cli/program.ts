/** The command line: finds the command and turns bad input into one line. */
import { Command, CommanderError } from "commander";
import { escapeControls, quote, UsageError } from "../errors.ts";
import { newEnding } from "./ending.ts";
import { complain } from "./terminal.ts";

/** A command's file adds it to the program; it is loaded only when it is asked for, or for the list of all. */
type CommandFile = () => Promise<{ register(program: Command): void }>;

/** In the order of the list that `--help` shows. */
const COMMANDS: { [name: string]: CommandFile } = {
  run: () => import("./commands/run.ts"),
  elect: () => import("./commands/elect.ts"),
  mutex: () => import("./commands/mutex.ts"),
  compare: () => import("./commands/compare.ts"),
  check: () => import("./commands/check.ts"),
  replay: () => import("./commands/replay.ts"),
  log: () => import("./commands/log.ts"),
  export: () => import("./commands/export.ts"),
  "compare-capture": () => import("./commands/compare-capture.ts"),
  ports: () => import("./commands/ports.ts"),
  discover: () => import("./commands/discover.ts"),
  emulate: () => import("./commands/emulate.ts"),
  watch: () => import("./commands/watch.ts"),
  panel: () => import("./commands/panel.ts"),
  flash: () => import("./commands/flash.ts"),
  page: () => import("./commands/page.ts"),
  share: () => import("./commands/share.ts"),
  broker: () => import("./commands/broker.ts"),
  bench: () => import("./commands/bench.ts"),
};

/**
 * Runs one command to its end. What it has to say goes to stdout and stderr, and its end to `process.exitCode`.
 * @param args what stands behind the program's name
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command("ringlab")
    .description("A token ring of microcontroller boards: real, emulated or simulated.")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) })
    .hook("preAction", (_, command) => noExcess(command));
  const asked = args[0] ?? "";
  const files = Object.hasOwn(COMMANDS, asked) ? [COMMANDS[asked] as CommandFile] : Object.values(COMMANDS);
  for (const file of await Promise.all(files.map((load) => load()))) file.register(program);
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    command.exitOverride();
    // Refused by the hook, which says what would fit.
    command.allowExcessArguments();
  }
  const ending = newEnding();
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof UsageError) {
      complain(error.message);
      process.exitCode = error.exitCode;
    } else throw error;
  } finally {
    ending.release();
  }
}

/** What commander says is wrong, and where to look. */
function oneLine(text: string): string {
  const words = text
    .trim()
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ");
  return `ringlab: ${escapeControls(words)} (--help shows the options, with examples)\n`;
}

/** @throws UsageError for an argument that the command has no place for */
function noExcess(command: Command): void {
  const known = command.registeredArguments;
  const extra = command.args[known.length];
  if (extra === undefined || known.at(-1)?.variadic) return;
  const name = command.name();
  const takes = known.length
    ? `takes ${known.map((one) => one.name()).join(" and ")}, and ${quote(extra)} is one argument too many`
    : `takes options only, not ${quote(extra)}`;
  throw new UsageError(`${name} ${takes}: "ringlab ${name} --help" shows examples`);
}
