/** The page in a browser: a ring that is broken by a click and heals, time that is wound back, a story, keys. */
import { afterEach, describe, expect } from "vitest";
import { expectNoFaults, moveTo, openPage, pageFile, pageTest } from "./chromium.ts";

afterEach(expectNoFaults);

const RING = "#stations=5&duration=12s";

describe("a ring that runs in the page", () => {
  pageTest("is broken by a click, and heals", async () => {
    const page = await openPage(pageFile() + RING);
    await moveTo(page, 4);
    await page.getByRole("button", { name: "Station 5: coordinator" }).click();
    await page.getByRole("button", { name: "Crash", exact: true }).click();
    await page.getByRole("button", { name: "Station 5: dead" }).waitFor();
    await moveTo(page, 9);
    await page.getByRole("button", { name: "Station 4: coordinator" }).waitFor();
    const told = page.getByRole("region", { name: "What happened" });
    await told.getByText("makes a new token, epoch 516").waitFor();
    expect(await told.getByRole("listitem").allTextContents()).toContain(
      "6.0104finds the token lost, epoch 261 (probe)",
    );
  });

  pageTest("goes on differently from a past moment, and both ends are kept", async () => {
    const page = await openPage(`${pageFile()}${RING}&at=4s+crash+5`);
    await moveTo(page, 10);
    await page.getByRole("button", { name: "Station 4: coordinator" }).waitFor();
    await moveTo(page, 3.5);
    await page.getByRole("button", { name: "Station 2", exact: true }).click();
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByRole("tab", { name: "Script" }).click();
    expect(await page.getByLabel("The script of this run").inputValue()).toBe(
      "# ringlab run --stations 5 --duration 12s\n3500ms request 2\n",
    );
    const ends = page.getByRole("row", { name: "coordinator" }).getByRole("cell");
    await expect.poll(() => ends.allTextContents()).toEqual(["4", "5"]);
    await page.getByRole("group", { name: "Branch of the run" }).getByRole("button", { name: "A" }).click();
    expect(await page.getByLabel("The script of this run").inputValue()).toContain("4s crash 5");
    await moveTo(page, 10);
    await page.getByRole("button", { name: "Station 4: coordinator" }).waitFor();
  });

  pageTest("stands in the address, which repeats it", async () => {
    const page = await openPage(pageFile() + RING);
    await moveTo(page, 4);
    await page.getByRole("button", { name: "Station 3", exact: true }).click();
    await page.getByRole("button", { name: "Hang" }).click();
    await expect.poll(() => page.url()).toContain("#stations=5&duration=12s&at=4s+hang+3");
    const again = await openPage(page.url());
    await moveTo(again, 4.5);
    await again.getByRole("button", { name: "Station 3: stands still" }).waitFor();
  });

  pageTest("can be had by keyboard alone", async () => {
    const page = await openPage(pageFile() + RING);
    await page.getByRole("button", { name: "Station 5" }).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("]");
    await page.keyboard.press("]");
    await page.keyboard.press("c");
    await page.getByRole("button", { name: "Station 2: dead" }).waitFor();
    await page.keyboard.press("r");
    await page.getByRole("button", { name: "Station 2", exact: true }).waitFor();
    await page.keyboard.press("p");
    await page.getByRole("button", { name: "Heal" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.keyboard.press(" ");
    await page.getByRole("button", { name: "Pause" }).waitFor();
  });

  pageTest("tells a story where it happens", async () => {
    const page = await openPage(`${pageFile()}#story=lease`);
    const story = page.getByRole("complementary", { name: "Story: A lease that runs out" });
    await story.getByText("Station 2 asks too.").waitFor();
    await page.getByRole("button", { name: "Play" }).waitFor();
    await moveTo(page, 5.2);
    await story.getByText("Station 1 wakes up at 5.1 s").waitFor();
    await page
      .getByText("has its write REFUSED by the resource, epoch 259 grant 1 (it has seen epoch 1027 grant 1)")
      .waitFor();
  });

  pageTest(
    "of an address that asks for what no ring can be is the first one, and the page says why",
    async () => {
      const page = await openPage(`${pageFile()}#stations=5&wiring=star`);
      await page.getByText('--wiring must be hub or wired, not "star"').waitFor();
      await page.getByRole("button", { name: "Station 5" }).waitFor();
    },
  );
});
