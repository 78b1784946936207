/** The program that a person starts. */
import { runProgram } from "./program.ts";

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
await runProgram(process.argv.slice(2));
