/** `ringlab replay`: repeats a recorded simulation record by record, or re-checks the records of boards. */
import type { Command } from "commander";
import { escapeControls, quote, UsageError } from "../../errors.ts";
import { recheck, repeat } from "../../host/replay/replay.ts";
import { plainJson } from "../../log/file/json-text.ts";
import { NdjsonReader } from "../../log/file/ndjson-reader.ts";
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
where a record differs or an invariant does not hold.`;

export function register(program: Command): void {
  program
    .command("replay")
    .description("repeat a recorded simulation, or re-check the log of boards")
    .argument("<file>", "a file that run --log wrote")
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(replay);
}

async function replay(file: string, options: ReplayOptions): Promise<void> {
  const reader = new NdjsonReader(file);
  try {
    const { kind } = reader.header;
    if (kind === "simulation") await repeated(reader, options);
    else if (kind === "boards") rechecked(reader, options);
    else {
      throw new UsageError(
        `${quote(file)} is a log of kind ${quote(kind)}: replay takes those of simulations and of boards`,
      );
    }
  } finally {
    reader.close();
  }
}

async function repeated(reader: NdjsonReader, { json }: ReplayOptions): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  const { same, difference, warnings } = await repeat(reader, stop.signal).finally(() => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  });
  const result = { kind: "simulation", same, difference, verdict: reader.footer?.verdict ?? null };
  const name = escapeControls(reader.path);
  if (json) print(plainJson({ ...result, warnings }));
  else if (difference) {
    print(`${name}: ${same} records are the same, record ${difference.seq} is not`);
    print(`  in the file  ${difference.recorded ?? "none"}`);
    print(`  repeated     ${difference.repeated ?? "none"}`);
    if (reader.header.program !== PROGRAM) {
      print(`The file was written by ${escapeControls(reader.header.program)}, this is ${PROGRAM}.`);
    }
  } else print(`${name}: ${same} records, the same in the repetition`);
  warn(warnings);
  if (difference) process.exitCode = 1;
}

function rechecked(reader: NdjsonReader, { json }: ReplayOptions): void {
  const { records, violation, trace, warnings } = recheck(reader);
  const name = escapeControls(reader.path);
  if (json) {
    const verdict = reader.footer?.verdict ?? null;
    print(plainJson({ kind: "boards", records, violation, trace, verdict, warnings }));
  } else if (violation) {
    const { claim, text, t, seq } = violation;
    print(`${name}: ${claim} does not hold at ${t / 1e6} s, record ${seq}: ${text}`);
    for (const line of trace) print(line);
  } else print(`${name}: ${records} records of boards, every invariant holds`);
  warn(warnings);
  if (violation) process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`ringlab: ${warning}\n`);
}
