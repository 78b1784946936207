/** `ringlab ports`: the serial ports of this computer, and who is at them. */
import { type Stats, statSync } from "node:fs";
import type { Command } from "commander";
import { escapeControls, quote, UsageError } from "../../errors.ts";
import { type Probe, probePort } from "../../host/console/probe-port.ts";
import { ringAddress } from "../../link/mqtt/address.ts";
import { stationsOn } from "../../link/mqtt/ring-host.ts";
import { parsePath, samePort } from "../../link/open.ts";
import { listPorts, type PortInfo } from "../../link/ports.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { complain, print, printJson } from "../terminal.ts";

interface PortsOptions {
  probe?: boolean;
  baud: number;
  broker?: string;
  json?: boolean;
}

interface Line extends Partial<PortInfo> {
  path: string;
  probe?: Probe;
}

const EXAMPLES = `
Examples:
  ringlab ports
  ringlab ports --probe
  ringlab ports --probe /dev/pts/4 tcp://192.168.1.20:4001      these too, listed or not

The list is a hint only: any path can be given to the other commands. --probe says hello to each Espruino and
interrupts no program.`;

export function register(program: Command): void {
  program
    .command("ports")
    .description("serial ports, with what they probably are")
    .argument("[paths...]", "ports to look at, listed or not (default: all that are listed)")
    .option("--probe", "open each and ask who is there")
    .option("--baud <n>", "bits per second of the probe", wholeNumber("--baud", 300, 10_000_000), 115_200)
    .option("--broker <url>", "the stations on a ring of an MQTT broker instead: mqtt://HOST/RING")
    .option("--json", "one JSON object on stdout, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action(ports);
}

async function ports(paths: string[], options: PortsOptions): Promise<void> {
  if (options.broker !== undefined) {
    if (paths.length > 0 || options.probe)
      throw new UsageError("--broker lists by itself: leave out paths and --probe");
    await stations(options.broker, options.json === true);
    return;
  }
  const notListed = paths.map(why);
  const { ports: listed, warning } = await listPorts();
  const lines: Line[] =
    paths.length === 0
      ? listed
      : paths.map((path, i) => ({
          ...(listed.find((port) => samePort(port.path, path)) ?? { why: notListed[i] as string }),
          path,
        }));
  const ending = interruptible();
  if (options.probe) {
    await Promise.all(
      lines.map(async (line) => {
        if (line.kind !== "other") line.probe = await probePort(line.path, options.baud, ending.signal);
      }),
    );
  }
  if (ending.interrupted) process.exitCode = INTERRUPTED;
  if (options.json) {
    printJson({ partial: ending.interrupted, ports: lines, warning: warning ?? null });
    return;
  }
  if (warning) complain(warning);
  if (ending.interrupted) print("PARTIAL: interrupted before every port had answered\n");
  if (lines.length === 0) {
    print("No serial port. Plug a board in, or try emulated ones: ringlab emulate --stations 3\n");
  }
  const width = Math.max(0, ...lines.map(({ path }) => path.length));
  for (const { path, kind = "", why = "", serialNumber, probe } of lines) {
    const serial = serialNumber ? `, serial number ${serialNumber}` : "";
    print(
      `${escapeControls(path).padEnd(width)}  ${kind.padEnd(11)}  ${why}${serial}${probe ? `: ${probe.words}` : ""}\n`,
    );
  }
}

/** Lists who shares a station on a broker. */
async function stations(url: string, json: boolean): Promise<void> {
  const address = ringAddress(url);
  const found = [...(await stationsOn(address))].map(([id, { name, what }]) => ({
    id,
    path: `${address.path}/${id}`,
    name,
    what,
  }));
  if (json) printJson({ stations: found });
  else if (found.length === 0)
    print(
      `Nobody is on ${address.path}. Beside each board: ringlab share --broker URL --id ID --port PORT\n`,
    );
  for (const { path, name, what } of json ? [] : found) print(`${path}  ${what}, shared by ${name}\n`);
}

/** @returns what to say of a path that no list has @throws UsageError for one that can be no port */
function why(path: string): string {
  if (parsePath(path).kind !== "serial") return "not listed";
  const found = statOf(path);
  const file = found?.isDirectory() ? "a folder" : found?.isFile() ? "a file" : "";
  if (file) {
    throw new UsageError(
      `${quote(path)} is ${file}, not a port: "ringlab ports" alone lists the ports, and takes paths such as /dev/ttyACM0`,
    );
  }
  // Windows has no file of that name for every port.
  return found || process.platform === "win32" ? "not listed" : "no such port";
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
