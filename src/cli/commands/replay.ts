/** `ringlab replay`: repeats a recorded simulation record by record, or re-checks the records of boards. */
import type { Command } from "commander";
import { quote, UsageError } from "../../errors.ts";
import { recheck, repeat } from "../../host/replay/replay.ts";
import { NdjsonReader } from "../../log/file/ndjson-reader.ts";
import { type Ending, INTERRUPTED, interruptible } from "../ending.ts";
import { complain, print, printJson } from "../terminal.ts";
import { PROGRAM } from "../version.ts";

interface ReplayOptions {
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab run --duration 20s --at "5s crash 5" --log ring.ndjson --json
  ringlab replay ring.ndjson
  ringlab replay boards.ndjson --json

The log of a simulation has its plan, script and seed: it is run again, and every
record must be the same. The log of boards is checked against the invariants
that hold whatever the order of events of different boards. The exit code is 1
where a record differs or an invariant does not hold, and 130 where Ctrl-C came
before the end: what is said then is said of a part.`;

export function register(program: Command): void {
  program
    .command("replay")
    .description("repeat a recorded simulation, or re-check the log of boards")
    .argument("<file>", "a file that run --log wrote")
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(replay);
}

async function replay(file: string, { json }: ReplayOptions): Promise<void> {
  const ending = interruptible();
  const reader = new NdjsonReader(file);
  try {
    const { kind } = reader.header;
    if (kind === "simulation") await repeated(reader, json, ending);
    else if (kind === "boards") await rechecked(reader, json, ending);
    else {
      throw new UsageError(
        `${quote(file)} is a log of kind ${quote(kind)}: replay takes those of simulations and of boards`,
      );
    }
  } finally {
    reader.close();
  }
}

async function repeated(reader: NdjsonReader, json: boolean | undefined, ending: Ending): Promise<void> {
  const { same, difference, warnings } = await repeat(reader, ending.signal);
  const verdict = reader.footer?.verdict ?? null;
  const partial = ending.interrupted && !difference;
  if (json) printJson({ kind: "simulation", same, difference, partial, verdict, warnings });
  else if (difference) {
    print(`${reader.path}: ${same} records are the same, record ${difference.seq} is not
  in the file  ${difference.recorded ?? "none"}
  repeated     ${difference.repeated ?? "none"}
`);
    if (reader.header.program !== PROGRAM) {
      print(`The file was written by ${reader.header.program}, this is ${PROGRAM}.\n`);
    }
  } else if (partial) print(`${reader.path}: PARTIAL: interrupted after ${same} records, the same so far\n`);
  else print(`${reader.path}: ${same} records, the same in the repetition\n`);
  warnings.forEach(complain);
  process.exitCode = difference ? 1 : partial ? INTERRUPTED : 0;
}

async function rechecked(reader: NdjsonReader, json: boolean | undefined, ending: Ending): Promise<void> {
  const { records, violation, trace, warnings } = await recheck(reader, ending.signal);
  const verdict = reader.footer?.verdict ?? null;
  const partial = ending.interrupted && !violation;
  if (json) printJson({ kind: "boards", records, violation, trace, partial, verdict, warnings });
  else if (violation) {
    const { claim, text, t, seq } = violation;
    print(`${reader.path}: ${claim} does not hold at ${t / 1e6} s, record ${seq}: ${text}\n`);
    for (const line of trace) print(`${line}\n`);
  } else if (partial) {
    print(
      `${reader.path}: PARTIAL: interrupted after ${records} records of boards, every invariant holds so far\n`,
    );
  } else print(`${reader.path}: ${records} records of boards, every invariant holds\n`);
  warnings.forEach(complain);
  process.exitCode = violation ? 1 : partial ? INTERRUPTED : 0;
}
