/** `ringlab flash`: the firmware to boards, several at once. */

import type { Command } from "commander";
import { SMALL } from "../../../firmware/protocols.js";
import { ID_RANGE, isId } from "../../bench-file/id.ts";
import { UsageError } from "../../errors.ts";
import { type Flashed, flashBoard } from "../../host/flash/flash-board.ts";
import { makeImage } from "../../host/flash/image.ts";
import { linkTo, samePort } from "../../link/open.ts";
import { loadableNames } from "../../protocols/registry.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { idList, oneOf, wholeNumber } from "../options.ts";
import { Progress } from "../progress.ts";
import { complain, print, printJson } from "../terminal.ts";
import { rows } from "../words.ts";

interface FlashCommandOptions {
  ports: string;
  ids?: number[];
  protocols: string;
  baud: number;
  json?: boolean;
}

const examples = () => `
Examples:
  ringlab flash --ports /dev/ttyACM0,/dev/ttyACM1,/dev/ttyACM2 --ids 1,2,3
  ringlab flash --ports COM3 --protocols bully
  ringlab run --ports /dev/ttyACM0,/dev/ttyACM1,/dev/ttyACM2

Protocols beside the token ring: ${loadableNames().join(", ")}`;

/** Longest line that a board sends while it is flashed. */
const LINE_LIMIT = 1024;

export function register(program: Command): void {
  program
    .command("flash")
    .description("write the firmware to boards that run Espruino")
    .requiredOption("--ports <list>", "ports of the boards, with commas")
    .option("--ids <ids>", "station ids to store on them, in the order of the ports", idList("--ids"))
    .option("--protocols <list>", "what the boards carry beside the token ring", SMALL.join(","))
    .option("--baud <n>", "speed of the consoles", wholeNumber("--baud", 300, 4_000_000), 115_200)
    .option("--json", "one JSON object on stdout, and nothing else")
    .addHelpText("after", examples())
    .action(flash);
}

async function flash(options: FlashCommandOptions): Promise<void> {
  const ports = portList(options.ports);
  const { ids } = options;
  if (ids && ids.length !== ports.length)
    throw new UsageError(`--ids names ${ids.length} stations and --ports ${ports.length} ports`);
  const wide = ids?.find((id) => !isId(id));
  if (wide !== undefined) throw new UsageError(`--ids: no board can be station ${wide}: write ${ID_RANGE}`);
  const names = options.protocols
    .split(",")
    .map((name) => oneOf("--protocols", name.trim(), loadableNames()));
  const image = await makeImage([...new Set(names)]);

  const ending = interruptible();
  const { signal } = ending;
  const progress = new Progress(ports.length === 1 ? "writing" : `writing to ${ports.length} boards`);
  const parts = ports.map(() => 0);
  const one = async (port: string, i: number): Promise<Flashed> => {
    const link = linkTo(port, { baudRate: options.baud, lineLimit: LINE_LIMIT });
    // A port may take seconds to open, or not to.
    signal.addEventListener("abort", () => link.state === "opening" && link.close());
    try {
      await link.open();
      const id = ids?.[i];
      return await flashBoard(link, image, {
        ...(id === undefined ? {} : { id }),
        signal,
        onProgress(part) {
          parts[i] = part;
          progress.show(parts.reduce((sum, each) => sum + each, 0) / parts.length);
        },
      });
    } finally {
      await link.close();
    }
  };
  const ends = await Promise.allSettled(ports.map(one));
  progress.done();

  const done = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  const surprise = failed.find((reason) => !(reason instanceof UsageError));
  if (surprise) throw surprise;
  const errors = failed.map((reason) => (reason as UsageError).message);
  if (options.json) printJson({ boards: done, errors });
  else if (done.length) print(rows(done.map(words)));
  errors.forEach(complain);
  if (errors.length) process.exitCode = ending.interrupted ? INTERRUPTED : 2;
}

/** @throws UsageError for no port, or one that is named twice */
function portList(text: string): string[] {
  const ports = text.split(",").map((port) => port.trim());
  if (ports.includes("")) throw new UsageError("--ports: a port is empty; write them with one comma between");
  for (const [i, port] of ports.entries()) {
    const other = ports.slice(0, i).find((earlier) => samePort(earlier, port));
    if (other !== undefined) throw new UsageError(`--ports: ${other} and ${port} are one port`);
  }
  return ports;
}

function words(board: Flashed): [string, string] {
  const station = board.id === null ? "no id yet" : `station ${board.id}`;
  return [
    board.port,
    `${board.board} ${board.version}, ${station}: ${board.bytes} bytes written and checked, ${board.usage} of ${board.total} variables in use`,
  ];
}
