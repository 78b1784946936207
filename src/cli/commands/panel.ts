/** `ringlab panel`: a ring of boards with a bench panel beside it. */
import type { Command } from "commander";
import { repeated } from "../options.ts";
import { type RunOptions, run } from "./run.ts";

interface PanelCommand extends RunOptions {
  port?: string;
}

const EXAMPLES = `
Examples:
  ringlab panel --port /dev/ttyACM3 bench.json
  ringlab panel bench.json --log ring.ndjson         where the file's panel has a port

The panel is any board with StandardFirmata; its pins stand in the bench file, by station:
  "panel": {"port": "/dev/ttyACM3", "stations": {"1": {"led": 3, "button": 2, "relay": 4}}}
LED: solid holds the token, blinking is inside, dim is the coordinator (at a pin with PWM).
Button to ground: press asks, hold starts an election, double press crashes an emulated board and revives it.
Relay: while its pin is high, the station is out of a wired ring. At rest it must be in.`;

export function register(program: Command): void {
  program
    .command("panel")
    .description("run a ring of boards with lights, buttons and relays on a Firmata board")
    .argument("<bench>", "a bench file with a panel")
    .option("--port <port>", "of the Firmata board (default: that of the bench file)")
    .option("--duration <time>", "how long the ring runs", "1440m")
    .option("--at <action>", 'what happens and when, e.g. "2s crash 5"; repeatable', repeated)
    .option("--log <file>", "write every record to an NDJSON file")
    .option("--hops", "a line for every hop, not only for events")
    .option("--json", "one JSON object on stdout at the end, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action((path: string, { port, ...options }: PanelCommand) => run(path, options, port ?? ""));
}
