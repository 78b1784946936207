/** The program that a person starts. */
import { leave, watchStandardOutputs } from "./ending.ts";
import { runProgram } from "./program.ts";

watchStandardOutputs();
await runProgram(process.argv.slice(2));
leave();
