/** Shows an address in the browser of the person, where there is one. */
import { spawn } from "node:child_process";

const OPENERS: { [platform: string]: [command: string, ...args: string[]] } = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Fails without a word: the address is printed anyway. */
export function openBrowser(address: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
