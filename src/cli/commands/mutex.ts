/** `ringlab mutex`: entries into the critical section, counted beside the textbook. */
import type { Command } from "commander";
import { mutexNames } from "../../protocols/registry.ts";
import { DEFAULT_PLAN } from "../../simulation/plan.ts";
import { type MutexResult, runMutex } from "../../textbook/run-mutex.ts";
import { idList, planOf, type RingOptions, wholeNumber } from "../options.ts";
import { print, printJson } from "../terminal.ts";
import { idWords, rows, textbookWords } from "../words.ts";

interface MutexOptions extends RingOptions {
  algorithm: string;
  request?: number[];
  down: number[];
  tokenAt?: number;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab mutex --algorithm token-ring --stations 9 --request 4,1,7
  ringlab mutex --algorithm token-ring --stations 9 --request 4 --token-at 5
  ringlab mutex --algorithm token-ring --stations 1000 --json`;

export function register(program: Command): void {
  program
    .command("mutex")
    .description("let stations ask for the critical section and count what it costs")
    .option("--algorithm <name>", `one of ${mutexNames().join(", ")}`, DEFAULT_PLAN.mutex)
    .option("--stations <n>", "number of stations, with ids from 1", wholeNumber("--stations", 1, 1000))
    .option("--ids <ids>", "ids in ring order, e.g. 0-7 or 4,2,9", idList("--ids"))
    .option("--request <ids>", "stations that ask at the same instant (default: all)", idList("--request"))
    .option("--down <ids>", "stations that are dead", idList("--down"), [])
    .option(
      "--token-at <id>",
      "token ring: where the token rests as they ask",
      (text) => idList("--token-at")(text)[0],
    )
    .option("--seed <n>", "seed of everything random", wholeNumber("--seed", 0, 2 ** 53 - 1))
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(mutex);
}

function mutex(options: MutexOptions): void {
  const { ids, seed } = planOf(options);
  const requests = options.request ?? ids.filter((id) => !options.down.includes(id));
  const { algorithm, tokenAt, down } = options;
  const result = runMutex({
    algorithm,
    ids,
    requests,
    down,
    seed,
    ...(tokenAt === undefined ? {} : { tokenAt }),
  });
  const { entryOrder, entries, messages, hops, waitedMs, limitMs, violations, textbook } = result;
  if (options.json) {
    const json = {
      algorithm,
      stations: ids.length,
      entryOrder,
      entries: entries.length,
      messages,
      hops,
      waitedMs,
      limitMs,
      violations: violations.length,
    };
    printJson({ ...json, textbook });
  } else print(table(algorithm, ids.length, result));
  if (violations.length || textbook.matches === false) process.exitCode = 1;
}

function table(algorithm: string, stations: number, result: MutexResult): string {
  const { entryOrder, messages, hops, waitedMs, limitMs, violations, textbook } = result;
  const counts = Object.entries(messages).filter(([name]) => name !== "total");
  return rows([
    ["algorithm", algorithm],
    ["stations", String(stations)],
    ["order of entry", idWords(entryOrder)],
    ["entries", String(entryOrder.length)],
    ...counts.map(([name, n]) => [name, String(n)] as const),
    ["total", String(messages.total)],
    ["textbook", textbookWords(textbook)],
    ["hops", String(hops)],
    ["longest wait", `${waitedMs.toFixed(1)} ms, its limit ${limitMs.toFixed(1)} ms`],
    ["violations", violations.join("; ") || "none"],
  ]);
}
