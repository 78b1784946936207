/** The command line: names every command and turns bad input into one line. */
import { Command, CommanderError } from "commander";
import { UsageError } from "../errors.ts";
import * as bench from "./bench.ts";
import * as elect from "./elect.ts";
import * as mutex from "./mutex.ts";
import * as run from "./run.ts";

const COMMANDS = [run, elect, mutex, bench];

async function main(): Promise<void> {
  // A reader that has seen enough (`| head`) is no fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  const program = new Command("ringlab")
    .description("A token ring of microcontroller boards: real, emulated or simulated.")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "ringlab: ")) })
    .showHelpAfterError("(--help shows the options, with examples)");
  for (const command of COMMANDS) command.register(program);
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    command.exitOverride();
  }
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof UsageError) {
      process.stderr.write(`ringlab: ${error.message}\n`);
      process.exitCode = error.exitCode;
    } else throw error;
  }
}

await main();
