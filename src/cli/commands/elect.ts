/** `ringlab elect`: one election, counted beside the textbook. */
import type { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { electionNames } from "../../protocols/registry.ts";
import { DEFAULT_PLAN } from "../../simulation/plan.ts";
import { type ElectionResult, runElection } from "../../textbook/run-election.ts";
import { idList, planOf, type RingOptions, wholeNumber } from "../options.ts";
import { print, printJson } from "../terminal.ts";
import { idWords, rows, textbookWords } from "../words.ts";

/** Names that the JSON always has, also where none was sent. */
const NO_MESSAGES = { ELECTION: 0, OK: 0, COORDINATOR: 0 };

interface ElectOptions extends RingOptions {
  algorithm: string;
  down: number[];
  starter: number[];
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab elect --algorithm bully --stations 7 --down 7 --starter 3
  ringlab elect --algorithm ring --ids 0-7 --down 7 --starter 2,5
  ringlab elect --algorithm chang-roberts --ids 5,4,3,2,1 --starter 1-5 --json

A message is one send from a station to a station, also to a dead one. Hops are counted apart:
a message to a far station passes over many links.`;

export function register(program: Command): void {
  program
    .command("elect")
    .description("run one election and count its messages beside the textbook's")
    .option("--algorithm <name>", `one of ${electionNames().join(", ")}`, DEFAULT_PLAN.election)
    .option("--stations <n>", "number of stations, with ids from 1", wholeNumber("--stations", 1, 1000))
    .option("--ids <ids>", "ids in ring order, e.g. 0-7 or 4,2,9", idList("--ids"))
    .option("--down <ids>", "stations that are dead", idList("--down"), [])
    .option(
      "--starter <ids>",
      "stations that notice and start, all at the same instant",
      idList("--starter"),
      [],
    )
    .option("--seed <n>", "seed of everything random", wholeNumber("--seed", 0, 2 ** 53 - 1))
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(elect);
}

function elect(options: ElectOptions): void {
  const { ids, seed } = planOf(options);
  // Where nobody is named the lowest live station notices.
  const starters = options.starter.length
    ? options.starter
    : ids.filter((id) => !options.down.includes(id)).slice(0, 1);
  if (starters.length === 0)
    throw new UsageError("--down names every station: leave one alive to start the election");
  const task = { algorithm: options.algorithm, ids, down: options.down, starters, seed };
  const result = runElection(task);
  const { coordinator, agreed, messages, retries, hops, lists, textbook } = result;
  if (options.json) {
    const json = {
      algorithm: task.algorithm,
      stations: ids.length,
      down: task.down,
      starters,
      coordinator,
      agreed,
    };
    printJson({ ...json, messages: { ...NO_MESSAGES, ...messages }, retries, hops, lists, textbook });
  } else print(table(task, result));
  if (!agreed || textbook.matches === false) process.exitCode = 1;
}

function table(
  task: { algorithm: string; ids: number[]; down: number[]; starters: number[] },
  { coordinator, agreed, messages, hops, lists, textbook }: ElectionResult,
): string {
  const counts = Object.entries(messages).filter(([name]) => name !== "total");
  return rows([
    ["algorithm", task.algorithm],
    ["ring", idWords(task.ids, " → ")],
    ["down", idWords(task.down) || "none"],
    ["started by", idWords(task.starters)],
    [
      "coordinator",
      agreed ? `${coordinator}, and every live station agrees` : "the live stations do not agree",
    ],
    ...Object.entries(lists).map(([starter, list]) => [`list of ${starter}`, idWords(list)] as const),
    ...counts.map(([name, n]) => [name, String(n)] as const),
    ["total", String(messages.total)],
    ["textbook", textbookWords(textbook)],
    ["hops", String(hops)],
  ]);
}
