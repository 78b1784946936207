/**
 * Adds algorithms to the protocols of this process, then runs commands: `with-toys.ts FILES COMMANDS`, both JSON. Prints what
 * each said as JSON. A process of its own, in which the files and the program share one firmware.
 */
import { bundleFirmware } from "../../src/host/firmware-bundle/bundle.ts";
import { loadAlgorithm } from "../../src/textbook/load-algorithm.ts";
import { inProcess } from "../cli/in-process.ts";

const [files, commands] = process.argv.slice(2).map((text) => JSON.parse(text)) as [
  [string, string][],
  string[][],
];
for (const [protocol, descriptor] of files) await loadAlgorithm(protocol, descriptor);
const said: object[] = [];
for (const args of commands) {
  if (args[0] === "bundle") said.push({ code: 0, stdout: await bundleFirmware(args.slice(1)), stderr: "" });
  else said.push(await inProcess(args));
}
process.stdout.write(JSON.stringify(said));
