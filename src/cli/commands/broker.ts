/** `ringlab broker`: an MQTT broker for a room that has none. */
import { randomInt } from "node:crypto";
import { networkInterfaces } from "node:os";
import type { Command } from "commander";
import { renderUnicodeCompact } from "uqr";
import { aborted } from "../../aborted.ts";
import { BROKER_USER, startBroker } from "../../link/mqtt/broker.ts";
import { interruptible } from "../ending.ts";
import { wholeNumber } from "../options.ts";
import { print, printJson } from "../terminal.ts";

interface BrokerCommandOptions {
  port: number;
  lan?: boolean;
  json?: boolean;
}

/** Letters and digits that nobody takes for one another. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const PASSWORD_LENGTH = 10;

const EXAMPLES = `
Examples:
  ringlab broker                       for programs on this computer
  ringlab broker --lan                 for the room: prints the address and a new password
  ringlab share --broker mqtt://ring:PASSWORD@192.168.1.20/ring7 --id 3 --port /dev/ttyACM0
  ringlab run --broker mqtt://ring:PASSWORD@192.168.1.20/ring7

Whoever has the password can write on every ring of this broker. It is made anew at each start. There is no encryption:
use a broker with TLS (mqtts://) outside a room that you trust.`;

export function register(program: Command): void {
  program
    .command("broker")
    .description("an MQTT broker for rings across a room, until Ctrl-C")
    .option("--port <n>", "where it listens", wholeNumber("--port", 0, 65_535), 1883)
    .option("--lan", "for other computers, too (default: only for this one)")
    .option("--json", "one JSON object on stdout when it is there, and nothing else")
    .addHelpText("after", EXAMPLES)
    .action(broker);
}

async function broker(options: BrokerCommandOptions): Promise<void> {
  const password = Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const { signal } = interruptible();
  const started = await startBroker({
    host: options.lan ? "0.0.0.0" : "127.0.0.1",
    port: options.port,
    password,
  });
  const port = started.port === 1883 ? "" : `:${started.port}`;
  const addresses = (options.lan ? lanAddresses() : ["127.0.0.1"]).map(
    (host) => `mqtt://${BROKER_USER}:${password}@${host}${port}/ring1`,
  );
  if (options.json) printJson({ port: started.port, password, addresses });
  else {
    const first = addresses[0] ?? `mqtt://${BROKER_USER}:${password}@localhost${port}/ring1`;
    print(
      `A broker for rings${options.lan ? "" : " on this computer"}; the last part of the address names a ring:\n\n`,
    );
    for (const address of addresses) print(`  ${address}\n`);
    if (options.lan) print(`\n${renderUnicodeCompact(first)}\n`);
    print(
      `\nEach board:   ringlab share --broker ${first} --id 1 --emulated\nThe ring:     ringlab run --broker ${first}\nCtrl-C ends it.\n`,
    );
  }
  await aborted(signal);
  await started.stop();
  if (!options.json) print("The broker has ended.\n");
}

/** Addresses at which other computers reach this one. */
function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .filter((one) => one !== undefined && one.family === "IPv4" && !one.internal)
    .map((one) => (one as { address: string }).address);
}
