/** A ring of emulated boards on the page while it goes: a crash by click, two pages that agree, the end of the program. */
import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect } from "vitest";
import { expectNoFaults, openPage, pageTest } from "./chromium.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts a command that serves a page. @returns the address it says */
async function served(...args: string[]): Promise<{ address: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...args, "--no-open"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let said = "";
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (piece: string) => {
        said += piece;
        const found = /http:\/\/127\.0\.0\.1:\d+\/#\S+/.exec(said)?.[0];
        if (found) resolve(found);
      });
    }
    child.on("exit", () => reject(new Error(said)));
  });
  return { address, child };
}

describe("boards on the page", () => {
  pageTest(
    "hop, are crashed by a click and heal; two pages agree, and say when the program ends",
    async () => {
      const { address, child } = await served("run", "emulated-5", "--duration", "2m", "--page");
      const page = await openPage(address);
      const other = await openPage(address);
      await page.getByRole("button", { name: "Station 5: coordinator" }).click();
      await page.getByRole("button", { name: "Crash", exact: true }).click();
      for (const each of [page, other]) {
        await each.getByRole("button", { name: "Station 5: dead" }).waitFor();
        await each.getByRole("button", { name: "Station 4: coordinator" }).waitFor();
        await each.getByText("makes a new token").first().waitFor();
      }
      const told = () =>
        Promise.all(
          [page, other].map((each) =>
            each
              .getByRole("region", { name: "What happened" })
              .getByText("is the coordinator")
              .allTextContents(),
          ),
        );
      const [one, two] = await told();
      expect(one).toEqual(two);
      child.kill("SIGINT");
      await page.getByRole("button", { name: "run is over" }).waitFor();
      // It stays, and can be wound back.
      await page.keyboard.press("ArrowLeft");
      await page.getByRole("button", { name: "Play" }).waitFor();
      expectNoFaults();
    },
  );

  pageTest("that go away with their program are missed, and the page says so", async () => {
    const { address, child } = await served("run", "emulated-5", "--duration", "2m", "--page");
    const page = await openPage(address);
    await page.getByRole("button", { name: "Station 5: coordinator" }).waitFor();
    child.kill("SIGKILL");
    await page.getByRole("button", { name: "lost, trying again" }).waitFor();
  });

  pageTest("of a command that simulates run in the page itself", async () => {
    const { address } = await served("run", "--stations", "3", "--at", "4s crash 3", "--page");
    expect(address).toContain("#stations=3&at=4s+crash+3");
    const page = await openPage(address);
    await page.getByRole("button", { name: "Station 3" }).waitFor();
    expectNoFaults();
  });
});
