/** `ringlab emulate`: emulated boards behind terminals, for this program and any other that speaks serial. */
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { aborted } from "../../aborted.ts";
import { atExit } from "../../at-exit.ts";
import { quote, UsageError } from "../../errors.ts";
import { type EmulatedTtys, emulateTtys, MOST_EMULATED } from "../../host/bench/emulated-ttys.ts";
import { interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { complain, print, printJson } from "../terminal.ts";
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
  const { signal } = interruptible();
  const say = (text: string) => {
    if (!options.json) print(`${text}\n`);
  };
  const made = options.dir === undefined ? mkdtempSync(join(tmpdir(), "ringlab-")) : null;
  if (made !== null) atExit(() => removeFolder(made));
  const dir = made ?? resolve(options.dir as string);
  const { stations, seed } = options;
  const wanted = {
    stations,
    dir,
    seed,
    wired: options.wired === true,
    blank: options.blank === true,
    // A Ctrl-C in the shell ends socat too: that is no news.
    onLost: (name: string) =>
      void setTimeout(() => {
        if (!signal.aborted) say(`${name}: its terminal has gone; "plug ${name}" brings it back`);
      }, 200),
  };
  const ttys = await emulateTtys(wanted, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (!ttys) return;
  const run = `ringlab run --ports ${ttys.paths.join(",")}${options.wired ? " --wiring wired" : ""}`;
  if (options.json) printJson({ stations, paths: ttys.paths, wired: !!options.wired, run });
  else {
    say(
      `${stations} emulated boards${options.wired ? ", wired in a ring" : ""}${options.blank ? ", blank" : ""}:`,
    );
    print(rows(ttys.names.map((name, i) => [`  ${name}`, ttys.paths[i] as string] as const)));
    say(`In another terminal:\n  ${run}\nCtrl-C ends them.`);
  }
  const input = createInterface({ input: process.stdin });
  await new Promise<void>((done) => {
    input.on("line", (line) => void command(ttys, line, say, done));
    void aborted(signal).then(done);
  });
  input.close();
  process.stdin.destroy();
  await ttys.stop();
  if (made !== null) removeFolder(made);
  say("The boards have ended.");
}

/** Of our own making; what somebody has put into it meanwhile stays, and so does the folder. */
function removeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  if (readdirSync(folder).length === 0) rmdirSync(folder);
  else complain(`${folder} stays: somebody has put files into it`);
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
    complain((error as Error).message);
  }
}
