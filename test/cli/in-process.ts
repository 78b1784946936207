/** The command line called in the tests' own process: half a second less for each call than starting the program. */
import { runProgram } from "../../src/cli/program.ts";

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

type Write = typeof process.stdout.write;

/** Takes what a stream is given instead of writing it. @returns what ends that, with all that came */
function collect(stream: NodeJS.WriteStream): () => string {
  const own = Object.getOwnPropertyDescriptor(stream, "write");
  let text = "";
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
    if (done) queueMicrotask(done);
    return true;
  }) as Write;
  return () => {
    if (own) Object.defineProperty(stream, "write", own);
    else delete (stream as { write?: Write }).write;
    return text;
  };
}

let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end, one after the other. For one that is to be sent a signal, or whose streams are the point,
 * start the program (`start` of ringlab.ts).
 * @throws what the program throws, where a person would see a stack trace
 */
export function inProcess(args: readonly string[]): Promise<Said> {
  const turn = before.then(() => runHere(args));
  before = turn.catch(() => {});
  return turn;
}

async function runHere(args: readonly string[]): Promise<Said> {
  const exitCode = process.exitCode;
  process.exitCode = undefined;
  const stdout = collect(process.stdout);
  const stderr = collect(process.stderr);
  const said = { stdout: "", stderr: "" };
  try {
    await runProgram(args);
  } finally {
    said.stdout = stdout();
    said.stderr = stderr();
    const code = process.exitCode;
    process.exitCode = exitCode;
    Object.assign(said, { code: Number(code ?? 0) });
  }
  return said as Said;
}
