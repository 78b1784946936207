/** `ringlab share`: puts a board of this computer, or an emulated one, on a ring of an MQTT broker. */
import type { Command } from "commander";
import { aborted } from "../../aborted.ts";
import { parseId } from "../../bench-file/id.ts";
import { escapeControls, UsageError } from "../../errors.ts";
import { consolePair, emulatedBoard, emulatedFirmware, flashed } from "../../host/bench/emulated-board.ts";
import type { Link } from "../../link/link.ts";
import { ringAddress, stationAddress } from "../../link/mqtt/address.ts";
import { SharedStation } from "../../link/mqtt/shared-station.ts";
import { linkTo, parsePath } from "../../link/open.ts";
import { ReconnectingLink } from "../../link/reconnect.ts";
import { interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { print } from "../terminal.ts";

interface ShareOptions {
  broker: string;
  id: string;
  port?: string;
  emulated?: boolean;
  baud: number;
  seed: number;
}

const EXAMPLES = `
Examples:
  ringlab share --broker mqtt://192.168.1.20/ring7 --id 3 --port /dev/ttyACM0
  ringlab share --broker mqtt://ring:PASSWORD@192.168.1.20/ring7 --id 4 --emulated
  RINGLAB_MQTT_USER=ring RINGLAB_MQTT_PASSWORD=... ringlab share --broker mqtts://broker.example/class/ring7 --id 5 --emulated

Whoever runs the ring (ringlab run --broker ...) sees the board as if it were on a port of its own. A board that is pulled
out is bypassed, and back when it is plugged in. RINGLAB_MQTT_CA, _CERT and _KEY name files with certificates (PEM).`;

export function register(program: Command): void {
  program
    .command("share")
    .description("put a board of this computer on a ring of an MQTT broker, until Ctrl-C")
    .requiredOption("--broker <url>", "the ring on its broker, such as mqtt://192.168.1.20/ring7")
    .requiredOption("--id <id>", "the station's id on that ring")
    .option("--port <port>", "the board's port (ringlab ports lists them)")
    .option("--emulated", "an emulated board instead")
    .option(
      "--baud <n>",
      "bits per second of the board's console",
      wholeNumber("--baud", 300, 10_000_000),
      115_200,
    )
    .option("--seed <n>", "seed of the emulated board", wholeNumber("--seed", 0, 2 ** 31), 1)
    .addHelpText("after", EXAMPLES)
    .action(share);
}

async function share(options: ShareOptions): Promise<void> {
  const id = parseId(options.id, "--id");
  const ring = ringAddress(options.broker);
  if ((options.port === undefined) === (options.emulated !== true))
    throw new UsageError("say what is shared: --port PORT for a board, or --emulated");
  if (options.port !== undefined && parsePath(options.port).kind === "mqtt")
    throw new UsageError("--port is on a broker already: share it where its board is");
  const { signal } = interruptible();
  const { link, what, stop } =
    options.port === undefined
      ? await emulatedConsole(id, options.seed)
      : boardConsole(options.port, options.baud);
  await link.open();
  // User and password of the address that was typed serve this one, too.
  const address = stationAddress(`${ring.path}/${id}`);
  const say = (line: string) => print(`${clock()}  station ${id}: ${line}\n`);
  let shared: SharedStation;
  try {
    shared = await SharedStation.open(address, link, { what, onNews: say });
  } catch (error) {
    await link.close();
    stop();
    throw error;
  }
  say(`shared as ${address.path}; Ctrl-C ends it`);
  await aborted(signal);
  await shared.stop();
  stop();
  if (shared.refused > 0) say(`${shared.refused} messages of others were refused`);
  say("no longer shared");
}

interface Console {
  link: Link;
  what: string;
  stop(): void;
}

function boardConsole(port: string, baudRate: number): Console {
  const link = new ReconnectingLink({ path: port, connect: (path) => linkTo(path, { baudRate }) });
  return { link, what: escapeControls(port), stop() {} };
}

async function emulatedConsole(id: number, seed: number): Promise<Console> {
  const { port, link } = consolePair(`emulated ${id}`);
  const board = emulatedBoard({ index: id, seed, console: port, storage: flashed(await emulatedFirmware()) });
  return { link, what: "emulated", stop: () => board.stop() };
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}
