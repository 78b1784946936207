/** `ringlab emulate`: emulated boards behind terminals, for this program and any other that speaks serial. */
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { quote, UsageError } from "../../errors.ts";
import { type EmulatedTtys, emulateTtys, MOST_EMULATED } from "../../host/bench/emulated-ttys.ts";
import { wholeNumber } from "../options.ts";
import { rows } from "../words.ts";

interface EmulateOptions {
  stations: number;
  wired?: boolean;
  dir?: string;
  seed: number;
  blank?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab emulate --stations 3 --dir boards-here
  ringlab emulate --stations 4 --wired --dir boards-here
  ringlab emulate --blank              boards without firmware, to try ringlab flash on

While it runs it takes lines from the keyboard or a pipe: unplug b, plug b, reset b, press b, quit`;

const VERBS: { [verb: string]: (ttys: EmulatedTtys, name: string) => Promise<unknown> } = {
  unplug: (ttys, name) => ttys.unplug(name),
  plug: (ttys, name) => ttys.plug(name),
  reset: async (ttys, name) => ttys.board(name)?.brownOut(),
  press: async (ttys, name) => ttys.board(name)?.press("BTN1"),
};

export function register(program: Command): void {
  program
    .command("emulate")
    .description("emulated boards on terminals, until Ctrl-C")
    .option("--stations <n>", "how many boards", wholeNumber("--stations", 1, MOST_EMULATED), 3)
    .option("--wired", "each board's UART wired to the next one's")
    .option("--dir <dir>", "where the links a, b, c, ... to the terminals are made (default: a new folder)")
    .option("--seed <n>", "seed of everything random", wholeNumber("--seed", 0, 2 ** 31), 1)
    .option("--blank", "without firmware")
    .option("--json", "one JSON object on stdout when the boards are there, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action(emulate);
}

async function emulate(options: EmulateOptions): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("SIGHUP", onSignal);
  const say = (text: string) => {
    if (!options.json) process.stdout.write(`${text}\n`);
  };
  const dir = options.dir ? resolve(options.dir) : mkdtempSync(join(tmpdir(), "ringlab-"));
  const { stations, seed } = options;
  const ttys = await emulateTtys({
    stations,
    dir,
    seed,
    wired: options.wired === true,
    blank: options.blank === true,
    // A Ctrl-C in the shell ends socat too: that is no news.
    onLost: (name) =>
      void setTimeout(() => {
        if (!stop.signal.aborted) say(`${name}: its terminal has gone; "plug ${name}" brings it back`);
      }, 200),
  });
  const run = `ringlab run --ports ${ttys.paths.join(",")}${options.wired ? " --wiring wired" : ""}`;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ stations, paths: ttys.paths, wired: !!options.wired, run })}\n`);
  } else {
    say(
      `${stations} emulated boards${options.wired ? ", wired in a ring" : ""}${options.blank ? ", blank" : ""}:`,
    );
    process.stdout.write(rows(ttys.names.map((name, i) => [`  ${name}`, ttys.paths[i] as string] as const)));
    say(`In another terminal:\n  ${run}\nCtrl-C ends them.`);
  }
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => void command(ttys, line, say, () => stop.abort()));
  await new Promise<void>((done) => {
    if (stop.signal.aborted) done();
    stop.signal.addEventListener("abort", () => done());
  });
  input.close();
  process.stdin.destroy();
  await ttys.stop();
  if (!options.dir) rmdirSync(dir);
  say("The boards have ended.");
}

async function command(
  ttys: EmulatedTtys,
  line: string,
  say: (text: string) => void,
  quit: () => void,
): Promise<void> {
  const [verb = "", name = ""] = line.trim().slice(0, 80).split(/\s+/);
  if (verb === "") return;
  if (verb === "quit") {
    quit();
    return;
  }
  try {
    const act = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (!act)
      throw new UsageError(`${quote(verb)}: use ${Object.keys(VERBS).join(", ")} and a board, or quit`);
    await act(ttys, name);
    say(`${name}: ${verb}, done`);
  } catch (error) {
    process.stderr.write(`ringlab: ${(error as Error).message}\n`);
  }
}
