/** `ringlab discover`: how the UARTs of boards are wired. */
import type { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { type Discovery, discover } from "../../host/console/discovery.ts";
import { benchOf } from "../bench-options.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { print, printJson } from "../terminal.ts";
import { rows } from "../words.ts";

interface DiscoverOptions {
  ports?: string;
  baud?: number;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  ringlab discover --ports /dev/ttyACM0,/dev/ttyACM1,/dev/ttyACM2
  ringlab discover three-picos-wired

Every board says hello on its UART. The stations start anew; the ports may be in any order.
Exit 1 when the boards do not form one ring, 130 when Ctrl-C came first.`;

export function register(program: Command): void {
  program
    .command("discover")
    .description("find the order in which boards are wired, and what is wrong with the wires")
    .argument("[bench]", "a bench file, or the name of a ready one")
    .option("--ports <list>", "ports of boards in any order, with commas")
    .option("--baud <n>", "bits per second of the UARTs", wholeNumber("--baud", 300, 10_000_000))
    .option("--json", "one JSON object on stdout, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action(find);
}

async function find(path: string | undefined, options: DiscoverOptions): Promise<void> {
  const { ports, baud } = options;
  const given = benchOf(path, {
    ...(ports === undefined ? {} : { ports }),
    ...(baud === undefined ? {} : { baud }),
    ...(path === undefined && { wiring: "wired" }),
  });
  if (!given)
    throw new UsageError("which boards? Give --ports A,B,C or a bench file (ringlab ports lists them)");
  if (given.bench.wiring !== "wired")
    throw new UsageError("the bench is a hub: the order is that of its file, there are no UARTs to look at");
  const ending = interruptible();
  const found = await discover(given.bench, given.plan, ending.signal);
  if (found.partial) process.exitCode = INTERRUPTED;
  else if (found.order === null) process.exitCode = 1;
  if (options.json) printJson(asJson(found));
  else print(asText(found));
}

function asJson({ order, problems, heard, ports, partial }: Discovery): object {
  return {
    partial,
    order,
    problems,
    heard,
    ports: Object.fromEntries(ports),
    run: order && command(order, ports),
  };
}

function asText({ order, problems, heard, ports, partial }: Discovery): string {
  const table =
    heard.length === 0
      ? ""
      : rows(
          heard.map(({ id, hears, junk }) => {
            const what = hears.length ? `hears ${hears.join(", ")}` : "hears nobody";
            return [
              `  station ${id}`,
              `${ports.get(id)}  ${what}${junk ? ", and bytes that are no frame" : ""}`,
            ] as const;
          }),
        );
  if (partial) return `PARTIAL: interrupted before every board had said hello\n${table}`;
  const result = order
    ? `One ring: ${order.join(" → ")} →\n  ${command(order, ports)}\n`
    : `No ring:\n${problems.map((problem) => `  ${problem}\n`).join("")}`;
  return `${table}${result}`;
}

function command(order: readonly number[], ports: ReadonlyMap<number, string>): string {
  return `ringlab run --wiring wired --ports ${order.map((id) => ports.get(id)).join(",")}`;
}
